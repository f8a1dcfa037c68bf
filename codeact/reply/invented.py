"""Where a model begins to invent what only a run can tell: its own observation, output, or next user turn."""

from __future__ import annotations

import re

from codeact.reply.repair import parse, repaired

_OBSERVED = (
    "observations?", "outputs?", "results?", "response", "stdout", "execution logs?",
    "last output from code snippet",
    r"(?:execution|tool|code|program|expected|console|python|actual|sample)[ _](?:results?|outputs?|response)",
    "beobachtung", "ausgabe", "ergebnis", "observación", "salida", "resultado", "observação", "saída",
    "résultat", "sortie", "osservazione", "uscita", "risultato", "наблюдение", "результат", "вывод",
    "观察(?:结果)?", "輸出", "输出", "结果", "执行结果", "運行結果", "运行结果", "観察", "出力", "結果", "実行結果",
    "관찰", "출력", "결과",
)  # fmt: skip
_SPEAKERS = ("user", "human", "assistant", "system")
_TAGS = (
    "observation", "output", "result", "execution_result", "execution_results", "execution_output", "tool_response",
    "tool_result", "tool_output", "function_results?", "stdout", "user",
)  # fmt: skip
_LINE = re.compile(
    r"^[ \t>#*_]*(?:"
    rf"(?:{'|'.join(_OBSERVED)}|{'|'.join(_SPEAKERS)}|out ?\[\d*\])"
    r"(?:[ \t]*\([^)\n]*\))?[*_]*[ \t]*[:\uff1a][*_]*"
    r"|(?:observation|output|result|execution result)[*_]*[ \t]*$"
    rf"|</?(?:{'|'.join(_TAGS)})>"
    r"|\[/?(?:INST|observation|output|TOOL_RESULTS)\]"
    r"|`{3,}[ \t]*(?:output|stdout|text|console_output|tool_outputs?)[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)


def invented_from(text: str, start: int = 0) -> int | None:
    """Give where, from `start` on, the invented part begins; None where there is none."""
    found = _LINE.search(text, start)
    return None if found is None else found.start()


def until_invented(source: str) -> str:
    """Give unclosed code up to where the model begins to invent its output; a line inside a string is none."""
    for found in _LINE.finditer(source, 1):
        if source[: found.start()].strip() and parse(repaired(source[: found.start()])) is not None:
            return source[: found.start()]
    return source
