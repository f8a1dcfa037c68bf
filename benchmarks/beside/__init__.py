"""Ours beside the peers: the same work, one process for each executor, one table."""
