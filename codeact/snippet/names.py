"""The attribute names a snippet may say, as tables: each row is a name and the reason it is as it is.

A name that begins and ends with two underscores and stands in no table here is refused.
"""

from __future__ import annotations

from codeact.snippet.words import dunders, words

_OPERATORS = """
abs add aenter aexit aiter and anext await bool bytes call ceil complex contains delitem divmod enter eq exit float
floor floordiv format fspath ge getitem gt hash iadd iand ifloordiv ilshift imatmul imod imul index init
instancecheck int invert ior ipow irshift isub iter itruediv ixor le len length_hint lshift lt matmul missing mod
mul ne neg next or pos pow radd rand rdivmod replace repr reversed rfloordiv rlshift rmatmul rmod rmul ror round rpow
rrshift rshift rsub rtruediv rxor set_name setitem str sub subclasscheck truediv trunc xor copy deepcopy post_init
init_subclass class_getitem mro_entries sizeof dir
"""

# an object that everyone shares would be set up anew
_SETTING_UP = frozenset(dunders("init set_name init_subclass"))

# a library would tell the classes of the interpreter
_TELLING = frozenset(dunders("instancecheck subclasscheck mro_entries"))

#: Dunder attributes that may be read from anything, without a guard.
FREE_DUNDERS: dict[str, str] = {
    **{
        name: "does by name what an operator, a statement or a builtin does"
        for name in dunders(_OPERATORS)
        if name not in _SETTING_UP | _TELLING
    },
    "__name__": "a string",
    "__qualname__": "a string",
    "__doc__": "a string",
    "__module__": "a string",
    "__notes__": "strings added to an exception",
    "__cause__": "the exception this one was raised from",
    "__context__": "the exception being handled when this one was raised",
    "__traceback__": "what sys.exc_info() gives; its frames stay out of reach",
    "__suppress_context__": "a boolean",
    "__match_args__": "names a class gave itself, checked where the class is made",
    "__version__": "a string",
    "__stdout__": "the output of the step, of sys",
    "__stderr__": "the output of the step, of sys",
    "__stdin__": "empty, of sys",
    "__all__": "names",
    "__abstractmethods__": "names",
    "__isabstractmethod__": "a boolean",
    "__parameters__": "type variables",
    "__metadata__": "what Annotated carries",
    "__covariant__": "a boolean",
    "__contravariant__": "a boolean",
    "__infer_variance__": "a boolean",
    "__firstlineno__": "a number",
    "__type_params__": "type variables",
    "__forward_arg__": "the text of a forward reference",
    "__orig_class__": "the generic type an instance was made by",
    "__orig_bases__": "the generic types a class was written with",
    "__supertype__": "the type behind a NewType",
    "__total__": "a boolean of a TypedDict",
    "__required_keys__": "names of a TypedDict",
    "__optional_keys__": "names of a TypedDict",
    "__readonly_keys__": "names of a TypedDict",
    "__mutable_keys__": "names of a TypedDict",
    "__final__": "a boolean",
    **dict.fromkeys(
        dunders("flags basicsize itemsize dictoffset weakrefoffset"), "a number the interpreter keeps of a class"
    ),
    "__alloc__": "a number",
    "__getformat__": "a text",
    "__override__": "a boolean",
    "__deprecated__": "a string",
    "__dataclass_params__": "the settings of a dataclass",
    "__array__": "numpy's conversion",
    "__array_ufunc__": "numpy's protocol",
    "__array_function__": "numpy's protocol",
    "__array_priority__": "a number",
}

#: Dunder attributes decided when the program runs, by what they are read from.
GUARDED_DUNDERS: dict[str, str] = {
    "__class__": "kept only of what is of a class of your own, or is one; called and compared of anything",
    "__dict__": "of modules, your own classes, instances, functions: stores in it are checked; of others the names",
    "__mro__": "only of a class of your own",
    "__bases__": "only of a class of your own",
    "__annotations__": "a copy",
    "__members__": "a copy",
    "__slots__": "a copy",
    "__dataclass_fields__": "a copy",
    "__defaults__": "only of a function of your own",
    "__kwdefaults__": "only of a function of your own",
    "__wrapped__": "only of a function of your own",
    "__func__": "only of a method of your own",
    "__self__": "only of a method of your own",
    "__origin__": "the class behind a generic type",
    "__args__": "the arguments of a generic type",
    "__bound__": "the bound of a type variable",
    "__constraints__": "the constraints of a type variable",
    "__default__": "the default of a type variable",
    "__value__": "the type behind a type alias",
    "__get__": "tells the class as type(x) does",
    "__set__": "checks the target as setattr does",
    "__delete__": "checks the target as delattr does",
    "__getattr__": "checks the name as getattr does",
    "__init__": "only for what is your own; of a library's class it takes an instance of a class of your own",
    "__set_name__": "only of what is your own, and of descriptors made of your own functions",
    "__init_subclass__": "only of a class of your own, and of super()",
    "__instancecheck__": "of a class; its own code is told classes as type(x) tells them",
    "__subclasscheck__": "the same",
    "__mro_entries__": "tells classes as type(x) does",
    "__new__": "of a metaclass: checks the class it makes",
    "__prepare__": "of a metaclass of your own, or what `type` says itself",
    "__getnewargs__": "only of plain values, and of what is your own",
    "__setattr__": "checks the target and the name as setattr does",
    "__delattr__": "checks the target and the name as delattr does",
    "__getattribute__": "checks the name as getattr does",
}

