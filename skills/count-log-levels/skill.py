import re


def count_log_levels(log: str) -> dict[str, int]:
    """Count log levels: the lines of each level."""
    levels = re.findall('\\b(DEBUG|INFO|WARNING|ERROR|CRITICAL)\\b', log)
    counts = {}
    for level in levels:
        counts[level] = counts.get(level, 0) + 1
    return counts
