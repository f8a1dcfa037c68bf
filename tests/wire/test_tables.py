"""Arrays and tables cross as the bytes of their columns."""

from __future__ import annotations

import datetime
import struct
from io import BytesIO
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from codeact.errors import ProtocolError
from codeact.records import Described
from codeact.wire.parts import Uncrossable
from codeact.wire.values import pack, unpack

numpy = pytest.importorskip("numpy", reason="arrays are an extra")
pandas: Any = pytest.importorskip("pandas", reason="tables are an extra")
dateutil_tz: Any = pytest.importorskip("dateutil.tz", reason="pandas brings it")


def crossed(value: object) -> Any:
    return unpack(msgspec.msgpack.decode(msgspec.msgpack.encode(pack(value))))


ARRAYS = [
    numpy.arange(6).reshape(2, 3), numpy.array(1.5), numpy.array([], dtype="float32"), numpy.array([True, False]),
    numpy.array(["a", "bcd"]), numpy.array([1 + 2j]), numpy.array(["2024-01-01"], dtype="datetime64[D]"),
    numpy.array([5], "M8[ps]"), numpy.array([7, -7], "m8[25as]"), numpy.array([1], "M8[10ns]"),
    numpy.arange(12).reshape(3, 4).T, numpy.arange(10)[::2], numpy.array([1, "a", None], dtype=object),
    numpy.ones((1,) * (64 if numpy.lib.NumpyVersion(numpy.__version__) >= "2.0.0" else 32)),
]  # fmt: skip


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}{array.shape}")
def test_an_array_arrives_with_its_shape_and_type(array: Any) -> None:
    arrived = crossed(array)
    assert (arrived.dtype, arrived.shape) == (array.dtype, array.shape)
    assert (arrived == array).all()


def test_an_array_that_arrived_can_be_written_to() -> None:
    arrived = crossed(numpy.zeros(3))
    arrived[0] = 1
    assert arrived[0] == 1


def test_a_number_of_numpy_arrives_as_a_plain_number() -> None:
    arrived = crossed([numpy.float64(1.5), numpy.int8(3), numpy.bool_(True)])
    assert [type(number) for number in arrived] == [float, int, bool]


LONGER = [numpy.datetime64("2024-01-01T12:00", "ns"), numpy.timedelta64(90, "m"), numpy.longdouble("1.1")]


@pytest.mark.parametrize("number", LONGER, ids=repr)
def test_a_number_of_numpy_that_python_has_no_room_for_arrives_as_it_is(number: Any) -> None:
    arrived = crossed({"key": [number], number: "value"})
    assert arrived == {"key": [number], number: "value"}
    assert (type(arrived["key"][0]), arrived["key"][0].dtype) == (type(number), number.dtype)


def test_a_frame_arrives_with_its_columns_types_and_index() -> None:
    frame = pandas.DataFrame(
        {
            "whole": [1, 2],
            "text": ["x", None],
            "real": [1.5, None],
            "day": pandas.to_datetime(["2024-01-01", "2025-01-01"]),
            "local": pandas.to_datetime(["2024-01-01", "2025-01-01"]).tz_localize("Europe/Berlin"),
            "kind": pandas.Categorical(["u", "v"]),
            "mixed": [[1], {"a": (1, 2)}],
            "missing": pandas.array([1, None], dtype="Int64"),
        },
        index=pandas.Index(["r1", "r2"], name="row"),
    )
    pandas.testing.assert_frame_equal(crossed(frame), frame)


@pytest.mark.parametrize(
    "frame",
    [
        pandas.DataFrame(),
        pandas.DataFrame({"a": [1, 2]}, index=pandas.MultiIndex.from_tuples([(1, "a"), (2, "b")], names=["n", "t"])),
        pandas.DataFrame([[1, 2], [3, 4]], columns=["same", "same"]),
        pandas.DataFrame({1: [1], ("a", "b"): [2]}),
        pandas.DataFrame({"a": [1, 2, 3]}).iloc[::2],
    ],
)
def test_an_unusual_frame_arrives_as_it_was(frame: Any) -> None:
    pandas.testing.assert_frame_equal(crossed(frame), frame)


def test_a_series_arrives_with_its_name_and_index() -> None:
    series = pandas.Series([1.0, None], index=pandas.date_range("2024-01-01", periods=2), name="rate")
    pandas.testing.assert_series_equal(crossed(series), series, check_freq=False)


@pytest.mark.parametrize(
    "moment",
    [
        pandas.Timestamp("2024-01-01 12:00:00.123456789"),
        pandas.Timestamp("2024-01-01", tz="Europe/Berlin"),
        pandas.Timedelta("1h"),
        *(pandas.Period("2024-05-17 08:09", freq) for freq in ("Y-MAR", "Q-DEC", "M", "2W-SUN", "D", "15min", "ns")),
        pandas.Interval(1, 2.5, closed="both"),
        pandas.Interval(pandas.Timestamp("2024-01-01", tz="UTC"), pandas.Timestamp("2024-01-02", tz="UTC")),
    ],
)
def test_a_moment_of_pandas_arrives_to_the_nanosecond(moment: Any) -> None:
    arrived = crossed(moment)
    assert arrived == moment
    assert type(arrived) is type(moment)


