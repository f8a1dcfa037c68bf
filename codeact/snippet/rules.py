"""What the language lets through, as tables: syntax nodes, special names, and what is charged.

RestrictedPython refuses every node it does not know. `OPENED` names those it refuses or guards at run time and we let
through, each with the reason why that is safe; `check.py` and `rewrite.py` say what happens to the others.
"""

from __future__ import annotations

from codeact.snippet.words import dunders, word_set, words

#: Node → why it needs no more than a visit to its parts.
OPENED: dict[str, str] = {
    "Module": "no print collector: print writes to the step's output",
    "Subscript": "indexing calls methods of the object, which a snippet can only reach where they are harmless",
    "Assign": "unpacking iterates over at most as many items as there are targets; starred ones are charged",
    "AugAssign": "an operator and an assignment; the target is checked like any other",
    "AnnAssign": "an assignment; the annotation is an expression like any other",
    "NamedExpr": "an assignment to a name, checked like any other",
    "Await": "waits for what the snippet could call; no loop of its own",
    "Nonlocal": "binds a name of an enclosing function of the snippet",
    "Match": "compares and unpacks; class patterns are checked by MatchClass",
    "match_case": "part of Match",
    "MatchValue": "compares with ==",
    "MatchSingleton": "compares with `is`",
    "MatchSequence": "unpacks a sequence",
    "MatchMapping": "reads the keys it names",
    "MatchOr": "tries patterns in turn",
    "MatchAs": "binds a name, checked like any other",
    "MatchStar": "binds a name, checked like any other",
    "TypeIgnore": "a comment",
    "TypeAlias": "binds a name to an expression that is evaluated later, within some step",
    "TypeVar": "binds a name inside its own scope",
    "ParamSpec": "binds a name inside its own scope",
    "TypeVarTuple": "binds a name inside its own scope",
}

#: Special names a snippet may read as plain names.
READABLE_NAMES: dict[str, str] = {
    "__name__": "'__main__'",
    "__doc__": "the snippet's own docstring",
    "__debug__": "a constant",
    "__class__": "the class a method stands in, one of the snippet's own",
    "__annotations__": "the snippet's own annotations",
    "__all__": "names",
    **dict.fromkeys(
        dunders("version author email license copyright credits date maintainer status"),
        "what a program says of itself",
    ),
    "__module__": "inside a class body: a string",
    "__qualname__": "inside a class body: a string",
}

#: Special names a snippet may read but not bind outside a class body, beside those it may not even read.
FIXED_NAMES: dict[str, str] = {
    "__name__": "by it classes and functions are told to be the snippet's own",
    "__module__": "the same",
    "__class__": "the compiler's own name for the class a method stands in",
    "__dict__": "never a variable",
    "__debug__": "a constant",
    "super": "super() is filled in by the interpreter, by this name",
}

#: Builtins that iterate over their first argument.
ITERATING = ("sum", "min", "max", "any", "all", "sorted", "list", "tuple", "set", "frozenset", "dict")

#: Methods of containers and texts that consume what they are given.
CONSUMING_METHODS: frozenset[str] = word_set(
    """join extend extendleft update union intersection difference symmetric_difference intersection_update
    difference_update symmetric_difference_update issubset issuperset isdisjoint fromkeys subtract"""
)

#: Methods of files and of their writers that write whatever they are given.
WRITING_METHODS: tuple[str, ...] = ("writelines", "writerows")

#: Names of methods and of library functions whose calls are looked at while running: `charges.py` knows which it is.
CHARGED_CALLS: frozenset[str] = CONSUMING_METHODS.union(
    WRITING_METHODS,
    words(
        """ljust rjust center zfill expandtabs resize to_bytes
    fsum deque Counter OrderedDict defaultdict islice dropwhile filterfalse compress takewhile
    product permutations combinations combinations_with_replacement heapify
    groupby filter from_iterable bytes bytearray array format format_map batched sumprod dist
    Fraction sqrt exp ln log10 digest hexdigest sample isqrt gcd"""
    ),
)

#: Special name that is refused → what to write instead.
NAMES_WITH_A_WAY: dict[str, str] = {
    "__file__": "a snippet is in no file; os.getcwd() is the folder its files are in",
    "__import__": "write an import statement",
}

