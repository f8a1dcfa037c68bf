"""`argparse` and `configparser`: they open files, and reach attributes by names, as the snippet may itself.

What they keep things in themselves they reach as ever.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet import attributes, ownership, running, shared
from codeact.snippet.modules.files import open_for_who_asks
from codeact.snippet.modules.functional import is_special
from codeact.snippet.modules.row import Module, Room
from codeact.snippet.words import word_set

_ARGPARSE = """
Action ArgumentDefaultsHelpFormatter ArgumentError ArgumentParser ArgumentTypeError BooleanOptionalAction FileType
HelpFormatter MetavarTypeHelpFormatter Namespace ONE_OR_MORE OPTIONAL PARSER REMAINDER RawDescriptionHelpFormatter
RawTextHelpFormatter SUPPRESS ZERO_OR_MORE
"""

_CONFIGPARSER = """
BasicInterpolation ConfigParser ConverterMapping DEFAULTSECT DuplicateOptionError DuplicateSectionError Error
ExtendedInterpolation Interpolation InterpolationDepthError InterpolationError InterpolationMissingOptionError
InterpolationSyntaxError LegacyInterpolation MAX_INTERPOLATION_DEPTH MissingSectionHeaderError
MultilineContinuationError NoOptionError NoSectionError ParsingError RawConfigParser SafeConfigParser SectionProxy
UNNAMED_SECTION
"""

_OF_THE_STEP = word_set("argv exit stderr stdin stdout")


class _Sys:
    """Stands for `sys` in argparse: with the arguments and the streams of the snippet that asks."""

    def __getattr__(self, name: str) -> Any:
        room = running.room() if name in _OF_THE_STEP and running.in_a_snippet() else None
        return getattr(sys, name) if room is None else vars(room.facades.import_module("sys"))[name]


def _reaching(*kept_in: type) -> dict[str, Any]:
    """The builtins that reach attributes by name, as the snippet has them.

    Instances of these classes are read as ever, those of no class of the snippet's are set as ever, but for what they
    are: given another class, they would be of that with whatever insides.
    """

    def looking(real: Any, guarded: Any, is_kept: Callable[..., bool]) -> Any:
        def reach(subject: Any, *more: Any) -> Any:
            return (guarded if running.in_a_snippet() and not is_kept(subject, *more) else real)(subject, *more)

        return reach

    def is_read(subject: Any, *more: Any) -> bool:
        return not set(kept_in).isdisjoint(ownership.mro_of(type(subject)))

    def is_set(subject: Any, name: Any, *more: Any) -> bool:
        return type(subject) in kept_in and not is_special(name)

    return {
        "getattr": looking(getattr, attributes.get, is_read),
        "vars": looking(vars, _vars, is_read),
        "setattr": looking(setattr, attributes.put, is_set),
        "delattr": looking(delattr, attributes.drop, is_set),
    }


def _vars(subject: Any) -> Any:
    from codeact.snippet.builtins_ import vars_of  # which is made with these modules

    return vars_of(subject)


def _parsers(room: Room) -> dict[str, Any]:
    """Nothing is replaced; argparse itself sets, opens and writes as the snippet may."""
    import argparse

    own = _reaching(argparse.Namespace, argparse.Action, argparse._ActionsContainer)
    vars(argparse).update(own, open=open_for_who_asks, _sys=_Sys())
    return {}


def _settings(room: Room) -> dict[str, Any]:
    """Nothing is replaced; configparser itself opens what the snippet may open."""
    import configparser

    shared.share(configparser.RawConfigParser)  # the words it takes for true and false hang off it
    vars(configparser).update(_reaching(configparser.SectionProxy), open=open_for_who_asks)
    return {}


ROWS = (
    Module("argparse", "command lines as lists; files of the working folder", names=_ARGPARSE, build=_parsers),
    Module("configparser", "texts of settings; files of the working folder", names=_CONFIGPARSER, build=_settings),
    Module("getopt", "command lines as lists", names="GetoptError error getopt gnu_getopt"),
)
