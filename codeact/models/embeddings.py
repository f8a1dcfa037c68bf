"""Texts as vectors, by any embedding model litellm knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from codeact.errors import ModelError
from codeact.models.failures import translate
from codeact.models.provider import load

_SECONDS = 20.0
_BATCH = 100  # texts of one request; most providers take more, all take this


def embed(model: str, texts: Sequence[str], settings: Mapping[str, Any]) -> list[list[float]]:
    """One vector for each text; raises the `ModelError` that says what is wrong where there are none."""
    litellm = load()
    found: list[list[float]] = []
    for at in range(0, len(texts), _BATCH):
        batch = list(texts[at : at + _BATCH])
        try:
            reply = litellm.embedding(model=model, input=batch, **{"timeout": _SECONDS, "max_retries": 0, **settings})
            rows = sorted(reply.data, key=lambda row: row["index"])
            vectors = [[float(part) for part in row["embedding"]] for row in rows]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            needed = "a list of rows is needed, each with its index and its embedding, a list of numbers"
            raise ModelError(f"the embedding model {model} gave something else than vectors: {needed}") from error
        except Exception as error:
            raise translate(error, model, settings) from error
        if len(vectors) != len(batch) or len({len(vector) for vector in (*found[:1], *vectors)}) != 1:
            raise ModelError(
                f"the embedding model {model} gave {len(vectors)} vectors of unlike lengths for {len(batch)} texts"
            )
        found += vectors
    return found