#: Work that nothing counts → what bounds it.
BOUNDED: dict[str, str] = {
    **dict.fromkeys(
        words("a[i:j] a+b a==b a|b del x.copy() x.index(y) repr(x)"),
        "done in C, once over what is there already: no more than memory holds, at some nanoseconds for each item",
    ),
    "[x,x]": "a part that stands many times within others is gone through as often by `hash`, `==`, `repr` and their "
    "like, and levels of such parts double that: processor seconds",
    **dict.fromkeys(
        words("a.b*c.d a[i]*b[j] text%value"),
        "inside functions and loops: the result is no more than memory holds; of long integers: processor seconds",
    ),
    **dict.fromkeys(
        [*words("f=sum map(sum,rows) x.make(it) x+=it x[:]=it operator.mul(a,b) a.__mul__(b)"), "y in x[i]"],
        "a builtin or operator under another name, or an iterator in C where a container is meant: processor seconds",
    ),
    **dict.fromkeys(
        words("x.replace(y,z) x.translate(t) x.join(parts)"),
        "a text or a part that stands in the result many times: that is no more than memory holds",
    ),
    **dict.fromkeys(
        words("a//b a%b divmod(a,b) round(a,-n) isqrt(a) gcd(a,b)"),
        "inside functions and loops: of long integers, or of long n: processor seconds",
    ),
    "re": "a pattern that backtracks ends with the processor seconds of the step",
    "ctx.ln(x)": "a method of a decimal context in a variable, `Decimal` under another name: processor seconds",
    "SequenceMatcher": "grows with the square of what it compares: processor seconds",
}

#: Names whose calls give no iterator, so that `x in name()` needs no look.
NO_ITERATORS: frozenset[str] = word_set(
    "set frozenset list tuple dict str range sorted keys values items split lower upper strip get type"
)

# ------------------------------------------------------------------------------------------------ our hooks

# A space stands in no identifier of any alphabet, so no syntax names, binds, imports or captures these.
COMPRESS, NEXT = " compress", " next"

#: On a function that counts or checks, the one it calls: it says what it takes.
COUNTED = "_counted"
LOOPS, CALLS = " loops", " calls"

#: What a loop draws from that may wait for another thread.
POLLS = " polls"
OVER, ENDING, AGAIN = " over", " ending", " again"
PRIVATE, STORE, STORE_PRIVATE, LOAD, TYPE_NAME = " private", " store", " store_private", " load", " type_name"
EACH, SEARCHED, SAME, CHARGED, RESTORE = " each", " searched", " same", " charged", " restore"
POWER, POW, SHIFT, TIMES, REMAINDER, WIDTH = " power", " pow_", " shift", " times", " remainder", " width"
IN_PLACE, SLICE, TYPE, SUPER = " in_place", " slice", " type_of", " super"
PLAIN, STORABLE, ITER, SMALL_POW = " plain", " storable", " iter_", " small_pow"
FACTORS = " factors"
TURN, HELD, PLACES, MADE = " turn", " held", " places", " made"
KIND, GIVEN_TO, INT, FLOAT, RANGE, OTHER_RANGE = " kind", " given_to", " int", " float", " range", " other_range"
FRESH, GIVEN, IN_C, YIELDED, ITEMS, LISTED = " fresh", " given", " in_c", " yielded", " items", " listed"
GENERATOR, CLASS, GETATTR, HASATTR, NAMED = " generator", " class_of", " getattr_", " hasattr_", " named"
ADDED, ANY, ALL, SIZED = " added", " any_", " all_", " sized"
QUOTIENT, DIVMOD, ROUND = " quotient", " divmod_", " round_"
TEXTS = " texts"  # among the names of a text that has its own: those of the snippet

#: Builtin that is called by another of our hooks where the call is seen to be of the kind → that hook.
CALLED_AS = {
    **{"pow": POW, "type": KIND, "iter": ITER, "getattr": GETATTR, "hasattr": HASATTR},
    **{"divmod": DIVMOD, "round": ROUND},
}


def is_hook(name: str) -> bool:
    """True for names that are ours and not the snippet's."""
    return name.startswith(" ")


#: The hooks a class or module body looks up as globals: it may run on a mapping of the snippet's own.
GLOBAL_HOOKS: tuple[str, ...] = tuple(
    sorted(
        {value for key, value in list(globals().items()) if key.isupper() and isinstance(value, str) and is_hook(value)}
        - {TURN, HELD, GIVEN}
        | {f" {word}" for word in (*ITERATING, *CALLED_AS)}
    )
)
