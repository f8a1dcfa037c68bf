"""The words we send to models."""
