"""Talking to a host: finding it, starting one, the connection, requests and pushes."""
