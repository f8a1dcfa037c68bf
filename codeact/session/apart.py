"""Settings that libraries keep for the whole process, held apart: the host's own, and those of each inline session.

A caged session has a process of its own. One in this process has its settings put in place when a step begins, and the
host's when it ends. Two steps at the same moment, in two threads, see each other's; the host's come back after both.
"""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from codeact.session import drawing, remembered
from codeact.snippet import unchanged
from codeact.snippet.modules import drawn, units, xml_trees
from codeact.snippet.ownership import is_own_class
from codeact.snippet.running import StepOf, our_own_work


@dataclass(frozen=True, slots=True)
class Setting:
    """What one module keeps: how it is taken, put back, and what it is when nobody has changed it."""

    module: str
    what: str
    take: Callable[[Any], Any]
    put: Callable[[Any, Any], object]
    reset: Callable[[Any], object] = lambda module: None


_lock = threading.Lock()
_hosts: list[dict[str, Any]] = []  # the host's settings while steps run, once for each of them


class Apart:
    """The settings of one session, and what its snippets run in besides: something to stop them by."""

    def __init__(self, within: AbstractContextManager[None]) -> None:
        self._own: dict[str, Any] = {}
        self._within = within
        unchanged.watch()

    @contextmanager
    def step(self, room: Any) -> Iterator[None]:
        """Put the session's settings in place while a step runs in its room."""
        with _lock:
            if not _hosts:
                unchanged.note_anew()
            _hosts.append(_hosts[0] if _hosts else _exchanged(self._own))
        try:
            with StepOf(room), self._within:
                yield
        finally:
            with our_own_work(), _lock:
                hosts = _hosts.pop()
                unchanged.put_back()
                self._own = _taken() if _hosts else _exchanged(hosts)


def _taken() -> dict[str, Any]:
    found = {}
    for row in ROWS:
        if row.module in sys.modules:
            with suppress(AttributeError, KeyError):  # a newer library keeps it elsewhere: it is shared then
                found[row.what] = row.take(sys.modules[row.module])
    return found


def _exchanged(settings: dict[str, Any]) -> dict[str, Any]:
    """Put settings in place, and give what was there."""
    found = _taken()  # all of it before any is put in place: some is reached on two ways
    for row in ROWS:
        if row.what in settings:
            row.put(sys.modules[row.module], settings[row.what])
        elif row.what in found:
            row.reset(sys.modules[row.module])
    return found


def _dialects(csv: Any) -> Any:
    return {name: csv.get_dialect(name) for name in csv.list_dialects()}, csv.field_size_limit()


def _put_dialects(csv: Any, kept: Any) -> None:
    dialects, limit = kept
    for name in csv.list_dialects():
        csv.unregister_dialect(name)
    for name, dialect in dialects.items():
        csv.register_dialect(name, dialect)
    csv.field_size_limit(limit)


def _plain(mapping: dict[Any, Any]) -> Any:
    """The class whose methods neither check nor announce."""
    return OrderedDict if isinstance(mapping, OrderedDict) else dict


def _put_within(mapping: dict[Any, Any], kept: dict[Any, Any]) -> None:
    _plain(mapping).clear(mapping)
    _plain(mapping).update(mapping, kept)


def _copied(options: Any) -> Any:
    """A copy of the tables themselves: what a snippet put into them is kept as it is, and asked nothing."""
    if type(options) is not dict:
        return options.copy() if type(options) in (list, set) else options
    copied = options.copy()
    for key, value in options.items():
        if type(key) is str:
            copied[key] = _copied(value)
    return copied


def _reset_options(config: Any) -> None:
    for key, option in config._registered_options.items():
        within, name = config._get_root(key)
        within[name] = option.defval


def _colours(colors: Any) -> Any:
    named = {name: colour for name, colour in colors._colors_full_map.items() if type(name) is str}
    return named, dict(colors._color_sequences._color_sequences)


def _put_colours(colors: Any, kept: Any) -> None:
    _put_within(colors._colors_full_map, kept[0])
    _put_within(colors._color_sequences._color_sequences, kept[1])
    colors._colors_full_map.cache.clear()


def _printers(printer: Any) -> Any:
    """The settings that printers of sympy take from their classes."""
    found, todo = {}, [printer.Printer]
    for cls in todo:
        todo += type.__subclasses__(cls)
        if "_global_settings" in vars(cls) and not is_own_class(cls):
            found[cls] = dict(vars(cls)["_global_settings"])
    return found


def _put_printers(printer: Any, kept: Any) -> None:
    for cls, settings in kept.items():
        _put_within(cls._global_settings, settings)


def _put_assumptions(module: Any, kept: Any) -> None:
    set.clear(module.global_assumptions)
    set.update(module.global_assumptions, kept)


def _table(
    module: str, what: str, table: Callable[[Any], dict[Any, Any]], usual: Callable[[Any], dict[Any, Any]] | None = None
) -> Setting:
    """A row for a table of a module, and what is in it when nobody has changed it."""

    def put(found: Any, kept: dict[Any, Any]) -> None:
        _put_within(table(found), kept)

    def take(found: Any) -> dict[Any, Any]:
        return dict(_plain(table(found)).items(table(found)))

    return Setting(module, what, take, put, lambda m: put(m, usual(m)) if usual is not None else None)


def _attributes(module: str, what: str, within: Callable[[Any], Any], **usual: Any) -> Setting:
    """A row for attributes of one object of a module, and what they are when nobody has changed them."""

    def put(found: Any, kept: dict[str, Any]) -> None:
        for name, value in kept.items():
            setattr(within(found), name, value)

    def take(found: Any) -> dict[str, Any]:
        return {name: getattr(within(found), name) for name in usual}

    return Setting(module, what, take, put, lambda m: put(m, usual))


