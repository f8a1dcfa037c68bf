"""Modules for text."""

from __future__ import annotations

import shlex
from typing import Any

from codeact.snippet import special, types_
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules.printing import formatter, pretty
from codeact.snippet.modules.row import Module, Room

_RE = """
A ASCII DOTALL I IGNORECASE L LOCALE M MULTILINE Match NOFLAG Pattern PatternError RegexFlag S Scanner U UNICODE VERBOSE
X compile error escape findall finditer fullmatch match purge search split sub subn
"""

_STRING = """
Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits printable punctuation
whitespace
"""

_UNICODEDATA = """
UCD bidirectional category combining decimal decomposition digit east_asian_width is_normalized lookup mirrored name
normalize numeric ucd_3_2_0 unidata_version
"""

_DIFFLIB = """
Differ HtmlDiff IS_CHARACTER_JUNK IS_LINE_JUNK Match SequenceMatcher context_diff diff_bytes get_close_matches ndiff
restore unified_diff
"""

_TOKENIZE = """
AMPER AMPEREQUAL ASYNC AT ATEQUAL AWAIT CIRCUMFLEX CIRCUMFLEXEQUAL COLON COLONEQUAL COMMA COMMENT DEDENT DOT
DOUBLESLASH DOUBLESLASHEQUAL DOUBLESTAR DOUBLESTAREQUAL ELLIPSIS ENCODING ENDMARKER EQEQUAL EQUAL ERRORTOKEN
EXCLAMATION FSTRING_END FSTRING_MIDDLE FSTRING_START GREATER GREATEREQUAL INDENT ISEOF ISNONTERMINAL ISTERMINAL LBRACE
LEFTSHIFT LEFTSHIFTEQUAL LESS LESSEQUAL LPAR LSQB MINEQUAL MINUS NAME NEWLINE NL NOTEQUAL NT_OFFSET NUMBER N_TOKENS OP
PERCENT PERCENTEQUAL PLUS PLUSEQUAL RARROW RBRACE RIGHTSHIFT RIGHTSHIFTEQUAL RPAR RSQB SEMI SLASH SLASHEQUAL
SOFT_KEYWORD STAR STAREQUAL STRING TILDE TSTRING_END TSTRING_MIDDLE TSTRING_START TYPE_COMMENT TYPE_IGNORE VBAR
VBAREQUAL TokenError TokenInfo detect_encoding generate_tokens tok_name tokenize untokenize
"""

_STRINGPREP = """
b1_set b3_exceptions c22_specials c6_set c7_set c8_set c9_set in_table_a1 in_table_b1 in_table_c11 in_table_c11_c12
in_table_c12 in_table_c21 in_table_c21_c22 in_table_c22 in_table_c3 in_table_c4 in_table_c5 in_table_c6 in_table_c7
in_table_c8 in_table_c9 in_table_d1 in_table_d2 map_table_b2 map_table_b3
"""


def _check_debug(lexer: Any, level: Any) -> None:
    if level:
        raise CallRefused("debug is refused: it writes to the standard output of the process; print the tokens")


class Lexer(shlex.shlex):
    """Stands for `shlex.shlex`: it opens no file, and reads and writes no stream of the process."""

    of_one_session = True
    debug = property(lambda self: 0, _check_debug)

    def __init__(self, instream: Any = None, *settings: Any, **more: Any) -> None:
        if instream is None:
            raise CallRefused("there is no standard input to split; give a text")
        super().__init__(instream, *settings, **more)

    def sourcehook(self, newfile: Any) -> Any:
        """Refuse."""
        raise CallRefused(f"no file is opened for the text {newfile!r}; give its text to push_source")


types_.hide(Lexer, shlex.shlex)
special.final.add(Lexer)


def words_of_commands(room: Room) -> dict[str, Any]:
    """The replaced names of shlex."""

    def split(s: Any, comments: bool = False, posix: bool = True) -> list[str]:
        if s is None:  # before Python 3.12 it reads the standard input, which is the host's
            raise ValueError("s argument must not be None")
        return shlex.split(s, comments, posix)

    return {"split": split, "shlex": Lexer}


ROWS = (
    Module("re", "regular expressions", names=_RE, withheld={"template": "it is not documented"}),
    Module(
        "string",
        "constants and templates",
        names=_STRING,
        replaced={"Formatter": "follows the attribute rules in the texts it formats"},
        build=formatter,
    ),
    Module(
        "string.templatelib",
        "what a template string is made of, from Python 3.14 on",
        names="Interpolation Template convert",
        since=(3, 14),
    ),
    Module("textwrap", "wraps text", names="TextWrapper dedent fill indent shorten wrap"),
    Module("unicodedata", "the Unicode database", names=_UNICODEDATA),
    Module("difflib", "compares sequences", names=_DIFFLIB),
    Module("html", "escapes text", names="escape unescape", parts=("entities", "parser")),
    Module("html.entities", "a table", names="codepoint2name entitydefs html5 name2codepoint"),
    Module("html.parser", "reads text in memory", names="HTMLParser"),
    Module(
        "pprint",
        "prints to the output of the step",
        names="isreadable isrecursive pformat saferepr",
        replaced=dict.fromkeys(("pprint", "pp", "PrettyPrinter"), "prints to the output of the step"),
        build=pretty,
    ),
    Module("reprlib", "short representations", names="Repr recursive_repr repr"),
    Module(
        "shlex",
        "splits command lines as text",
        names="join quote",
        replaced={
            "split": "reads no stream where it is given no text",
            "shlex": "opens no file, and tells of what it does to nobody",
        },
        build=words_of_commands,
    ),
    Module("fnmatch", "matches names as text", names="filter fnmatch fnmatchcase translate"),
    Module("keyword", "the words of the language", names="iskeyword issoftkeyword kwlist softkwlist"),
    Module("token", "the kinds of words of the language", whole=True),
    Module("tokenize", "splits Python's own text into words", names=_TOKENIZE),
    Module("stringprep", "tables of Unicode", names=_STRINGPREP),
)
