"""`email`, `mimetypes`, `plistlib`, `wave`, `sched` and `tokenize`: nothing is planted in them, and no file elsewhere is read."""

from __future__ import annotations

import logging
import random
from email import contentmanager, policy

import pytest

from tests.snippet.running import Step

BEFORE = """
import copy, email, email.policy, email.message, json, operator, plistlib, sched, wave, weakref
message = email.message_from_string("Subject: x\\nTo: A <a@b.c>\\n\\nbody", policy=email.policy.default)
default = email.policy.default
class Own(email.policy.EmailPolicy):
    def of_itself(self): return self.header_factory
    def of_super(self): return super().content_manager
"""

HELD_FOR_ALL = {
    "an attribute": "default.content_manager.get_handlers.clear()",
    "by name": "getattr(default, 'header_factory').registry.clear()",
    "of the class": "email.policy.EmailPolicy.content_manager",
    "of a message": "message.policy.header_factory",
    "by a getter": "operator.attrgetter('header_factory.registry')(default)",
    "by a format": "'{0.content_manager}'.format(default)",
    "by a pattern": "match default:\n    case email.policy.EmailPolicy(content_manager=held): held",
    "of a class of one's own": "Own().of_itself()",
    "by super": "Own().of_super()",
    "through a proxy": "p = Own()\nweakref.proxy(p).content_manager",
    "of a copy": "copy.copy(default).header_factory",
}


@pytest.mark.parametrize("source", HELD_FOR_ALL.values(), ids=HELD_FOR_ALL)
def test_what_a_policy_holds_for_all_messages_is_out_of_reach(source):
    before = dict(contentmanager.raw_data_manager.get_handlers), dict(policy.default.header_factory.registry)
    failure = Step(check_first=False).run(BEFORE + source).failure
    assert failure is not None
    assert failure.kind == "refused"
    assert before == (contentmanager.raw_data_manager.get_handlers, policy.default.header_factory.registry)


STORED = {
    "on a policy": "default.max_line_length = 3",
    "on a policy, by the class of all": "object.__setattr__(default, 'max_line_length', 3)",
    "on the class of policies": "email.policy.EmailPolicy.max_line_length = 3",
    "on the class of messages": "email.message.Message.get = print",
    "on the class of a header": "type(message['to']).name = 3",
    "by a method of messages": "email.message.Message.set_default_type(json.JSONEncoder, 'x')",
    "a policy that is set up anew": "email.policy.EmailPolicy.__init__(default, max_line_length=3)",
    "by what is parsed": "p = email.parser.FeedParser(lambda policy: json.JSONEncoder)\np.feed('a')\np.close()",
    "private parts": "message._headers",
    "a sequence that counts": "class A(type(message['to'])):\n    def __index__(self): return 5",
}


@pytest.mark.parametrize("source", STORED.values(), ids=STORED)
def test_nothing_is_stored_on_what_messages_share(source):
    assert Step(check_first=False).run(BEFORE + source).failure is not None
    assert policy.default.max_line_length == 78


ELSEWHERE = {
    "sound": "wave.open('/etc/passwd')",
    "sound, by its class": "wave.Wave_read('/etc/passwd')",
    "sound, by the class of an object": "type(wave.open('a.wav', 'w'))('/tmp/elsewhere.wav')",
    "kinds of files": "import mimetypes\nmimetypes.init(['/etc/passwd'])",
    "kinds of files, by the class": "import mimetypes\nmimetypes.MimeTypes(['/etc/passwd'])",
    "kinds of files, by a method": "import mimetypes\nmimetypes.guess_type.__self__.read('/etc/passwd')",
    "a source": "import tokenize\ntokenize.open('/etc/passwd')",
}


@pytest.mark.parametrize("source", ELSEWHERE.values(), ids=ELSEWHERE)
def test_no_file_elsewhere_is_opened(source):
    assert Step(check_first=False).run(BEFORE + source).failure is not None


def test_a_message_tells_nothing_of_the_machine_and_takes_its_chance_from_the_session(capfd):
    random.seed(1)
    expected = random.Random(1).random()
    source = "import random, email.utils\nrandom.seed(5)\nm = email.message.EmailMessage()\nm.set_content('a')\nm.add_attachment('b')\n"
    both = [Step(check_first=False).run(BEFORE + source + "m.as_string()").value for _ in range(2)]
    assert both[0] == both[1]
    assert random.random() == expected
    step = Step(check_first=False)
    assert "@localhost>" in str(step.run("import email.utils\nemail.utils.make_msgid()").value)
    assert step.run(BEFORE + "type(message['to']).value_parser('a@b').pprint()").failure is None
    assert "AddressList" in step.printed
    assert capfd.readouterr() == ("", "")


