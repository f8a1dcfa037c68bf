"""Steps in, messages out, within a token budget: what no longer fits is shortened by rule, and said so.

The beginning of the messages stays the same from step to step, so that providers can cache it. When the budget is
passed, the oldest observations are shortened, and where that is not enough the oldest replies, until a good part of it
is free again, not one at each step. Of a run that is longer still the oldest steps are left out, all but its plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from codeact.records import Image, Message

CHARS_PER_TOKEN = 3.5  # code and English; what the provider reports corrects it
_FREE_SHARE = 0.4  # of the budget that is free again after shortening
_HEAD_CHARS, _TAIL_CHARS = 600, 300
_LONGEST_REPLY_CHARS = 40_000


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange as remembered: what the model said and what it was shown for it."""

    step: int
    said: str
    shown: str
    images: tuple[Image, ...] = ()


class Memory:
    """What the model is told at the next step."""

    def __init__(self, system: str, task: str, *, token_budget: int, images: Sequence[Image] = ()) -> None:
        self._opening = (Message("system", system), Message("user", task, tuple(images)))
        self._turns: list[Turn] = []
        self._token_budget = token_budget
        self._chars_per_token = CHARS_PER_TOKEN
        self._note = ""
        self._left_out = 0  # the last step of those that are left out

    def remember(self, step: int, said: str, shown: str, images: Sequence[Image] = ()) -> None:
        """Add one exchange."""
        said = shortened(said, _LONGEST_REPLY_CHARS // 2, _LONGEST_REPLY_CHARS // 2, "the reply")
        self._turns.append(Turn(step, said or "(nothing)", shown, tuple(images)))

    def note(self, text: str) -> None:
        """Add a sentence to what the model is shown next."""
        self._note = f"{self._note}\n\n{text}".strip()

    def messages(self) -> tuple[Message, ...]:
        """Give the messages for the next question; a note is given once, with the last of them."""
        messages = [*self._beginning()]
        for turn in self._turns:
            messages += [Message("assistant", turn.said), Message("user", turn.shown, turn.images)]
        if self._note:
            last = messages[-1]
            messages[-1] = replace(last, content=f"{last.content}\n\n{self._note}")
            if self._turns:  # said once, it stays: the beginning of the messages must not change
                self._turns[-1] = replace(self._turns[-1], shown=messages[-1].content)
            else:
                self._opening = (self._opening[0], messages[-1])
            self._note = ""
        return tuple(messages)

    def learn(self, prompt_tokens: int) -> None:
        """Take what the provider counted for the last messages as the measure of the next."""
        chars = self._chars()
        if prompt_tokens > 100 and chars:
            self._chars_per_token = min(6.0, max(1.0, chars / prompt_tokens))

    def fit(self) -> tuple[int, ...]:
        """Shorten the oldest observations, then replies, where the budget is passed; gives the steps."""
        if self._tokens() <= self._token_budget:
            return ()
        return self._shrink(self._token_budget * (1 - _FREE_SHARE))

    def shrink(self) -> tuple[int, ...]:
        """Halve what is sent, because the provider says that it does not fit its window."""
        self._token_budget = max(1_000, int(self._tokens() * 0.6))
        return self._shrink(self._token_budget * 0.8, keep_last=False)

    def _shrink(self, tokens: float, *, keep_last: bool = True) -> tuple[int, ...]:
        done = set()
        for shorter in (_shown_less, _said_less):  # what the model wrote itself goes last
            for index, turn in enumerate(self._turns[:-1] if keep_last else self._turns):
                if self._tokens() <= tokens:
                    break
                if (less := shorter(turn)) != turn:
                    self._turns[index] = less
                    done.add(turn.step)
        if self._tokens() > self._token_budget:
            done |= self._leave_out(tokens)
        return tuple(sorted(done))

    def _leave_out(self, tokens: float) -> set[int]:
        """Leave the oldest steps out, but for a plan, which is step 0, and the last one."""
        oldest, done = int(self._turns[:1] != [] and self._turns[0].step == 0), set[int]()
        while len(self._turns) > oldest + 1 and self._tokens() > tokens:
            self._left_out = self._turns.pop(oldest).step
            done.add(self._left_out)
        return done

    def _beginning(self) -> tuple[Message, Message]:
        system, task = self._opening
        if not self._left_out:
            return self._opening
        said = f"[Steps 1 to {self._left_out} are left out here; the variables still hold what they assigned.]"
        return system, replace(task, content=f"{task.content}\n\n{said}")

    def _chars(self) -> int:
        return sum(len(message.content) for message in self._beginning()) + sum(
            len(turn.said) + len(turn.shown) for turn in self._turns
        )

    def _tokens(self) -> float:
        pictures = sum(len(turn.images) for turn in self._turns) + len(self._opening[1].images)
        return self._chars() / self._chars_per_token + 1_000 * pictures


def _shown_less(turn: Turn) -> Turn:
    text = shortened(turn.shown, _HEAD_CHARS, _TAIL_CHARS, f"step {turn.step}'s output")
    pictures = "".join(f"\n[picture {image.name} is no longer shown]" for image in turn.images)
    return replace(turn, shown=text + pictures, images=())


def _said_less(turn: Turn) -> Turn:
    return replace(turn, said=shortened(turn.said, _HEAD_CHARS, _TAIL_CHARS, f"step {turn.step}'s reply"))


def shortened(text: str, head: int, tail: int, what: str) -> str:
    """Give the beginning and the end of a long text, cut between lines or words, with what was left out said."""
    if len(text) <= head + tail + 200:
        return text
    first, last = _cut(text[:head]), _cut(text[-tail:][::-1])[::-1]
    left_out = len(text) - len(first) - len(last)
    said = f"[… {left_out:,} characters of {what} left out; the variables still hold the values: print what you need …]"
    return f"{first}\n{said}\n{last}"


def _cut(text: str) -> str:
    """Give the text up to its last line end, or where that is far, its last space."""
    for sign in ("\n", " "):
        at = text.rfind(sign)
        if at >= len(text) // 2:
            return text[:at]
    return text
