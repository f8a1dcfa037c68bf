"""Whether an answer will do: of the type that was asked for, and past the checks the caller gave."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from codeact.errors import UsageError
from codeact.records import Described

AnswerCheck = Callable[[Any], Any]

_REFUSED = "final_answer was refused: {reason} The run goes on: correct it and call final_answer again."


class Accept:
    """Judges answers: called with one, it gives what the model is told where the answer will not do, else None."""

    def __init__(self, output_type: Any = None, checks: Sequence[AnswerCheck] = ()) -> None:
        self._adapter: Any = None
        self._checks = tuple(checks)
        if output_type is not None:
            import pydantic

            try:
                self._adapter = pydantic.TypeAdapter(output_type)
            except pydantic.errors.PydanticSchemaGenerationError as error:
                raise UsageError(f"Agent(output_type={output_type!r}): pydantic cannot check this type") from error

    def __call__(self, answer: Any) -> tuple[Any, str]:
        """Give the answer as the type wants it, and the refusal: empty where it will do."""
        if left := next(_left_behind(answer), ""):
            return answer, _REFUSED.format(reason=f"{left}, and cannot leave the session: give plain data.")
        if self._adapter is not None or self._checks:
            answer = copy.deepcopy(answer)  # a check may change what it is given
        if self._adapter is not None:
            import pydantic

            try:
                answer = self._adapter.validate_python(answer)
            except pydantic.ValidationError as error:
                return answer, _REFUSED.format(reason=_said(error))
        for check in self._checks:
            try:
                reason = check(answer)
            except Exception as error:  # a check may refuse by raising, an assert for example
                reason = str(error) or type(error).__name__
            if isinstance(reason, str) and reason:
                return answer, _REFUSED.format(reason=f"{reason.rstrip('.')}.")
            if reason is False:
                return answer, _REFUSED.format(reason=f"the check {getattr(check, '__name__', 'given')!r} says no.")
        return answer, ""


def _left_behind(answer: Any, place: str = "the value") -> Iterator[str]:
    """Say what of an answer is only a description, because it could not leave the session."""
    if isinstance(answer, Described):
        yield f"{place} is a {answer.type}, {answer.text:.100}"
    elif isinstance(answer, dict):
        for key, item in answer.items():
            yield from _left_behind(item, f"its [{key!r:.40}]")
    elif isinstance(answer, list | tuple | set | frozenset):
        for index, item in enumerate(answer):
            yield from _left_behind(item, f"its [{index}]")


def _said(error: Any) -> str:
    problems = error.errors(include_url=False, include_context=False)[:5]
    lines = [f"{'.'.join(map(str, problem['loc'])) or 'the value'}: {problem['msg']}" for problem in problems]
    return "; ".join(lines) + "."
