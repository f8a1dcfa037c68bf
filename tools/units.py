"""Units of measure, converted by a table of factors.

Sources: the SI Brochure (BIPM, 9th edition, 2019) for SI and units accepted beside it; NIST Special Publication 811
(2008), appendix B.8, for customary units; IEC 80000-13 for multiples of bytes. A factor marked there as exact is exact
here. A table of a page answers what tools are asked; a unit library would be a dependency several times this size.
"""

from __future__ import annotations

import difflib
import math

_INCH, _POUND, _US_GALLON, _UK_GALLON = 0.0254, 0.45359237, 3.785411784e-3, 4.54609e-3
_GRAVITY = 9.80665

# kind → (the unit everything is counted in, {unit: how many of those it is}).
_TABLE: dict[str, tuple[str, dict[str, float]]] = {
    "length": ("m", {
        "m": 1, "km": 1e3, "dm": 0.1, "cm": 1e-2, "mm": 1e-3, "µm": 1e-6, "nm": 1e-9, "in": _INCH, "ft": 12 * _INCH,
        "yd": 36 * _INCH, "mi": 63360 * _INCH, "nmi": 1852, "au": 149_597_870_700, "ly": 9_460_730_472_580_800,
        "pc": 149_597_870_700 * 648_000 / math.pi,
    }),
    "area": ("m²", {
        "m²": 1, "km²": 1e6, "cm²": 1e-4, "mm²": 1e-6, "ha": 1e4, "a": 100, "in²": _INCH**2, "ft²": (12 * _INCH) ** 2,
        "yd²": (36 * _INCH) ** 2, "mi²": (63360 * _INCH) ** 2, "acre": 43_560 * (12 * _INCH) ** 2,
    }),
    "volume": ("m³", {
        "m³": 1, "L": 1e-3, "dL": 1e-4, "cL": 1e-5, "mL": 1e-6, "hL": 0.1, "cm³": 1e-6, "mm³": 1e-9,
        "in³": _INCH**3, "ft³": (12 * _INCH) ** 3, "yd³": (36 * _INCH) ** 3, "gal": _US_GALLON, "qt": _US_GALLON / 4,
        "pt": _US_GALLON / 8, "cup": _US_GALLON / 16, "floz": _US_GALLON / 128, "tbsp": _US_GALLON / 256,
        "tsp": _US_GALLON / 768, "bbl": 42 * _US_GALLON, "ukgal": _UK_GALLON, "ukpt": _UK_GALLON / 8,
        "ukfloz": _UK_GALLON / 160,
    }),
    "mass": ("kg", {
        "kg": 1, "g": 1e-3, "mg": 1e-6, "µg": 1e-9, "t": 1e3, "lb": _POUND, "oz": _POUND / 16, "st": 14 * _POUND,
        "ton": 2000 * _POUND, "longton": 2240 * _POUND, "ct": 2e-4, "ozt": 480 * _POUND / 7000, "gr": _POUND / 7000,
    }),
    "time": ("s", {
        "s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "min": 60, "h": 3600, "d": 86_400, "week": 604_800,
        "julianyear": 31_557_600,
    }),
    "speed": ("m/s", {
        "m/s": 1, "km/h": 1 / 3.6, "mph": 0.44704, "kn": 1852 / 3600, "ft/s": 12 * _INCH, "km/s": 1e3, "c": 299_792_458,
    }),
    "pressure": ("Pa", {
        "Pa": 1, "hPa": 100, "kPa": 1e3, "MPa": 1e6, "bar": 1e5, "mbar": 100, "atm": 101_325, "torr": 101_325 / 760,
        "mmHg": 133.322387415, "psi": _POUND * _GRAVITY / _INCH**2, "inHg": 3386.389,
    }),
    "energy": ("J", {
        "J": 1, "kJ": 1e3, "MJ": 1e6, "GJ": 1e9, "Wh": 3600, "kWh": 3.6e6, "MWh": 3.6e9, "cal": 4.184, "kcal": 4184,
        "eV": 1.602176634e-19, "BTU": 1055.05585262, "therm": 105_505_585.262,
    }),
    "power": ("W", {
        "W": 1, "mW": 1e-3, "kW": 1e3, "MW": 1e6, "GW": 1e9, "hp": 550 * 12 * _INCH * _POUND * _GRAVITY,
        "PS": 75 * _GRAVITY, "BTU/h": 1055.05585262 / 3600,
    }),
    "force": ("N", {"N": 1, "kN": 1e3, "dyn": 1e-5, "lbf": _POUND * _GRAVITY, "kgf": _GRAVITY}),
    "information": ("B", {
        "bit": 0.125, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15, "KiB": 1024, "MiB": 1024**2,
        "GiB": 1024**3, "TiB": 1024**4, "PiB": 1024**5, "kbit": 125, "Mbit": 125e3, "Gbit": 125e6,
    }),
    "angle": ("rad", {
        "rad": 1, "deg": math.pi / 180, "arcmin": math.pi / 10_800, "arcsec": math.pi / 648_000, "turn": 2 * math.pi,
        "gon": math.pi / 200,
    }),
    "frequency": ("Hz", {"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "rpm": 1 / 60}),
    "fuel economy": ("km/L", {"km/L": 1, "mpg": 1.609344 / 3.785411784, "ukmpg": 1.609344 / 4.54609}),
}  # fmt: skip

# unit → (degrees per kelvin-sized step, what it shows at 0 kelvin).
_TEMPERATURES = {"K": (1.0, 0.0), "°C": (1.0, -273.15), "°F": (1.8, -459.67), "°R": (1.8, 0.0)}

_WORDS = {
    "metre": "m", "meter": "m", "kilometre": "km", "kilometer": "km", "centimetre": "cm", "centimeter": "cm",
    "millimetre": "mm", "millimeter": "mm", "um": "µm", "micron": "µm", "inch": "in", "inches": "in", '"': "in",
    "foot": "ft", "feet": "ft", "yard": "yd", "mile": "mi", "nautical mile": "nmi", "light year": "ly", "parsec": "pc",
    "hectare": "ha", "square metre": "m²", "square meter": "m²", "square foot": "ft²", "square feet": "ft²",
    "square kilometre": "km²", "square kilometer": "km²", "square mile": "mi²",
    "litre": "L", "liter": "L", "l": "L", "ml": "mL", "cl": "cL", "dl": "dL", "hl": "hL", "millilitre": "mL",
    "milliliter": "mL", "cubic metre": "m³", "cubic meter": "m³", "cc": "cm³", "gallon": "gal", "quart": "qt",
    "pint": "pt", "fluid ounce": "floz", "fl oz": "floz", "tablespoon": "tbsp", "teaspoon": "tsp", "barrel": "bbl",
    "gram": "g", "kilogram": "kg", "kilo": "kg", "milligram": "mg", "ug": "µg", "mcg": "µg", "tonne": "t",
    "metric ton": "t", "pound": "lb", "lbs": "lb", "ounce": "oz", "stone": "st", "short ton": "ton", "carat": "ct",
    "long ton": "longton", "grain": "gr", "troy ounce": "ozt",
    "second": "s", "sec": "s", "minute": "min", "hour": "h", "hr": "h", "day": "d", "us": "µs", "millisecond": "ms",
    "microsecond": "µs", "nanosecond": "ns", "kmh": "km/h", "kph": "km/h", "mi/h": "mph", "knot": "kn", "kt": "kn",
    "pascal": "Pa", "atmosphere": "atm", "joule": "J", "calorie": "cal", "kilocalorie": "kcal", "btu": "BTU",
    "watt": "W", "kilowatt": "kW", "horsepower": "hp", "kilowatt hour": "kWh", "newton": "N", "byte": "B",
    "kilobyte": "kB", "megabyte": "MB", "gigabyte": "GB", "terabyte": "TB", "degree": "deg", "radian": "rad",
    "hertz": "Hz", "kelvin": "K", "celsius": "°C", "c°": "°C", "degc": "°C", "centigrade": "°C", "fahrenheit": "°F",
    "degf": "°F", "rankine": "°R", "miles per gallon": "mpg", "miles per hour": "mph",
}  # fmt: skip


def convert_units(value: float, from_unit: str, to_unit: str) -> float:
    """Convert a measure: `convert_units(5, "mi", "km")`. Units are written as km/h, ft², °F, L, MiB, or as words.

    gal, pt and floz are those of the United States; ukgal, ukpt, ukfloz the imperial ones. oz is a mass.
    """
    source, target = _unit(from_unit), _unit(to_unit)
    if source in _TEMPERATURES and target in _TEMPERATURES:
        (step, zero), (new_step, new_zero) = _TEMPERATURES[source], _TEMPERATURES[target]
        kelvin = (value - zero) / step
        if kelvin < -1e-9:
            raise ValueError(f"{value} {from_unit} lies below absolute zero")
        return _rounded(kelvin * new_step + new_zero)
    kind, other = _KINDS[source], _KINDS[target]
    if kind != other:
        raise ValueError(f"{from_unit!r} measures {kind} and {to_unit!r} measures {other}: one cannot become the other")
    factors = _TABLE[kind][1]
    return _rounded(value * factors[source] / factors[target])


def known_units(kind: str | None = None) -> dict[str, list[str]]:
    """The units convert_units knows, for each kind of measure (length, mass, …) or for one."""
    found = {name: list(factors) for name, (_, factors) in _TABLE.items()} | {"temperature": list(_TEMPERATURES)}
    if kind is None:
        return found
    if kind not in found:
        raise ValueError(f"there is no kind {kind!r}; the kinds are {', '.join(found)}")
    return {kind: found[kind]}


def _unit(text: str) -> str:
    """The table's name for a unit as somebody wrote it."""
    written = text.strip().replace("\u03bc", "µ").replace("^", "").replace("**", "")
    written = written[:-1] + {"2": "²", "3": "³"}.get(written[-1:], written[-1:])
    for name in (written, f"°{written}"):
        if name in _KINDS:
            return name
    word = written.casefold().removeprefix("degrees ").removeprefix("°")
    for name in (word, word.removesuffix("s"), word.removesuffix("es")):
        if name in _WORDS:
            return _WORDS[name]
    folded = [name for name in _KINDS if name.casefold() == written.casefold()]
    if len(folded) == 1:
        return folded[0]
    close = folded or difflib.get_close_matches(written, [*_KINDS, *_WORDS], n=3, cutoff=0.6)
    meant = f" Did you mean {', '.join(close)}?" if close else " known_units() lists those there are."
    raise ValueError(f"there is no unit {text!r}.{meant}")


def _rounded(value: float) -> float:
    """Fifteen digits: what a float can hold, without the noise of the division behind them."""
    return float(f"{value:.15g}")


_KINDS = {unit: kind for kind, (_, factors) in _TABLE.items() for unit in factors} | dict.fromkeys(
    _TEMPERATURES, "temperature"
)

for _tool in (convert_units, known_units):
    _tool.__dict__["effect"] = "read"  # what a call changes: nothing
