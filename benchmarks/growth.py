"""`make bench-skills`: a stream of recurring tasks with the library on, off, ungated, and with wrong skills planted.

The model is a script whose replies depend on what the prompt offers: where a stub with the words of the task is shown
it calls that, else (or where its answer is refused) it takes the long way. Its tokens are the characters of prompt and
reply by four. All libraries get the same tasks and the same budget for each. Inline: nothing here is about the cage.
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.kinds import KINDS, Kind, Task, stream
from benchmarks.rows import Row
from codeact import Agent, Budget, SkillLibrary
from codeact.records import Message, Reply, Run
from codeact.skills.meaning import meaning_of
from codeact.skills.record import Example, Skill
from codeact.testing import ScriptedModel

TASKS = 120
BUDGET = Budget(steps=8)
PLANTED = 4
WRONG = "a_quick_"  # what planted skills begin with: the prompt lists by name, so they come before what the runs made
_STUB = re.compile(r"def (\w+)\(([^\n]*)\) -> [^\n]*:\n    \"\"\"(.*?)\"\"\"")


@dataclass
class Tried:
    """What the stream came to with one library."""

    name: str
    steps: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    operations: list[int] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    skills: int = 0
    planted_left: int = 0
    seconds: float = 0.0


class Worker:
    """A model for one task: a shown skill that fits its words, else the long way."""

    def __init__(self, task: Task) -> None:
        self.task, self.turn, self.tried = task, 0, False

    def __call__(self, messages: Sequence[Message]) -> Reply:
        """The next reply."""
        shown = "\n".join(str(message.content) for message in messages)
        code = None if self.tried or self.turn else self._call(str(messages[0].content))
        self.tried = self.tried or code is not None
        if code is None:
            steps = self.task.kind.steps
            code = steps[min(self.turn, len(steps) - 1)].format(**self.task.values)
            self.turn += 1
        text = f"```python\n{code}\n```"
        return Reply(text, prompt_tokens=len(shown) // 4, completion_tokens=len(text) // 4, model="scripted")

    def _call(self, prompt: str) -> str | None:
        for name, parameters, words in _STUB.findall(prompt.partition("Skills are functions")[2]):
            if all(word in f"{name} {words}".lower() for word in self.task.kind.words):
                return f"final_answer({name}({self._arguments(parameters)}))"
        return None

    def _arguments(self, parameters: str) -> str:
        left = dict(self.task.values)
        passed = []
        for item in ast.parse(f"def f({parameters}): ...").body[0].args.args:  # type: ignore[attr-defined]  # a function
            if item.arg in self.task.inputs:
                passed.append(f"{item.arg}={item.arg}")
                continue
            kind = ast.unparse(item.annotation) if item.annotation is not None else ""
            fitting = item.arg if item.arg in left else next((n for n in left if type(left[n]).__name__ == kind), None)
            if fitting is not None:
                passed.append(f"{item.arg}={left.pop(fitting)!r}")
        return ", ".join(passed)


def go(name: str, tasks: list[Task], library: SkillLibrary | None, keep: Callable[[Run, Task], object], *,
       checked: Callable[[int], bool] = lambda number: True) -> Tried:  # fmt: skip
    """Work through the stream; `keep` is told each run, `checked` says which tasks come with a check of the answer."""
    tried, begun = Tried(name), time.perf_counter()
    for number, task in enumerate(tasks):
        checks = (
            [lambda answer, task=task: None if answer == task.truth else "this is wrong"] if checked(number) else []
        )
        agent = Agent(ScriptedModel(Worker(task)), skills=library, budget=BUDGET, isolation="inline", runs=None,
                      final_answer_checks=checks)  # fmt: skip
        run = agent.run(task.text, inputs=task.inputs)
        tried.steps.append(run.cost.steps)
        tried.tokens.append(run.cost.prompt_tokens + run.cost.completion_tokens)
        tried.operations.append(run.cost.operations)
        tried.right.append(run.ok and run.answer == task.truth)
        keep(run, task)
    if library is not None:
        cards = library.list()
        tried.skills = sum(card.state == "active" for card in cards)
        tried.planted_left = sum(card.state == "active" and card.name.startswith(WRONG) for card in cards)
    tried.seconds = time.perf_counter() - begun
    return tried


def put(library: SkillLibrary, name: str, words: str, code: str, example: Example) -> None:
    """Lay a skill into a library past the gate."""
    signature = ast.unparse(ast.parse(code).body[0]).split("\n")[0].removeprefix("def ").rstrip(":")
    skill = Skill(name, code, words, signature, meaning=meaning_of(code), tasks=(example.task,))
    with library.shelf.store.lock():
        library.shelf.refresh()
        if not (library.root / skill.folder).exists():
            library.shelf.put(skill, [example])


def ungated(library: SkillLibrary) -> Callable[[Run, Task], None]:
    """Keep the code of each kind's first run as it stands: a general sentence above, the values of that run within."""

    def keep(run: Run, task: Task) -> None:
        if run.ok and run.cost.steps > 1:
            body = "\n".join(step.format(**task.values) for step in task.kind.steps if "price" not in step)
            body = body.replace("p['salary']", "p['pay']").replace("final_answer(", "return (")
            head = f"def {task.kind.name}_answer({', '.join(task.inputs)}) -> object:"
            lines = "".join(f"    {line}\n" for line in body.split("\n"))
            code = f'{head}\n    """{task.kind.general}"""\n{lines}'
            put(
                library,
                f"{task.kind.name}_answer",
                task.kind.general,
                code,
                Example(task.inputs, (), run.answer, task.text),
            )

    return keep


