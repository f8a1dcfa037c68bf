"""codeact: agents whose action is Python."""
