"""`argparse` and `configparser`: they open files; the one sets attributes by name, and writes what is the process's."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from codeact.snippet import attributes, running
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


def _set(subject: Any, name: str, value: object) -> None:
    import argparse

    if running.in_a_snippet() and type(subject) is not argparse.Namespace:
        attributes.put(subject, name, value)
    else:
        setattr(subject, name, value)


def _open(file: Any, *arguments: Any, **settings: Any) -> Any:
    opened = running.folder().open if running.in_a_snippet() else builtins.open
    return opened(file, *arguments, **settings)


def _parsers(room: Room) -> dict[str, Any]:
    """Nothing is replaced; argparse itself sets, opens and writes as the snippet may."""
    import argparse

    vars(argparse).update(setattr=_set, open=_open, _sys=_Sys())
    return {}


def _settings(room: Room) -> dict[str, Any]:
    """Nothing is replaced; configparser itself opens what the snippet may open."""
    import configparser

    vars(configparser).update(open=_open)
    return {}


ROWS = (
    Module("argparse", "command lines as lists; files of the working folder", names=_ARGPARSE, build=_parsers),
    Module("configparser", "texts of settings; files of the working folder", names=_CONFIGPARSER, build=_settings),
)