def plant(library: SkillLibrary, kinds: Sequence[Kind]) -> None:
    """Lay wrong skills in, with words that fit and recorded uses that agree with the wrong code."""
    tasks = {task.kind.name: task for task in stream(len(KINDS), seed=9)}
    for kind in kinds:
        task = tasks[kind.name]
        takes = ", ".join([*task.inputs, *task.values])
        code = f'def {WRONG}{kind.name}({takes}) -> object:\n    """{kind.general}"""\n    return [0, "wrong"]\n'
        arguments = {**task.inputs, **task.values}
        put(library, f"{WRONG}{kind.name}", kind.general, code, Example(arguments, (), [0, "wrong"], task.text))


def all_tried(folder: Path, count: int = TASKS, without: Sequence[str] = ()) -> list[Tried]:
    """The stream with each library, but those left out."""
    tasks = stream(count)

    def library(name: str) -> SkillLibrary:
        return SkillLibrary(folder / name, accept=True, isolation="inline")

    def nothing(run: Run, task: Task) -> None:
        return None

    on, free, planted, half, never = (library(name) for name in ("on", "ungated", "planted", "half", "never"))
    for wrong in (planted, half, never):
        plant(wrong, KINDS[:PLANTED])
    streams: dict[str, Callable[[str], Tried]] = {
        "off": lambda name: go(name, tasks, None, nothing),
        "on": lambda name: go(name, tasks, on, lambda run, task: on.promote(run)),
        "ungated": lambda name: go(name, tasks, free, ungated(free)),
        "planted": lambda name: go(name, tasks, planted, lambda run, task: planted.promote(run)),
        "planted, every 2nd answer checked": lambda name: go(
            name, tasks, half, lambda run, task: half.promote(run), checked=lambda number: number % 2 == 0
        ),
        "planted, no answer checked": lambda name: go(
            name, tasks, never, lambda run, task: never.promote(run), checked=lambda number: False
        ),
    }
    return [tried(name) for name, tried in streams.items() if name not in without]


def measure(count: int = TASKS) -> list[Row]:
    """The rows for the table of all benchmarks."""
    return rows(_quietly(count))


def rows(tried: list[Tried]) -> list[Row]:
    """What each library came to, per task."""
    told = []
    for one in tried:
        count, note = len(one.right), f"{one.skills} skills in use, {one.planted_left} of them planted"
        told += [
            Row(f"skills {one.name}: steps per task", sum(one.steps) / count, "", note=note),
            Row(f"skills {one.name}: tokens per task", sum(one.tokens) / count, "tokens"),
            Row(f"skills {one.name}: operations per task", sum(one.operations) / count, ""),
            Row(f"skills {one.name}: tasks answered rightly", 100 * sum(one.right) / count, "%"),
        ]
    return told


def table(tried: list[Tried]) -> str:
    """What each library came to, for a document."""
    lines = ["| library | steps per task | tokens per task | operations per task | right | skills | planted left |",
             "|---|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
    for one in tried:
        count = len(one.right)
        means = [sum(what) / count for what in (one.steps, one.tokens, one.operations)]
        lines.append(
            f"| {one.name} | {means[0]:.2f} | {means[1]:,.0f} | {means[2]:,.0f} | {sum(one.right)} of {count} "
            f"| {one.skills} | {one.planted_left} |"
        )
    return "\n".join(lines)


def plot(tried: list[Tried], path: Path) -> None:
    """Draw the mean tokens of the last 20 tasks over the stream."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 3.2), dpi=90)
    for one in tried:
        means = [sum(one.tokens[max(0, at - 19) : at + 1]) / min(20, at + 1) for at in range(len(one.tokens))]
        axes.plot(means, label=one.name, linewidth=1.2)
    axes.set(xlabel="task", ylabel="tokens per task, mean of 20", ylim=(0, None))
    axes.legend(fontsize=7, frameon=False)
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def _quietly(count: int) -> list[Tried]:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # inline, which is said once
        return all_tried(Path(folder), count)


def main(arguments: list[str]) -> int:
    """Measure, print the table, draw the plot where a path is given; 1 where the gate did not pay."""
    tried = _quietly(TASKS)
    print(table(tried))
    if arguments:
        plot(tried, Path(arguments[0]))
    off, on, _, planted, half, _ = tried
    better = all(sum(one.tokens) < sum(off.tokens) and sum(one.steps) < sum(off.steps) for one in (on, planted, half))
    right = all(sum(one.right) >= sum(off.right) for one in (on, planted, half))
    return 0 if better and right and planted.planted_left + half.planted_left == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
