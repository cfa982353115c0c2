"""The bots' process: clients of the host like everybody's, with keys of their own, one for each seat they play."""
