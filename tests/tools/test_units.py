"""Units convert by the published factors, whatever way they are written."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeact.loading import load_tools

TOOLS = Path(__file__).parents[2] / "tools"

UNITS = {function.__name__: function for function in load_tools([TOOLS / "units.py"])}

KNOWN = [
    # NIST SP 811, appendix B.8, and the SI Brochure
    *(
        (1, "mi", "km", 1.609344),
        (1, "acre", "m²", 4046.8564224),
        (1, "gal", "L", 3.785411784),
        (1, "ukpt", "mL", 568.26125),
    ),
    *(
        (1, "lb", "kg", 0.45359237),
        (1, "oz", "g", 28.349523125),
        (1, "ozt", "g", 31.1034768),
        (1, "hp", "W", 745.69987158227),
    ),
    *(
        (1, "psi", "Pa", 6894.75729316836),
        (1, "lbf", "N", 4.4482216152605),
        (1, "kWh", "MJ", 3.6),
        (1, "kn", "km/h", 1.852),
    ),
    *(
        (1, "GiB", "MB", 1073.741824),
        (8, "bit", "B", 1),
        (180, "deg", "rad", math.pi),
        (30, "mpg", "km/L", 12.75431122),
    ),
    *((100, "°C", "°F", 212), (-40, "°F", "°C", -40), (0, "K", "°C", -273.15), (1, "pc", "ly", 3.261563777)),
    *((1, "cup", "tbsp", 16), (1, "week", "h", 168), (1, "atm", "torr", 760), (1, "kcal", "kJ", 4.184)),
]


@pytest.mark.parametrize(("value", "source", "target", "result"), KNOWN)
def test_a_measure_converts_by_the_published_factor(value: float, source: str, target: str, result: float) -> None:
    assert UNITS["convert_units"](value, source, target) == pytest.approx(result, rel=1e-8)


WRITTEN = [
    *(
        ("miles", "mi"),
        ("Feet", "ft"),
        ("square feet", "ft²"),
        ("ft2", "ft²"),
        ("m^3", "m³"),
        ("m**2", "m²"),
        ("KM", "km"),
    ),
    *(
        ("celsius", "°C"),
        ("degrees Celsius", "°C"),
        ("degC", "°C"),
        ("C", "°C"),
        ("F", "°F"),
        ("\u03bcm", "µm"),
        ("lbs", "lb"),
    ),
    *(("litres", "L"), ("kph", "km/h"), ("hours", "h"), ("inches", "in"), (" kg ", "kg"), ("Gigabytes", "GB")),
]


@pytest.mark.parametrize(("written", "unit"), WRITTEN)
def test_a_unit_is_known_by_the_ways_it_is_written(written: str, unit: str) -> None:
    assert UNITS["convert_units"](3.5, written, unit) == 3.5


UNKNOWN = [
    *(("furlongs", "no unit 'furlongs'"), ("", "no unit"), ("m", "measures length"), ("MB" * 1000, "no unit")),
    *(("killogram", "Did you mean kilogram"), ("mW", "measures power")),
]


@pytest.mark.parametrize(("unit", "reason"), UNKNOWN)
def test_what_cannot_be_converted_is_refused_with_the_reason(unit: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        UNITS["convert_units"](1, unit, "kg")


def test_there_is_nothing_below_absolute_zero() -> None:
    with pytest.raises(ValueError, match="absolute zero"):
        UNITS["convert_units"](-300, "°C", "K")


def test_the_units_there_are_can_be_asked_for() -> None:
    assert UNITS["known_units"]("temperature") == {"temperature": ["K", "°C", "°F", "°R"]}
    assert "length" in UNITS["known_units"]()
    with pytest.raises(ValueError, match="the kinds are length"):
        UNITS["known_units"]("colour")


PAIRS = [(kind, a, b) for kind, units in UNITS["known_units"]().items() for a in units[:6] for b in units[:6]]


@given(st.sampled_from(PAIRS), st.floats(0.1, 1e6))
@settings(deadline=None)
def test_a_measure_comes_back_as_it_was(pair: tuple[str, str, str], value: float) -> None:
    _, one, other = pair
    if one in ("°C", "K", "°F", "°R") or other in ("°C", "K", "°F", "°R"):
        value += 500  # clear of absolute zero on every scale
    there = UNITS["convert_units"](value, one, other)
    assert UNITS["convert_units"](there, other, one) == pytest.approx(value, rel=1e-9)
