"""Our side of the wall: launching, watching and killing caged workers."""
