"""Whether an answer will do: of the type that was asked for, and past the checks the caller gave."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from codeact.errors import UsageError
from codeact.records import Described
from codeact.snippet.describe import describe
from codeact.toolbox.handed import NOT_AWAITED, is_begun
from codeact.toolbox.typenames import told, type_text
from codeact.wire.parts import PARTS
from codeact.wire.plain import Record
from codeact.wire.scalars import length

AnswerCheck = Callable[[Any], Any]

_REFUSED = "final_answer was refused: {reason} The run goes on: correct it and call final_answer again."


class Accept:
    """Judges answers, by the type that was asked for and by the checks of the caller."""

    def __init__(self, output_type: Any = None, checks: Sequence[AnswerCheck] = ()) -> None:
        self._adapter: Any = None
        self._looks_inside = False
        self._checks = tuple(checks)
        if output_type is not None:
            import pydantic

            from codeact.toolbox.checking import checker, looks_inside

            try:
                schema = pydantic.TypeAdapter(output_type).core_schema
                self._adapter, self._looks_inside = checker(schema), looks_inside(schema)
            except Exception as error:  # whatever is no type: a schema of JSON is a KeyError
                why = str(error).splitlines()[0][:300] if isinstance(error, pydantic.PydanticUserError) else ""
                said = f"a type is needed, such as list[int] or a model of pydantic{'; it says: ' if why else ''}{why}"
                raise UsageError(f"Agent(output_type={describe(output_type, 80)}): {said}") from error

    def __call__(self, answer: Any) -> tuple[Any, str]:
        """Give the answer as the type wants it, and the refusal: empty where it will do."""
        if left := next(_left_behind(answer), ""):
            return answer, _REFUSED.format(reason=f"{left}, and cannot leave the session: give plain data.")
        if self._adapter is not None or self._checks:
            answer = copy.deepcopy(answer)  # a check may change what it is given
        if self._adapter is not None:
            import pydantic

            if self._looks_inside and (items := _unlisted(answer)) > PARTS:
                return answer, _REFUSED.format(reason=f"it comes to {items:,} items, and {PARTS:,} are the most.")
            try:
                answer = self._adapter.validate_python(answer, by_name=True)
            except pydantic.ValidationError as error:
                return answer, _REFUSED.format(reason=_said(error))
        for check in self._checks:
            try:
                reason = check(answer)
            except Exception as error:  # a check may refuse by raising, an assert for example
                reason = str(error) or type(error).__name__
            if refused := _refusal(check, reason):
                return answer, _REFUSED.format(reason=f"{refused.rstrip('.')}.")
        return answer, ""


def wanted(output_type: Any) -> str:
    """Say what an answer has to be, as a model reads it; empty where anything will do."""
    if output_type is None:
        return ""
    return "\n\n".join(filter(None, (type_text(output_type), told({"value": output_type}, {}))))


def _refusal(check: AnswerCheck, said: Any) -> str:
    """Give the reason a check has against an answer, empty where it has none; UsageError where it says neither."""
    if said is None or isinstance(said, str):
        return said or ""
    name = getattr(check, "__name__", "given")
    if isinstance(said, bool) or (str(getattr(said, "dtype", "")) == "bool" and not said.shape):  # numpy's own
        return "" if said else f"the check {name!r} says no"
    told = NOT_AWAITED if is_begun(said) else "a reason against the answer as a text, None, True or False is needed"
    raise UsageError(f"the check {name!r} of final_answer_checks said {said!r:.80}: {told}")


def _left_behind(answer: Any, place: str = "the value") -> Iterator[str]:
    """Say what of an answer is only a description, because it could not leave the session."""
    if isinstance(answer, Described):
        yield f"{place} is of type {answer.type}: {answer.text:.100}"
    elif isinstance(answer, dict):
        for key, item in answer.items():
            yield from _left_behind(key, "a key of it")
            yield from _left_behind(item, f"its [{key!r:.40}]")
    elif isinstance(answer, Record):
        for name, item in vars(answer).items():
            yield from _left_behind(item, f"its {name}")
    elif isinstance(answer, list | tuple | set | frozenset):
        for index, item in enumerate(answer):
            yield from _left_behind(item, f"its [{index}]")


def _unlisted(answer: Any) -> int:
    """Count the items that ranges and arrays in an answer come to where lists are made of them."""
    if isinstance(answer, range):
        return length(answer)
    if isinstance(answer, dict):
        return sum(map(_unlisted, answer)) + sum(map(_unlisted, answer.values()))
    if isinstance(answer, list | tuple | set | frozenset):
        return sum(map(_unlisted, answer))
    if isinstance(answer, Record):
        return sum(map(_unlisted, vars(answer).values()))
    if type(answer).__module__.partition(".")[0] not in ("numpy", "pandas"):
        return 0
    inside = _unlisted(answer.tolist()) if str(getattr(answer, "dtype", "")) == "object" else 0
    return inside + int(getattr(answer, "size", 0))


def _said(error: Any) -> str:
    problems = error.errors(include_url=False, include_context=False)[:5]
    lines = [f"{'.'.join(map(str, problem['loc'])) or 'the value'}: {problem['msg']}" for problem in problems]
    return "; ".join(lines) + "."
