def deduplicate_rows(rows: list[dict], column: str = 'weather') -> list[dict]:
    """Deduplicate rows: keep the first of each `column`."""
    seen = set()
    kept = []
    for row in rows:
        if row[column] not in seen:
            seen.add(row[column])
            kept.append(row)
    return kept
