"""Event loops, tasks and futures: a snippet's are its own, and the host's stay out of its sight."""

from __future__ import annotations

import asyncio
import gc

import pytest

from tests.attacks.language.test_host import started

TASKS = {
    "a class of its own": "class T(asyncio.Task):\n    def get_loop(self): return None\nt = T(c(), loop=L())",
    "a loop of its own": "t = asyncio.Task(c(), loop=L())",
    "a future that is told when it is collected": "t = asyncio.Future(loop=L())\nt.set_exception(ValueError())",
}


@pytest.mark.parametrize("source", TASKS.values(), ids=TASKS)
def test_no_task_and_no_future_of_a_snippets_is_left_to_the_hosts_loop(source, capfd):
    own = (
        "import asyncio\nclass L:\n    def get_debug(self): return False\n    def call_soon(self, *a, **k): pass\n"
        "    def call_exception_handler(self, told): pass\nasync def c(): pass\n"
    )
    with started() as session:
        assert session.run(own + source).failure.type in ("TypeError", "RuntimeError")
        assert asyncio.run(asyncio.sleep(0, "done")) == "done"
    gc.collect()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("ask", ["current_task", "all_tasks"])
def test_no_object_of_a_snippets_passes_for_the_hosts_loop(run, ask):
    told = "import asyncio\nseen = []\nclass L:\n    def __hash__(self): return hashed\n"
    told += "    def __eq__(self, other):\n        seen.append(other)\n        return True\n"

    async def host() -> object:
        here = hash(asyncio.get_running_loop())
        run(f"hashed = {here}\n{told}try: asyncio.{ask}(L())\nexcept RuntimeError: pass")
        return run("seen").value

    assert asyncio.run(host()) == []


def test_the_tasks_of_a_loop_are_those_of_the_running_one():
    source = (
        "import asyncio\nloop = asyncio.get_running_loop()\ntask = asyncio.current_task(loop)\n"
        "[task is asyncio.current_task(), asyncio.all_tasks(loop) == asyncio.all_tasks() == {task}, await asyncio.sleep(0)]"
    )
    with started() as session:
        assert session.run(source).value == [True, True, None]


def test_tasks_and_futures_are_made_in_the_running_loop():
    source = (
        "import asyncio\nasync def c(): return 1\nt = asyncio.Task(c(), name='t')\n"
        "f = asyncio.Future(loop=asyncio.get_running_loop())\nf.set_result(2)\n"
        "[await t, await f, t.get_name(), type(t) is asyncio.Task, isinstance(t, asyncio.Future)]"
    )
    with started() as session:
        assert session.run(source).value == [1, 2, "t", True, True]


IN_OBJECTS = {
    "by a name of its own": "class E(asyncio.Event): _loop = None\ne = E()\ndef told(): return [e._loop]\n",
    "by a property": "class E(asyncio.Event):\n    kept = []\n    _loop = property(lambda self: None, lambda self, v: E.kept.append(v))\n"
    "e = E()\ndef told(): return e.kept\n",
    "by storing": "class E(asyncio.Event):\n    _value, _waiters, _loop, kept = False, collections.deque(), None, []\n"
    "    def __setattr__(self, name, value): self.kept.append(value)\ne = E()\ndef told(): return e.kept\n",
    "of a group": "class E(asyncio.TaskGroup):\n    _loop = None\n    async def wait(self):\n        async with self: pass\n"
    "e = E()\ndef told(): return [e._loop]\n",
    "of what passes for a group": "class E:\n    _loop, _entered = None, False\n"
    "    async def wait(self): await asyncio.TaskGroup.__aenter__(self)\ne = E()\ndef told(): return [e._loop]\n",
    "of names that pass for a group": "n = types.SimpleNamespace(_loop=None, _entered=False)\nclass E:\n"
    "    async def wait(self): await asyncio.TaskGroup.__aenter__(n)\ne = E()\ndef told(): return [n.__dict__['_loop']]\n",
}


@pytest.mark.parametrize("source", IN_OBJECTS.values(), ids=IN_OBJECTS)
def test_no_loop_is_kept_in_an_object_that_a_snippet_can_look_into(source):
    end = "try: await asyncio.wait_for(e.wait(), 0.001)\nexcept (TimeoutError, RuntimeError): pass\n"
    with started() as session:
        seen = session.run(
            f"import asyncio, collections, types\n{source}{end}[hasattr(one, 'subprocess_exec') for one in told()]"
        )
    assert seen.failure is None
    assert True not in seen.value
    assert seen.value


def test_groups_and_queues_of_classes_of_ones_own_work():
    source = """
import asyncio
class Group(asyncio.TaskGroup):
    made = 0
    def create_task(self, coro, **settings):
        self.made += 1
        return super().create_task(coro, **settings)
class Mail(asyncio.Queue):
    async def put(self, item): await super().put([item])
async def give(mail): await mail.put(1)
async def both(mail):
    async with Group() as group:
        task = group.create_task(mail.get(), name="g")
        group.create_task(give(mail))
    return task.result(), task.get_name(), group.made
mail, told = Mail(), []
told.append(await both(mail))
async def fails(): raise ValueError("bad")
try:
    async with Group() as group: group.create_task(fails())
except* ValueError as errors: told.append([str(error) for error in errors.exceptions])
told
"""
    with started() as session:
        assert session.run(source).value == [([1], "g", 2), ["bad"]]