def _remembers(
    module: str, what: str, table: Callable[[Any], Any], forget: Callable[[Any], None] = remembered.empty
) -> Setting:
    """A row for a table by which a module knows what it was given before."""

    def take(found: Any) -> None:
        """Keep nothing: anyone can work it out again. AttributeError where a newer library has no such table."""
        table(found)

    def clear(found: Any, kept: None = None) -> None:
        forget(table(found))

    return Setting(module, what, take, clear, clear)


#: Every setting that is held apart.
ROWS: tuple[Setting, ...] = (
    # the first, as other rows know more of some tables
    Setting("codeact.snippet.shared", "tables of libraries", lambda m: m.contents(), lambda m, kept: m.put_back(kept)),
    Setting("csv", "dialects", _dialects, _put_dialects),
    _table("logging", "names of levels", lambda m: m._levelToName),
    _table("logging", "levels by their names", lambda m: m._nameToLevel),
    _table("xml.etree.ElementTree", "prefixes", lambda m: m._namespace_map, lambda m: xml_trees.usual_prefixes()),
    Setting("random", "random numbers", lambda m: m.getstate(), lambda m, kept: m.setstate(kept), lambda m: m.seed()),
    Setting(
        "numpy.random",
        "numpy's random numbers",
        lambda m: (m.get_bit_generator(), m.get_state(legacy=False)),
        lambda m, kept: (m.set_bit_generator(kept[0]), m.set_state(kept[1])),
        lambda m: m.set_bit_generator(m.MT19937()),
    ),
    Setting(
        "pandas._config.config",
        "pandas' options",
        lambda m: _copied(m._global_config),
        lambda m, kept: _put_within(m._global_config, _copied(kept)),
        _reset_options,
    ),
    Setting(
        "matplotlib",
        "how charts look",
        lambda m: drawn.looks(m.rcParams),
        lambda m, kept: _put_within(m.rcParams, kept),
        drawn.look_as_at_first,
    ),
    _table("matplotlib.cm", "colour maps", lambda m: m._colormaps._cmaps),
    _table("matplotlib._pylab_helpers", "open figures", lambda m: m.Gcf.figs, lambda m: {}),
    Setting(
        "scipy.special",
        "what scipy says of errors",
        lambda m: m.geterr(),
        lambda m, kept: m.seterr(**kept),
        lambda m: m.seterr(all="ignore"),
    ),
    Setting("matplotlib.colors", "names of colours", _colours, _put_colours),
    _table("matplotlib.units", "kinds of values", lambda m: m.registry),
    *(_table("matplotlib.patches", kind, table) for kind, table in drawing.STYLES.items()),
    *(_remembers("matplotlib.path", kind, table) for kind, table in drawing.CORNERS.items()),
    _attributes("matplotlib.dates", "the first day of charts", lambda m: m, _epoch=None),
    Setting(
        "matplotlib.legend",
        "what stands in legends",
        lambda m: m.Legend._default_handler_map.copy(),
        lambda m, kept: m.Legend.set_default_handler_map(dict(kept)),  # the one before may be held by a snippet
    ),
    _attributes(
        "matplotlib.path",
        "shapes",
        lambda m: m.Path,
        **dict.fromkeys(("_unit_rectangle", "_unit_circle", "_unit_circle_righthalf")),
    ),
    Setting(
        "matplotlib.transforms",
        "what changes nothing",
        lambda m: m.IdentityTransform._mtx,
        lambda m, kept: setattr(m.IdentityTransform, "_mtx", kept),
        lambda m: setattr(m.IdentityTransform, "_mtx", m.Affine2D().get_matrix()),
    ),
    _attributes("numpy.ma.core", "what is masked", lambda m: m.masked_print_option, _display="--", _enabled=True),
    _attributes("numpy.polynomial._polybase", "letters of polynomials", lambda m: m.ABCPolyBase, _use_unicode=True),
    Setting(
        "sympy.assumptions.assume",
        "assumptions",
        lambda m: list(m.global_assumptions),
        _put_assumptions,
        lambda m: _put_assumptions(m, []),
    ),
    Setting("sympy.printing.printer", "settings of printers", _printers, _put_printers),
    _remembers("re", "patterns", lambda m: m, remembered.purge),
    _remembers("re", "combined flags", lambda m: m.RegexFlag._value2member_map_, remembered.leave_plain),
    _remembers("_strptime", "formats of time", lambda m: m._regex_cache),
    _remembers("xml.etree.ElementPath", "paths", lambda m: m._cache),
    _remembers("ipaddress", "masks of addresses", lambda m: m._BaseV4._netmask_cache),
    _remembers("ipaddress", "masks of longer addresses", lambda m: m._BaseV6._netmask_cache),
    _remembers("struct", "formats", lambda m: m, lambda m: m._clearcache()),
    Setting("functools", "caches", lambda m: remembered.fillings(), lambda m, kept: remembered.empty_filled(kept)),
    Setting(
        "scipy.cluster.hierarchy",
        "colours of trees",
        lambda m: [*m.set_link_color_palette.__globals__["_link_line_colors"]],
        lambda m, kept: m.set_link_color_palette(kept),
        lambda m: m.set_link_color_palette(None),
    ),
    Setting(
        "sympy.physics.units.unitsystem",
        "units of measure",
        lambda m: units.kept(),
        lambda m, kept: units.put_back(kept),
        lambda m: units.put_back(),
    ),
    Setting(
        "sympy.core.cache",  # it gives the same table to all who ask the same
        "what algebra has found",
        lambda m: None,
        lambda m, kept: m.clear_cache(),
        lambda m: m.clear_cache(),
    ),
)