def test_kinds_of_files_are_those_of_one_session():
    step = Step(check_first=False)
    source = "import mimetypes\nmimetypes.init()\nmimetypes.add_type('text/x-own', '.own')\nmimetypes.types_map['.two'] = 'x/y'\n"
    asked = "mimetypes.guess_type('a.own')[0], mimetypes.guess_type('a.two')[0], mimetypes.guess_type('a.csv')[0]"
    assert step.run(source + asked).value == ("text/x-own", "x/y", "text/csv")
    assert Step().run("import mimetypes\n" + asked).value == (None, None, "text/csv")


BOMBS = {
    "a message": "email.message_from_string('a: b\\n' * 400_000)",
    "properties": "plistlib.loads(b'<plist><string>' + b'a' * 4_000_000 + b'</string></plist>')",
    "calls without end": "s = sched.scheduler(lambda: 0, lambda d: None)\ndef again(): s.enter(0, 1, again)\nagain()\ns.run()",
}


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS)
def test_what_is_read_and_called_is_charged(source):
    failure = Step().run(BEFORE + source, operations=100_000).failure
    assert failure is not None
    assert failure.kind == "limit"


def test_many_objects_promised_in_few_bytes_are_not_made():
    source = "trailer = b'bplist00' + bytes(30) + b'\\x00' * 6 + b'\\x08\\x08' + (1 << 40).to_bytes(8, 'big') * 3\nplistlib.loads(trailer)"
    failure = Step().run(BEFORE + source).failure
    assert failure is not None
    assert failure.type == "InvalidFileException"


_STYLE = """
import json, logging
held = []
class Held:
    def __set__(self, subject, value): held.append(value)
    def __get__(self, subject, owner): return held[-1]
class Own(logging.Formatter): _style = Held()
Own("{message}", style="{")
Style, record = type(held[0]), logging.LogRecord("n", 1, "f", 1, "m", (), None)
record.read = json.JSONEncoder
"""
FORMATTED = {
    "a style of one's own": "Style('{read.__init__.__globals__}').format(record)",
    "a style with more names": "Style('{more.__init__.__globals__}', defaults={'more': record.read}).format(record)",
    "a style that says another text": "class Two(Style):\n    def __init__(self): self.asked = 0\n    @property\n"
    "    def _fmt(self):\n        self.asked += 1\n        return '{read}' if self.asked % 2 else '{read.__init__.__globals__}'\n"
    "    _defaults = None\ntwo = Two()\ntwo.format(record)\ntwo.format(record)",
    "by a formatter": "own = Own()\nheld.append(Style('{read.__init__.__globals__}'))\nown.format(record)",
}


@pytest.mark.parametrize("source", FORMATTED.values(), ids=FORMATTED)
def test_a_style_of_log_lines_reads_no_more_than_a_text_may_name(run, source):
    failure = run(_STYLE + source).failure
    assert failure is not None
    assert failure.kind == "refused"


def test_a_style_of_log_lines_says_what_it_says():
    source = (
        "(Style('{msg}{read.__name__}{more}', defaults={'more': 1, 'msg': 2}).format(record), Own().format(record))"
    )
    assert Step(check_first=False).run(_STYLE + source).value == ("mJSONEncoder1", "m")


_MANAGER = """
import logging
manager, held = logging.getLogger("a").manager, []
class Asking(type):
    def __ne__(cls, other):
        held.append(other)
        return False
"""
MANAGED = {
    "by another manager": "type(manager)(logging.root).getLogger('b')",
    "by a manager of one's own": "class Own(type(manager)): loggerClass = None\nOwn(logging.root).getLogger('b')",
    "by a class that is asked": "class Own(metaclass=Asking): pass\nmanager.setLoggerClass(Own)\nheld[0]('b')",
    "by a manager without a class": "manager.loggerClass = None\nmanager.getLogger('b')",
}


@pytest.mark.parametrize("source", MANAGED.values(), ids=MANAGED)
def test_a_manager_makes_no_loggers_of_the_process(run, source):
    """They would lead to the root of all loggers, and hold handlers of the snippet's for whoever logs."""
    *steps, made = source.split("\n")
    ending = "made.root.addHandler(logging.NullHandler())\nmade.root is logging.root"
    before = list(logging.root.handlers)
    outcome = run("\n".join([_MANAGER, *steps, f"made = {made}", ending]))
    assert logging.root.handlers == before
    assert outcome.failure is not None or outcome.value is True


def test_a_manager_makes_loggers_of_the_class_it_is_told():
    source = "class Own(logging.Logger): pass\nmanager.setLoggerClass(Own)\nmade = logging.getLogger('b.c')\n"
    ending = "(type(made) is Own, made.manager is manager, isinstance(logging.getLogger('d').getChild('e'), Own))"
    assert Step(check_first=False).run(_MANAGER + source + ending).value == (True, True, True)
    wrong = "import logging\nlogging.getLogger('a').manager.setLoggerClass(int)"
    assert Step(check_first=False).run(wrong).failure.message == "logger not derived from logging.Logger: int"