def test_a_queue_of_a_class_of_ones_own_belongs_to_one_loop():
    source = (
        "import asyncio\nclass Mail(asyncio.Queue): pass\nmail = Mail()\n"
        "def wait(): asyncio.run(asyncio.wait_for(mail.get(), 0.001))\ntold = []\nfor i in range(2):\n"
        "    try: wait()\n    except (TimeoutError, RuntimeError) as error: told.append(str(error)[-30:])\ntold"
    )
    with started() as session:
        assert session.run(source).value == ["", "is bound to a different event loop"[-30:]]


REFERRED = {
    "by a reference to its method": "r = weakref.WeakMethod(asyncio.get_running_loop().call_soon)",
    "by one of a class of its own": "class R(weakref.WeakMethod): pass\nr = R(asyncio.get_running_loop().call_soon)",
}


@pytest.mark.parametrize("source", REFERRED.values(), ids=REFERRED)
def test_the_loop_behind_a_method_is_not_had_by_a_reference(source):
    with started() as session:
        failure = session.run(
            f"import asyncio, weakref\n{source}\nawait asyncio.sleep(0)\nweakref.ref.__call__(r)"
        ).failure
        assert failure.kind == "refused"
        assert session.run("class A:\n    def go(self): return 3\na = A()\nweakref.WeakMethod(a.go)()()").value == 3


HANDLE = "h = asyncio.new_event_loop().call_later(9, print)\nh.cancel()\n"
OF_HOSTS = {
    "a class built on a runner": "class R(asyncio.Runner):\n    def __setattr__(self, name, value): kept.append(value)\nR()",
    "a runner's parts in another object": "class R: pass\nr = R()\nasyncio.Runner.__init__(r)\nkept += r.__dict__.values()",
    "a handle of its own": f"{HANDLE}class H(type(h)):\n    _source_traceback = property(None, lambda self, v: kept.append(v))\n"
    "H(1, print, (), L())",
    "a handle that says where it was made": f"{HANDLE}kept.append(type(h)(1, print, (), L()))",
    "what was gathered": "loop = asyncio.new_event_loop()\nasync def c(): return type(asyncio.gather(asyncio.sleep(0)))\n"
    "kept.append(loop.run_until_complete(c())([], loop=L()))",
    "what is gathered of futures of its own": "class F:\n    _asyncio_future_blocking = True\n"
    "    def get_loop(self): return L()\n    def add_done_callback(self, f): pass\n"
    "kept.append(asyncio.gather(F()))",
}


@pytest.mark.parametrize("source", OF_HOSTS.values(), ids=OF_HOSTS)
def test_a_snippet_has_no_runner_no_handle_and_no_place_of_the_hosts(source):
    own = "import asyncio\nkept = []\nclass L:\n    def get_debug(self): return True\n"
    own += "    def call_exception_handler(self, told): pass\n    def _timer_handle_cancelled(self, handle): pass\n"
    with started() as session:
        failure = session.run(own + source).failure
        assert failure is None or failure.type in ("TypeError", "AttributeError")
        assert (
            session.run("[one for one in kept if type(one).__module__.startswith(('asyncio', 'traceback'))]").value
            == []
        )


SAID = {
    "what is run": "asyncio.new_event_loop().run_until_complete(told(asyncio.current_task))",
    "a coroutine of a library's": "asyncio.run(told(lambda: asyncio.create_task(asyncio.sleep(0))))",
    "what is gathered": "loop = asyncio.new_event_loop()\nasyncio.set_event_loop(loop)\nt = loop.create_task(told(print))\n"
    "asyncio.gather(t)\nseen.append(repr(t))\nloop.run_until_complete(t)",
    "what waits for its turn": "asyncio.run(told(lambda: asyncio.get_running_loop().call_soon(print)))",
}


@pytest.mark.parametrize("source", SAID.values(), ids=SAID)
def test_what_tasks_say_of_themselves_names_no_file_of_the_host(source):
    own = "import asyncio\nseen = []\nasync def told(ask): seen.append(repr(ask()))\n"
    with started() as session:
        seen = session.run(f"{own}def go():\n    " + source.replace("\n", "\n    ") + "\ngo()\nseen")
    assert seen.failure is None
    assert seen.value
    assert "/" not in "".join(seen.value)


def test_what_a_task_says_names_the_lines_of_the_snippet():
    source = "import asyncio\nasync def c():\n    return repr(asyncio.current_task())\ndef go(): return asyncio.run(c())\ngo()"
    with started() as session:
        assert "coro=<c() running at <snippet" in session.run(source).value
