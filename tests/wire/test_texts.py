"""What crosses as a text: identifiers, addresses, paths, and time zones by their names."""

from __future__ import annotations

import datetime
import uuid
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pydantic
import pytest

from codeact.errors import ProtocolError
from codeact.records import Described
from codeact.wire.parts import Uncrossable
from codeact.wire.values import pack, unpack

TEXTS = [
    uuid.UUID(int=1 << 100), Path("a/b.csv"), Path("/"), Path("a\udcff"), PurePosixPath("a"), PureWindowsPath("c:\\x"),
    IPv4Address("10.0.0.1"), IPv4Network("10.0.0.0/8"), IPv4Interface("10.0.0.1/8"),
    IPv6Address("fe80::1%eth0"), IPv6Network("2001:db8::/32"), IPv6Interface("2001:db8::1/32"),
    datetime.UTC, datetime.timezone(datetime.timedelta(hours=-3)), ZoneInfo("Europe/Berlin"),
    {uuid.UUID(int=1): [Path("a")], Path("b"): {Path("c")}},
]  # fmt: skip


@pytest.mark.parametrize("value", TEXTS, ids=ascii)
def test_what_is_written_as_a_text_arrives_equal_and_of_the_same_type(value: object) -> None:
    arrived = unpack(pack(value))
    assert arrived == value
    assert type(arrived) is type(value)


def test_the_side_a_value_arrives_at_says_what_its_class_is() -> None:
    assert unpack(pack(Path("a")), module=lambda name: SimpleNamespace(Path=f"{name}: {{}}".format)) == "pathlib: a"


class Key(uuid.UUID):
    """As drivers of databases have their own."""


def test_a_class_of_a_library_arrives_as_what_it_descends_from() -> None:
    arrived = unpack(pack(Key(int=1)))
    assert (type(arrived), arrived) == (uuid.UUID, uuid.UUID(int=1))


def test_a_path_that_is_no_text_is_described_to_whoever_is_handed_it() -> None:
    assert unpack(pack([Path("a\udcff")], lossy=True)) == [Described("PosixPath", "PosixPath('a\\udcff')")]


class Loud(int):
    def to_bytes(self, *arguments: object, **settings: object) -> bytes:
        raise AssertionError("its own code ran")


def test_what_an_address_holds_of_a_snippets_own_is_not_asked_for_its_text() -> None:
    address = IPv4Address(0)
    address._ip = Loud(5)
    with pytest.raises(Uncrossable, match="more than a text"):
        pack(address)


@pytest.mark.parametrize(
    "tree",
    [
        {0: "written", 1: "PosixPath", 2: "a"},
        {0: "written", 1: "os", 2: "a"},
        {0: "written", 1: "UUID", 2: "no identifier"},
        {0: "written", 1: "UUID", 2: 5},
        {0: "written", 1: "Path", 2: "a" * 5000},
        {0: "written", 1: ["Path"], 2: "a"},
        {0: "zone", 1: "../../etc/passwd"},
        [{0: "written", 1: "IPv6Interface", 2: "::1/64"}] * 100_000,
    ],
    ids=range(8),
)
def test_what_no_value_is_written_as_breaks_the_protocol(tree: object) -> None:
    with pytest.raises(ProtocolError):
        unpack(tree)


@pytest.mark.parametrize("kind", [pydantic.HttpUrl, pydantic.AnyUrl, pydantic.PostgresDsn])
def test_an_address_of_pydantic_arrives_as_its_text(kind: Any) -> None:
    address = kind(
        "postgres://user@pear.example/fruit" if kind is pydantic.PostgresDsn else "http://pear.example/fruit"
    )
    assert unpack(pack({"at": address})) == {"at": str(address)}
