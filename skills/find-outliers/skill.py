import statistics


def find_outliers(numbers: list[float], number: float = 1.5) -> list[float]:
    """Find outliers: the numbers more than `number` quartile ranges outside the middle half."""
    low, _, high = statistics.quantiles(numbers, n=4)
    reach = number * (high - low)
    return [x for x in numbers if x < low - reach or x > high + reach]
