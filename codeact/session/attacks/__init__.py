"""Attacks on the cage by code whose language is broken already: run by `codeact doctor --attack` and by the tests."""
