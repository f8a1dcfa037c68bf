"""What becomes of a message that does not get through while both sides live: none of it is raised by anything else."""

from __future__ import annotations


class NotInTime(TimeoutError):
    """Nothing came, or what was sent was not read, for so long. An alarm of the host's raises another TimeoutError."""


class TooLong(ValueError):
    """There is more in it than one message may hold."""
