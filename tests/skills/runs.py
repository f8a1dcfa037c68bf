"""Recorded runs over several domains."""

from __future__ import annotations

from tests.skills.figure_runs import FIGURES
from tests.skills.text_runs import TEXTS
from tests.skills.trade_runs import TRADE

RUNS = (*TRADE, *TEXTS, *FIGURES)
