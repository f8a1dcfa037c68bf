from collections import Counter


def tally_values_rows(rows: list[dict], column: str = 'weather') -> dict[str, int]:
    """Tally values of `column` in the rows, most frequent first."""
    counts = Counter((row[column] for row in rows))
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0]))))
