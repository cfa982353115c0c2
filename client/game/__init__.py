"""A game as this client is told of it: the view, the checks of fair play, the cards it has sealed."""
