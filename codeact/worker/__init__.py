"""Their side of the wall: what runs inside the caged process."""
