"""Every name among the builtins, with the reason it is given, replaced or refused."""

from __future__ import annotations

import builtins

from codeact.snippet.words import words

_OF_VALUES = """
abs aiter all anext any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter
float format frozenset hash hex id int isinstance issubclass len list map max min next object oct ord property
range repr reversed round set slice sorted staticmethod str sum super tuple zip
"""

#: Builtins a snippet gets as they are.
GIVEN: dict[str, str] = {
    **dict.fromkeys(words(_OF_VALUES), "works on the values it is given"),
    **dict.fromkeys(words("None True False Ellipsis NotImplemented"), "a constant"),
    **{
        name: "an exception"
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, BaseException)
    },
}

#: Builtins a snippet gets in a guarded form, and how it differs.
REPLACED: dict[str, str] = {
    "type": "checks the classes it makes as a class statement does",
    "memoryview": "of an array of objects it is read-only",
    "getattr": "follows the attribute rules; the name is taken as the text it is",
    "hasattr": "follows the attribute rules; the name is taken as the text it is",
    "setattr": "only on what is your own",
    "delattr": "only on what is your own",
    "iter": "given a function and an end, what it gives is charged item by item, whatever takes it",
    "pow": "charged by the digits of what it gives, by whatever name it is called",
    "eval": "checks, rewrites and counts the text as it does the snippet itself",
    "compile": "the same; it gives something for eval and exec, and nothing to look into",
    "exec": "the same; a dictionary given for its names and those it runs with tell each other what changes",
    "print": "writes to the output of the step",
    "open": "opens files of the working folder, by name",
    "input": "reads lines of the file that sys.stdin was set to; nobody else is there to answer",
    "help": "writes to the output of the step; it takes the object itself, and no names or topics as texts",
    "globals": "your own names; a store in it is checked as an assignment is",
    "locals": "a copy of your own names; in a class body and outside of functions as globals",
    "vars": "a copy where changing the original would change what is not yours",
    "dir": "the names that may be said",
    "__import__": "import statements call it: it gives the allowed modules, as facades; by its name it is refused",
    "__build_class__": "class statements call it: it checks the class it makes; by its name it is refused",
}

#: Builtins that are refused, and what to do instead.
REFUSED: dict[str, str] = {
    "breakpoint": "there is no debugger; use print",
    "exit": "use final_answer(value) to end, or let the code run to its end",
    "quit": "use final_answer(value) to end, or let the code run to its end",
    "copyright": "it reads files of the installation",
    "credits": "it reads files of the installation",
    "license": "it reads files of the installation",
}
