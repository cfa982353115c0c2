"""The host process of a table: sockets, seats, lobby, clocks, journal, and the advert clients find it by.

It knows no rules: what is legal and what happens next it asks the engine in ``cosmic_net``. It speaks to
clients through ``protocol`` alone and never imports ``client``.
"""
