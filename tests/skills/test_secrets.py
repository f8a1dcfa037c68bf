"""Secrets are recognised by their shape and by the names they are given; what only looks like data is let through."""

from __future__ import annotations

import json
import random
import string

import pytest

from codeact.skills.encoding import encode
from codeact.skills.secrets import find, find_in_code, find_in_recording

_RANDOM = random.Random(7)


def _line(value: object) -> str:
    return json.dumps(encode(value))


def _of(letters: str, count: int) -> str:
    """Letters by chance: no real secret stands in these tests, and none that scanners would take for one."""
    return "".join(_RANDOM.choice(letters) for _ in range(count))


ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
TEXTS = {
    "AWS": "AKIA" + _of(string.ascii_uppercase, 16),
    "OpenAI": "sk-" + "proj-" + _of(ALNUM, 40),
    "Stripe": "sk_" + "live_" + _of(ALNUM, 24),
    "Stripe webhook": "whsec" + "_" + _of(ALNUM, 32),
    "GitHub": "ghp" + "_" + _of(ALNUM, 36),
    "GitHub fine-grained": "github" + "_pat_" + _of(ALNUM, 60),
    "GitLab": "glpat" + "-" + _of(ALNUM, 20),
    "Slack": "xoxb" + "-" + _of(string.digits, 12) + "-" + _of(ALNUM, 24),
    "Slack app": "xapp" + "-1-" + _of(ALNUM, 24),
    "Slack webhook": "https://hooks.slack.com/services/T" + _of(ALNUM, 8) + "/B" + _of(ALNUM, 8) + "/" + _of(ALNUM, 24),
    "Google": "AIza" + _of(ALNUM, 35),
    "Google client": "GOCSPX" + "-" + _of(ALNUM, 28),
    "Azure storage": "DefaultEndpointsProtocol=https;AccountName=me;AccountKey=" + _of(ALNUM, 86) + "==",
    "Azure bus": "Endpoint=sb://me.example.org/;SharedAccessKey=" + _of(ALNUM, 43) + "=",
    "Azure link": "https://me.example.org/box?sv=2024-01-01&sig=" + _of(ALNUM, 43) + "%3D",
    "Azure client": "abc8Q~" + _of(ALNUM, 34),
    "npm": "npm" + "_" + _of(ALNUM, 36),
    "SendGrid": "SG." + _of(ALNUM, 22) + "." + _of(ALNUM, 43),
    "private key": "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIE",
    "private key of mail": "-----BEGIN " + "PGP PRIVATE KEY BLOCK-----\n",
    "JWT": "eyJ" + _of(ALNUM, 20) + ".eyJ" + _of(ALNUM, 30) + "." + _of(ALNUM, 43),
    "bearer": "Authorization: Bearer " + _of(ALNUM, 20) + "7",
    "basic": "Authorization: Basic " + _of(ALNUM, 20),
    "address": "postgresql://me:s3cr3t-word@example.org/shop",
    "address without a user": "redis://:s3cr3t-word@example.org:6379/0",
    "connection": "Server=db;User=me;Password=Tr0ub4dor;",
    "settings": "api_token: " + _of(HEX, 40),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_secret_is_known_by_its_shape_wherever_it_stands(text: str) -> None:
    assert find(f"use {text} for it")
    assert find_in_code(f"x = call({text!r})")
    assert find_in_recording(_line({"arguments": {"rows": [{"note": text}]}}))
    assert find_in_recording(_line({"files": {"notes.txt": f"line\n{text}\n".encode()}}))


@pytest.mark.parametrize(
    "code",
    [
        "password = 'hunter2-and-more!'",
        "password: str = 'hunter2-and-more!'",
        "connect(password='hunter2-and-more!')",
        "headers = {'X-Api-Key': 'aB3-xyz-1!'}",
        "user, password = 'me', 'hunter2-and-more!'",
        "me.password = settings['token'] = 'hunter2-and-more!'",
        "def f(a, *, password='hunter2-and-more!'): pass",
        "def f(a, password='hunter2-and-more!', b=2): pass",
        "f = lambda secret=b'hunter2-and-more!': secret",
        "ok = given_password == 'hunter2-and-more!'",
        "(secret := 'hunter2-and-more!')",
        f"signing_key_of_shop = {_of(HEX, 32)!r}",
        f"authToken = {_of(ALNUM, 40)!r}",
    ],
)
def test_a_secret_is_known_by_the_name_it_is_given(code: str) -> None:
    assert find_in_code(code)


@pytest.mark.parametrize("name", ["client_secret", "sessionToken", "X-Auth-Key"])
def test_a_senseless_text_under_a_telling_name_is_not_recorded(name: str) -> None:
    assert find_in_recording(_line({"arguments": {"settings": {name: _of(HEX, 64)}}}))
    assert find_in_recording(_line({"arguments": {name: [_of(ALNUM, 44)]}}))


@pytest.mark.parametrize(
    "value",
    [
        {"key": "customer_name_and_the_city_they_live_in"},
        {"tokens": ["Hello", "World", "antidisestablishmentarianism-is-long"]},
        {"author": _of(HEX, 40), "checksum": _of(HEX, 64), "public_key": _of(HEX, 64)},
        {"keyboard": _of(HEX, 32), "monkeys": _of(HEX, 32)},
        {"key": "0" * 40, "token": "A" * 40},
        {"url": "https://example.org/a:b@c?sort=key", "text": "the bearer of good news and certificates"},
        {"text": "password = secret", "note": "the password: see the safe", "sk": "sk-short"},
    ],
)
def test_what_only_looks_a_little_like_a_secret_is_let_through(value: object) -> None:
    assert find_in_recording(_line({"arguments": {"value": value}})) is None


@pytest.mark.parametrize("code", ["token = 'word'", "key = 'name'", "password = ''", "api_key = '<your key>'"])
def test_a_placeholder_is_no_secret(code: str) -> None:
    assert find_in_code(code) is None
