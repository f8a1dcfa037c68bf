def smooth_series(series: list[float], values: int = 7) -> list[float]:
    """Smooth a series: the moving average of `values` values."""
    smooth = [sum(series[i:i + values]) / values for i in range(len(series) - values + 1)]
    return [round(x, 6) for x in smooth]
