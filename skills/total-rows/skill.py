def total_rows(rows: list[dict], column: str = 'month', column_2: str = 'rain') -> dict[str, float]:
    """Total the rows: the sum of `column_2` for each `column`."""
    totals = {}
    for row in rows:
        totals[row[column]] = totals.get(row[column], 0) + row[column_2]
    return {key: round(total, 6) for key, total in totals.items()}