@pytest.mark.parametrize(
    "index",
    [
        pandas.period_range("2024-01", periods=3, freq="M", name="month"),
        pandas.PeriodIndex(["2024Q1", None], freq="Q-JAN"),
        pandas.interval_range(0, 3, closed="left"),
        pandas.IntervalIndex.from_tuples([(0.5, 1.0), None]),
        pandas.interval_range(pandas.Timestamp("2024-01-01", tz="Europe/Berlin"), periods=2),
        pandas.CategoricalIndex(pandas.cut([1, 2, 9], 2)),
    ],
    ids=lambda index: str(index.dtype),
)
def test_periods_and_intervals_arrive_as_an_index_a_column_and_categories(index: Any) -> None:
    series = pandas.Series(range(len(index)), index=index, name="n")
    pandas.testing.assert_series_equal(crossed(series), series, check_freq=False)
    frame = index.to_frame(index=False)
    pandas.testing.assert_frame_equal(crossed(frame), frame)


def test_a_period_counted_in_what_the_other_side_would_not_read_stays_where_it_is() -> None:
    with pytest.raises(Uncrossable, match="counted in '1440min'"):
        crossed(pandas.Period("2024", "1440min"))


PLUS_FIVE = datetime.timedelta(hours=5)
ODD_ZONES = (
    datetime.timezone(PLUS_FIVE, "IST"),
    datetime.timezone(PLUS_FIVE, "My Zone"),
    datetime.timezone(PLUS_FIVE, "Europe/Paris"),
    datetime.timezone(PLUS_FIVE + datetime.timedelta(seconds=30)),
    "dateutil/Europe/Berlin",
    dateutil_tz.tzoffset("somewhere", 3600),
    dateutil_tz.UTC,
)


@pytest.mark.parametrize("zone", ODD_ZONES, ids=str)
def test_a_time_in_an_odd_zone_arrives_with_its_offset_or_is_described(zone: Any) -> None:
    moment = pandas.Timestamp("2024-06-01 12:00", tz=zone)
    for value, of in (
        (moment, lambda arrived: arrived),
        (pandas.Series([moment]), lambda arrived: arrived[0]),
        (pandas.DatetimeIndex([moment]), lambda arrived: arrived[0]),
    ):
        try:
            arrived = of(crossed(value))
        except Uncrossable:
            assert type(unpack(pack(value, lossy=True), surrogates=False)) is Described
        else:
            assert (arrived, arrived.utcoffset()) == (moment, moment.utcoffset())


RULES = struct.pack(">4s16x6llBlbblbb8s", b"TZif", 0, 0, 0, 1, 2, 8, 0, 1, 0, 0, 0, 3600, 1, 4, b"AAA\0BBB\0")


def test_a_zone_by_a_name_of_its_owners_own_is_described() -> None:
    value = datetime.datetime(2024, 6, 1, tzinfo=ZoneInfo.from_file(BytesIO(RULES), key="My/Zone"))
    assert type(unpack(pack(value, lossy=True), surrogates=False)) is Described


def test_numbers_longer_than_pythons_and_arrays_of_many_dimensions_arrive() -> None:
    for value in (
        pandas.Series(numpy.zeros(2, "clongdouble")),
        numpy.zeros((1,) * (64 if numpy.__version__ >= "2" else 32)),
    ):
        arrived = unpack(pack(value, lossy=True), surrogates=False)
        assert (arrived.dtype, arrived.shape) == (value.dtype, value.shape)
    assert crossed(numpy.longdouble(1.5)) == 1.5


def test_what_is_missing_arrives_as_none() -> None:
    assert crossed([pandas.NA, pandas.NaT]) == [None, None]


@pytest.mark.parametrize("steps", [[0, 2**63 - 1, 1], [-1, 1_000_000, 1], [2**70, 2**70 + 1, 1], [2**70, 5, 2**70]])
def test_an_index_of_steps_no_honest_side_sends_is_refused(steps: list[int]) -> None:
    with pytest.raises(ProtocolError):
        unpack({0: "steps", 1: steps, 2: None})


@pytest.mark.parametrize(
    "tree",
    [
        {0: "index", 1: ["<f2", {0: "array", 1: "<f2", 2: [1], 3: bytes(2)}], 2: None},
        {0: "array", 1: "<U1", 2: [1], 3: b"\xff" * 4},
        {0: "array", 1: ">U1", 2: [1], 3: b"\x00\x11\x00\x00"},
        {0: "datetime", 1: "2020-01-01", 2: "Europe", 3: 0},
        {0: "timestamp", 1: {0: "array", 1: "<M8[ns]", 2: [], 3: bytes(8)}, 2: "Europe"},
        {0: "timestamp", 1: {0: "array", 1: "<M8", 2: [], 3: bytes(8)}, 2: None},
    ],
    ids=["half floats", "code points", "byte order", "zone", "moment", "no unit"],
)
def test_what_numpy_and_pandas_refuse_in_their_own_way_is_no_value(tree: Any) -> None:
    with pytest.raises(ProtocolError):
        unpack([tree])


def test_an_array_of_texts_crosses_whatever_its_order_of_bytes() -> None:
    for array in (numpy.array(["a", "\U0010ffff"]), numpy.array(["ab"], dtype=">U2"), numpy.array([], dtype="U3")):
        arrived = unpack(pack(array, lossy=True), surrogates=False)
        assert arrived.tolist() == array.tolist()


def test_an_array_of_lone_surrogates_stays_on_its_side_where_others_do() -> None:
    array = numpy.array(["a\ud800"])
    assert unpack(pack(array)).tolist() == ["a\ud800"]
    assert type(unpack(pack(array, lossy=True), surrogates=False)).__name__ == "Described"
    with pytest.raises(ProtocolError):
        unpack(pack(array), surrogates=False)
