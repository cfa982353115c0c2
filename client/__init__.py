"""The program a person starts: command line, session, prompt, rendering and finding tables in the LAN.

It knows no rules: what it offers is what the host says is legal, and it shows what it is told. It never
imports ``host``; the embedded host is started as a process of its own.
"""
