def smooth_series(series: list[float], number: int = 7) -> list[float]:
    """Smooth a series: the moving average of `number` values."""
    smooth = [sum(series[i:i + number]) / number for i in range(len(series) - number + 1)]
    return [round(x, 6) for x in smooth]