# these choose what other classes are taken for; `__index__` might make a number of what is a sequence already
_CHOOSING = frozenset(dunders("instancecheck subclasscheck class_getitem mro_entries index"))

#: Private names of modules that a snippet may say: (module, name) → reason.
MODULE_PRIVATE_NAMES: dict[tuple[str, str], str] = {
    **dict.fromkeys(
        [("statistics", word) for word in words("_exact_ratio _isfinite _coerce _fail_neg _sum _convert _ss _rank")],
        "a pure function of numbers",
    ),
    ("statistics", "_integer_sqrt_of_frac_rto"): "a pure function of numbers",
    ("statistics", "_float_sqrt_of_frac"): "a pure function of numbers",
    ("statistics", "_decimal_sqrt_of_frac"): "a pure function of numbers",
    ("enum", "_is_descriptor"): "a question",
    ("enum", "_is_dunder"): "a question",
    ("enum", "_is_sunder"): "a question",
    ("enum", "_is_private"): "a question",
    ("typing", "_cleanups"): "lets typing work out anew what it was asked",
}

#: Dunder attributes that may be assigned, on what is the snippet's own.
STORED_DUNDERS: dict[str, str] = {
    **{
        name: "a special method given to a class after it was made"
        for name in dunders(_OPERATORS)
        if name not in _CHOOSING
    },
    "__name__": "a string, kept by decorators",
    "__qualname__": "a string, kept by decorators",
    "__doc__": "a string, kept by decorators",
    "__module__": "a string, kept by decorators",
    "__wrapped__": "kept by decorators",
    "__cause__": "what `raise … from …` sets",
    "__context__": "what raising inside a handler sets",
    "__suppress_context__": "what `raise … from None` sets",
    "__notes__": "what add_note sets",
    "__isabstractmethod__": "what abstractmethod sets",
}

_FRAME = "frames hold the variables of every function that is running"
_CODE = "code objects are not part of the language"

#: Public names that lead into the interpreter.
REFUSED_NAMES: dict[str, str] = {
    **dict.fromkeys(words("gi_frame cr_frame ag_frame tb_frame tb_next tb_lasti"), _FRAME),
    **dict.fromkeys(words("f_back f_builtins f_code f_generator f_globals f_lasti f_lineno f_locals f_trace"), _FRAME),
    **dict.fromkeys(words("f_trace_lines f_trace_opcodes gi_yieldfrom cr_await cr_origin ag_await"), _FRAME),
    **dict.fromkeys(words("gi_code cr_code ag_code func_code func_globals func_closure func_defaults"), _CODE),
    **dict.fromkeys(
        words("co_code co_consts co_names co_varnames co_freevars co_cellvars co_linetable co_flags"), _CODE
    ),
    **dict.fromkeys(words("co_exceptiontable co_lnotab co_positions co_lines co_qualname co_filename co_name"), _CODE),
    "cell_contents": "cells hold the variables of functions",
    "func_dict": "what is stored in it would be an attribute of a library's function",
    "__subclasses__": "it leads to classes of others; a class of your own can note its heirs in __init_subclass__",
    "__base__": "it leads to classes of others; __bases__ tells what a class of your own is built on",
}

#: Names by which one underscore marks a documented part: the type that has it, and why it is harmless.
PRIVATE_NAMES: dict[str, str] = {
    "_asdict": "namedtuple",
    "_replace": "namedtuple",
    "_make": "namedtuple",
    "_hash": "set",
    "_from_iterable": "set",
    "_fields": "namedtuple",
    "_field_defaults": "namedtuple",
    "_name_": "enum",
    "_value_": "enum",
    "_missing_": "enum",
    "_generate_next_value_": "enum",
    "_ignore_": "enum",
    "_order_": "enum",
    "_member_names_": "enum",
    "_member_map_": "enum",
    "_value2member_map_": "enum",
    "_sort_order_": "enum",
}

#: Names every node of a syntax tree has, which may be read and not set.
OF_TREES: frozenset[str] = frozenset({"_fields", "_attributes"})

_OUTSIDE = "it would run outside the step that made the object"

#: Names a class body may not define, whoever runs it.
REFUSED_DEFINITIONS: dict[str, str] = {
    "__del__": f"{_OUTSIDE}; use a with statement",
    "__subclasshook__": _OUTSIDE,
}

_DEFINED = """
new get set delete setattr delattr getattribute getattr doc module qualname name slots match_args annotations version
isabstractmethod array array_ufunc array_function array_priority buffer release_buffer
prepare abc_tpflags dict weakref orig_bases parameters type_params class bases
getstate setstate getnewargs getnewargs_ex getinitargs reduce reduce_ex
cmp nonzero unicode coerce conform div rdiv idiv long oct hex getslice setslice delslice
"""

# what abc, typing and dataclasses write into the classes they make
_BY_METACLASS = """
abstractmethods new_member required_keys optional_keys total readonly_keys mutable_keys dataclass_fields
dataclass_params
"""

#: Works out the annotations of a class, from Python 3.14 on.
ANNOTATING: frozenset[str] = frozenset(dunders("annotate annotate_func"))
#: What Python itself writes into a class: a class body may not say it.
BY_PYTHON: frozenset[str] = ANNOTATING | frozenset(
    dunders("classcell classdictcell static_attributes firstlineno conditional_annotations annotations_cache")
)
#: Dunder names a class body may define; any other is refused.
DEFINABLE: frozenset[str] = frozenset(dunders(_OPERATORS) + dunders(_DEFINED) + dunders(_BY_METACLASS))
