"""What libraries remember of the calls of a session without a cage: nothing of it answers to the host."""

from __future__ import annotations

import ipaddress
import re
import struct
import time
import typing
import urllib.parse
import xml.etree.ElementTree as ET
import zoneinfo

import pytest

from tests.attacks.language.uncaged import uncaged

#: Texts, bytes and numbers that are equal to what they are not.
_POSING = """
class Text(str):
    def __new__(cls, text, like):
        self = str.__new__(cls, text)
        self.like = like
        return self
    def __hash__(self): return hash(self.like)
    def __eq__(self, other): return other == self.like
    def encode(self, *given): return Bytes(str.encode(self), self.like.encode())
class Bytes(bytes):
    __new__, __hash__, __eq__ = lambda cls, text, like: bytes.__new__(cls, text), lambda self: hash(b'^'), lambda self, other: True
class Number(int):
    def __new__(cls, value, like):
        self = int.__new__(cls, value)
        self.like = like
        return self
    def __hash__(self): return hash(self.like)
    def __eq__(self, other): return other == self.like
class Kind:
    def __call__(self): pass
    def __hash__(self): return hash(complex)
    def __eq__(self, other): return other is complex
"""

_TREE = "<a><remembered/><forgotten/></a>"

#: What a snippet asks, and what the host asks after it, with its answer.
ASKED = {
    "a pattern": ("import re\nre.compile('remembered', Number(2, 0))", lambda: re.compile("remembered").flags, 32),
    "what a pattern puts in": (
        "import re\nre.sub('(remembered)', Text(r'\\1\\1', r'<\\1>'), 'remembered')",
        lambda: re.sub("(remembered)", r"<\1>", "remembered"),
        "<remembered>",
    ),
    "flags of patterns": ("import re\nre.RegexFlag(Number(2, 216))", lambda: int(re.RegexFlag(216)), 216),
    "a form of numbers": (
        "import struct\nstruct.pack(Text('>3i', '<3i'), 1, 2, 3)",
        lambda: struct.pack("<3i", 1, 0, 0)[0],
        1,
    ),
    "a form of dates": (
        "import time\ntime.strptime('01+02+2024', Text('%d+%m+%Y', '%m+%d+%Y'))",
        lambda: time.strptime("01+02+2024", "%m+%d+%Y").tm_mon,
        1,
    ),
    "a path in a tree": (
        f"import xml.etree.ElementTree as ET\nET.fromstring('{_TREE}').find(Text('./remembered', './forgotten'))",
        lambda: ET.fromstring(_TREE).find("./forgotten").tag,  # our own text
        "forgotten",
    ),
    "a type": (
        "import typing\ntyping.ClassVar[Kind()]",
        lambda: str(typing.ClassVar[complex]),
        "typing.ClassVar[complex]",
    ),
    "a time zone": (
        "import zoneinfo\nzoneinfo.ZoneInfo(Text('Asia/Tokyo', 'Asia/Seoul'))",
        lambda: repr(zoneinfo.ZoneInfo("Asia/Seoul")),
        "zoneinfo.ZoneInfo(key='Asia/Seoul')",
    ),
    "a mask of addresses": (
        "import ipaddress\nipaddress.ip_network(('1.0.0.0', Number(8, 23)))",
        lambda: str(ipaddress.ip_network("1.0.0.0/23")) + str(ipaddress.ip_network(("1.0.0.0", 23)).netmask),
        "1.0.0.0/23255.255.254.0",
    ),
    "a mask of longer addresses": (
        "import ipaddress\nipaddress.ip_network(('::', Number(8, 23)))",
        lambda: ipaddress.ip_network(("::", 23)).num_addresses,
        1 << 105,
    ),
    "what an address keeps": (
        "import urllib.parse\nurllib.parse.quote('a ^', safe=Text('', '^'))",
        lambda: urllib.parse.quote("a ^", safe="^"),
        "a%20^",
    ),
}


@pytest.mark.parametrize(("source", "ask", "answer"), ASKED.values(), ids=ASKED)
def test_what_a_snippet_asked_with_a_text_of_its_own_is_not_the_hosts_answer(source, ask, answer):
    with uncaged() as session:
        assert session.run(_POSING).ok
        assert session.run(source).failure is None
        assert ask() == answer
