"""Pure rules of the language: what a snippet may say, how it is rewritten and metered."""
