def total_rows(
    rows: list[dict],
    column: str = 'month',
    other_column: str = 'rain',
) -> dict[str, float]:
    """Total the rows: the sum of `other_column` for each `column`."""
    totals = {}
    for row in rows:
        totals[row[column]] = totals.get(row[column], 0) + row[other_column]
    return {key: round(total, 6) for key, total in totals.items()}
