"""What logs and warnings tell, in plain CPython and in ours: the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "the lines warnings are from": """
import warnings
def old():
    warnings.warn("old", DeprecationWarning, stacklevel=2)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    old()
    [warnings.warn("here") for _ in range(2)]
    warnings.warn_explicit("told", UserWarning, "file.py", 33)
    warnings.warn_explicit(RuntimeWarning("own"), None, "file.py", 34)
[(str(one.message), one.category.__name__, one.lineno) for one in seen]
""",
    "levels of a program's own": """
import io, logging
logging.addLevelName(5, "TRACE")
class Traced(logging.LoggerAdapter):
    def trace(self, text, *values): self.log(5, text, *values)
text = io.StringIO()
handler = logging.StreamHandler(text)
handler.setFormatter(logging.Formatter("%(levelname)s:%(levelno)d:%(message)s"))
log = logging.getLogger("levels of its own")
log.addHandler(handler)
log.propagate = False
log.setLevel("TRACE")
Traced(log, {}).trace("hi %d", 1), log.log(7, "odd"), print(log.level, log.getEffectiveLevel(), text.getvalue())
print(logging.getLevelName(5), logging.getLevelName("TRACE"), logging.getLevelNamesMapping()["TRACE"], log)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_told_what_it_is_told_in_cpython(name: str) -> None:
    ours, failure = in_ours(PROGRAMS[name])
    assert failure is None
    assert ours == in_cpython(PROGRAMS[name])
