"""Skills: what worked becomes a function, proves itself, and is called again."""
