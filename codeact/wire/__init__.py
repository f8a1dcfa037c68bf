"""What both sides of the wall share: messages, frames, values."""
