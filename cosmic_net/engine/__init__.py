"""The rules engine: state, decisions, events, windows, views and the phases of an encounter."""
