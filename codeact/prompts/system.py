"""The system prompt: what the model must know, said once; the same for every step of a run."""

from __future__ import annotations

from collections.abc import Sequence

# Past this many characters of stubs the tools are found by searching instead of being listed.
LISTED_CHARS = 6_000

_RULES = """\
You solve tasks by writing Python. Reply with a short thought and one ```python block. It is run for you, and you are \
shown what it printed and the value of its last expression; then you go on. Never write that output yourself.

- Variables, functions and imports stay between your blocks. Do not repeat work that succeeded.
- Do as much as is certain in one block: compose tools, loop, compute. Print what you need to decide the next step.
- When you have the answer, call final_answer(value), in the same block where you compute it if you can.
- A task that needs no code is answered with plain text.
- After an error, read it, and change the part that failed.
- Files are in the working folder; write there too. Figures saved there as PNG are shown to the user."""

_IMPORTS = (
    "Importable: the harmless part of the standard library{more}. Other imports are refused; the message says why."
)

_TOOLS = """\
Tools are functions that are already defined; `f.map(items)` calls one for each item in parallel and keeps the order.

```python
{stubs}
```"""

_MANY = """\
{count:,} tools are defined as functions. `print(search_tools("what it should do"))` shows the signatures that fit; \
`f.map(items)` calls one for each item in parallel and keeps the order."""

_SKILLS = """\
Skills are functions that solved tasks like this before, tested; prefer them where they fit. \
`print(search_skills("what it should do"))` finds more, `print(show_skill("name"))` shows one.

```python
{stubs}
```"""


def system_prompt(
    tools: Sequence[str], *, skills: str = "", imports: Sequence[str] = (), instructions: str = ""
) -> str:
    """Give the system prompt for tools and skills given as stubs; `instructions` are the user's own words."""
    more = f", {', '.join(sorted(imports))}" if imports else ""
    parts = [_RULES, _IMPORTS.format(more=more)]
    if tools:
        listed = "\n".join(sorted(tools))
        parts.append(_TOOLS.format(stubs=listed) if are_listed(tools) else _MANY.format(count=len(tools)))
    if skills:
        parts.append(_SKILLS.format(stubs=skills))
    if instructions.strip():
        parts.append(instructions.strip())
    return "\n\n".join(parts)


def are_listed(tools: Sequence[str]) -> bool:
    """Tell whether the stubs are few enough to stand in the prompt."""
    return sum(len(stub) for stub in tools) <= LISTED_CHARS
