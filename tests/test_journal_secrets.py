"""Secrets stay out of journals."""

import json
import urllib.parse
from dataclasses import dataclass

import pytest

from codeact.journal import Journal, read
from codeact.journal.hidden import secrets_of


def test_secrets_of_the_environment_never_get_into_a_journal(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOP_API_KEY", 'sk-12"345678')
    path = tmp_path / "run.jsonl"
    with Journal.create(path, secrets={"given-by-hand": "api_key"}) as journal:
        journal.append(
            "call", result={'sk-12"345678': ['with sk-12"345678 inside', b'raw sk-12"345678', ("given-by-hand",)]}
        )
    written = path.read_text()
    assert "345678" not in written
    assert "given-by-hand" not in written
    assert "[SHOP_API_KEY: not recorded]" in written


@pytest.mark.parametrize(
    "name",
    [
        "API_KEY",
        "apiKey",
        "SSH_KEYS",
        "PGPASSWORD",
        "HF_TOKEN",
        "tokenOfMine",
        "X-Auth",
        "OPENAI_APIKEY",
        "KEY2",
        "SECRETS",
    ],
)
def test_a_word_that_names_a_secret_is_recognised(name):
    assert secrets_of({name: "12345678"})


@pytest.mark.parametrize("name", ["GIT_AUTHOR_NAME", "KEYBOARD", "TOKENIZERS_PARALLELISM", "authority", "EDITOR"])
def test_a_word_that_only_begins_as_one_is_none(name):
    assert not secrets_of({name: "12345678"})


def test_a_line_names_the_secrets_that_were_left_out_of_it(tmp_path):
    with Journal.create(tmp_path / "run.jsonl", secrets={"s3cr3t-word": "WORD"}) as journal:
        journal.append("step", text="it is s3cr3t-word")
        journal.append("step", text="it is none")
    assert [entry.not_recorded for entry in read(tmp_path / "run.jsonl").entries] == [("WORD",), ()]


def test_secrets_are_found_in_settings_and_in_headers_within_them():
    settings = {"api_key": "sk-123456", "temperature": 1, "seed": "12345678"}
    settings["extra_headers"] = {"Authorization": "Bearer 123"}
    assert secrets_of(settings) == {"sk-123456": "api_key", "Bearer 123": "Authorization"}


def test_a_dataclass_that_holds_a_secret_is_recorded_by_its_fields_without_it(tmp_path):
    @dataclass
    class Login:
        user: str
        word: str

    with Journal.create(tmp_path / "run.jsonl", secrets={"ganz-geheim-ü": "WORD"}) as journal:
        journal.append("answer", value=Login("me", "ganz-geheim-ü"))
    assert read(tmp_path / "run.jsonl").entries[0]["value"] == {"user": "me", "word": "[WORD: not recorded]"}


def test_a_secret_is_recognised_however_it_is_written(tmp_path):
    secret = "pa\"s's\\w\nörd/99"
    ways = [
        repr(secret), repr([secret]), repr({"b": secret.encode()}), ascii(secret), json.dumps(secret),
        json.dumps({"x": secret}, ensure_ascii=False), f"https://x.y/?k={urllib.parse.quote_plus(secret)}", f"'{secret}'",
    ]  # fmt: skip
    with Journal.create(tmp_path / "run.jsonl", secrets={secret: "key"}) as journal:
        for way in ways:
            journal.append("step", text=way, value={way: [way]})
    for entry in read(tmp_path / "run.jsonl").of("step"):
        assert "99" not in entry["text"]
        assert "99" not in repr(entry["value"])


@pytest.mark.parametrize("secret", ["p\udce4ssw\udcf6rter", "half a pair \ud83d"])
def test_secrets_that_are_no_text_stay_out_as_well(secret, tmp_path, monkeypatch):
    path = tmp_path / "run.jsonl"
    monkeypatch.setenv("PGPASSWORD", "p\udce4ssw\udcf6rter")
    with Journal.create(path, secrets={secret: "given"}) as journal:
        journal.append("call", result=[secret, f"with {secret} inside", repr(b"p\xe4ssw\xf6rter"), "p%E4ssw%F6rter"])
    written = path.read_text()

    assert "rter" not in written
    assert "half a pair" not in written
