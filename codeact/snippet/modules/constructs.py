"""Modules that go with the language itself."""

from __future__ import annotations

from codeact.snippet.modules.decimals import guarded
from codeact.snippet.modules.functional import functions, operators
from codeact.snippet.modules.making import abstracts, dataclass_makers, hints, type_makers
from codeact.snippet.modules.printing import redirections, traces, warners
from codeact.snippet.modules.row import Module
from codeact.snippet.modules.signatures import questions
from codeact.snippet.modules.syntax import nodes
from codeact.snippet.modules.warning import OF_FILTERS
from codeact.snippet.modules.weak import references
from codeact.snippet.words import words

_ITERTOOLS = """
accumulate batched chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse
groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest
"""

_FUNCTOOLS = """
Placeholder WRAPPER_ASSIGNMENTS WRAPPER_UPDATES cache cmp_to_key lru_cache partial partialmethod reduce
"""

_OPERATOR = """
abs add and_ call concat contains countOf delitem eq floordiv ge getitem gt iadd iand iconcat ifloordiv ilshift
imatmul imod imul index indexOf inv invert ior ipow irshift is_ is_none is_not is_not_none isub itemgetter itruediv
ixor le length_hint lshift lt matmul mod mul ne neg not_ or_ pos pow rshift setitem sub truediv truth xor
"""

_ENUM = """
CONFORM CONTINUOUS EJECT Enum EnumCheck EnumMeta EnumType Flag FlagBoundary IntEnum IntFlag KEEP NAMED_FLAGS ReprEnum
STRICT StrEnum show_flag_values
UNIQUE _iter_bits_lsb _is_descriptor _is_dunder _is_private _is_sunder auto property member nonmember unique verify
"""

_DATACLASSES = """
Field FrozenInstanceError InitVar KW_ONLY MISSING asdict astuple field fields is_dataclass replace
"""

_TYPING = """
AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator Awaitable BinaryIO
ByteString Callable ChainMap ClassVar Collection Concatenate Container ContextManager Coroutine Counter DefaultDict
Deque Dict Final ForwardRef FrozenSet Generator Generic Hashable IO ItemsView Iterable Iterator KeysView List Literal
LiteralString Mapping MappingView Match MutableMapping MutableSequence MutableSet NamedTuple Never NewType NoDefault
NoReturn NotRequired Optional OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol ReadOnly Required
Reversible Self Sequence Set Sized SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex SupportsInt
SupportsRound T KT VT T_co V_co VT_co T_contra TYPE_CHECKING Text TextIO Tuple TypeAlias TypeAliasType TypeGuard
TypeIs TypeVar TypeVarTuple TypedDict Union Unpack ValuesView assert_never assert_type cast get_protocol_members
is_protocol is_typeddict
"""

_TYPES = """
AsyncGeneratorType BuiltinFunctionType BuiltinMethodType CapsuleType CellType ClassMethodDescriptorType
CoroutineType EllipsisType GeneratorType GenericAlias GetSetDescriptorType MappingProxyType MemberDescriptorType
MethodDescriptorType MethodType MethodWrapperType ModuleType NoneType NotImplementedType UnionType
WrapperDescriptorType
"""

_ABC = """
ABC ABCMeta abstractclassmethod abstractmethod abstractproperty abstractstaticmethod get_cache_token
"""

_CONTEXTLIB = """
AbstractAsyncContextManager AbstractContextManager AsyncExitStack ContextDecorator ExitStack aclosing
_GeneratorContextManager asynccontextmanager closing contextmanager nullcontext suppress
"""

_WEAKREF = """
CallableProxyType ProxyType ProxyTypes WeakKeyDictionary WeakSet WeakValueDictionary getweakrefcount getweakrefs
"""

_INSPECT = """
BoundArguments FullArgSpec Parameter cleandoc getdoc isabstract isasyncgen isasyncgenfunction isawaitable isbuiltin
isclass iscoroutine iscoroutinefunction isdatadescriptor isfunction isgenerator isgeneratorfunction ismethod
ismethoddescriptor ismodule isroutine GEN_CREATED GEN_RUNNING GEN_SUSPENDED GEN_CLOSED CORO_CREATED CORO_RUNNING
CORO_SUSPENDED CORO_CLOSED isframe iscode istraceback isgetsetdescriptor ismemberdescriptor ismethodwrapper
CO_ASYNC_GENERATOR CO_COROUTINE CO_GENERATOR CO_ITERABLE_COROUTINE CO_NESTED CO_NEWLOCALS CO_NOFREE CO_OPTIMIZED
CO_VARARGS CO_VARKEYWORDS TPFLAGS_IS_ABSTRACT BufferFlags ispackage AGEN_CREATED AGEN_RUNNING AGEN_SUSPENDED AGEN_CLOSED
"""

_FRAMES = "it hands out frames; use traceback.format_exc"

ROWS = (
    Module(
        "__future__",
        "switches of the compiler",
        names="annotations division generators nested_scopes absolute_import with_statement print_function "
        "unicode_literals generator_stop",
    ),
    Module("itertools", "iterators", names=_ITERTOOLS),
    Module(
        "functools",
        "functions on functions",
        names=_FUNCTOOLS,
        replaced={
            **dict.fromkeys(("wraps", "update_wrapper"), "copies the documented attributes alone"),
            "total_ordering": "only for a class of your own",
        },
        build=functions,
    ),
    Module(
        "operator",
        "operators as functions",
        names=_OPERATOR,
        replaced=dict.fromkeys(("attrgetter", "methodcaller"), "follows the attribute rules"),
        build=operators,
    ),
    Module(
        "enum",
        "enums",
        names=_ENUM,
        withheld={
            **dict.fromkeys(
                words("global_enum global_enum_repr global_flag_repr global_str"),
                "it would change names for the whole process",
            ),
            **dict.fromkeys(words("_simple_enum _test_simple_enum"), "write a class statement"),
        },
    ),
    Module(
        "dataclasses",
        "classes of fields",
        names=_DATACLASSES,
        replaced={
            "dataclass": "only for a class of your own",
            "make_dataclass": "checks what it makes as a class statement does",
        },
        build=dataclass_makers,
    ),
    Module(
        "typing",
        "types",
        names=_TYPING,
        withheld={
            "no_type_check_decorator": "it has no use here",
            "get_overloads": "it hands out functions of libraries",
            "clear_overloads": "it would change names for the whole process",
        },
        replaced={
            "get_type_hints": "evaluates texts as eval does inside a snippet",
            **dict.fromkeys(
                words("final no_type_check runtime_checkable override dataclass_transform"), "only for what is your own"
            ),
            "reveal_type": "prints to the output of the step",
            "overload": "keeps no list",
            "Type": "of what stands for the builtin",
        },
        build=hints,
    ),
    Module(
        "types",
        "names of types",
        names=_TYPES,
        withheld={
            "CodeType": "code objects are not part of the language",
            "DynamicClassAttribute": "write a property",
        },
        replaced={
            "new_class": "checks what it makes as a class statement does",
            "resolve_bases": "tells classes as type(x) does",
            "prepare_class": "the same",
            "get_original_bases": "of what is your own",
            "coroutine": "wraps what is no generator function of your own",
            "SimpleNamespace": "has no address for numpy among its attributes",
            **dict.fromkeys(words("FunctionType LambdaType FrameType TracebackType"), "for isinstance alone"),
        },
        build=type_makers,
    ),
    Module(
        "abc",
        "abstract classes",
        names=_ABC,
        withheld={"update_abstractmethods": "write a class statement"},
        replaced=dict.fromkeys(
            words("abstractmethod abstractclassmethod abstractstaticmethod"), "only for what is your own"
        ),
        build=abstracts,
    ),
    Module(
        "contextlib",
        "with statements",
        names=_CONTEXTLIB,
        withheld={"chdir": "the working folder stays where it is"},
        replaced=dict.fromkeys(("redirect_stdout", "redirect_stderr"), "redirects the output of the step"),
        build=redirections,
    ),
    Module("contextvars", "variables of contexts", names="Context ContextVar Token copy_context", build=guarded),
    Module("copy", "copies", names="Error copy deepcopy error replace"),
    Module(
        "warnings",
        "warnings go to the output of the step",
        replaced={
            **dict.fromkeys([*OF_FILTERS, "catch_warnings"], "with filters of this session alone"),
            "deprecated": "only for what is your own",
        },
        build=warners,
    ),
    Module(
        "traceback",
        "texts about exceptions",
        withheld={
            **dict.fromkeys(words("walk_stack walk_tb extract_stack clear_frames"), _FRAMES),
            **dict.fromkeys(words("FrameSummary StackSummary"), _FRAMES),
        },
        replaced={
            **dict.fromkeys(
                words(
                    "format_exc print_exc format_exception format_exception_only print_exception format_tb print_tb "
                    "format_stack print_stack"
                ),
                "gives text, with the lines of the snippet alone",
            ),
            **dict.fromkeys(("extract_tb", "TracebackException"), "the frames of the snippet alone, as values"),
            **dict.fromkeys(("format_list", "print_list"), "looks for no line in a file"),
        },
        build=traces,
    ),
    Module(
        "weakref",
        "weak references",
        names=_WEAKREF,
        withheld={"finalize": "it would run outside the step"},
        replaced=dict.fromkeys(
            ("ref", "ReferenceType", "WeakMethod", "proxy"), "a callback keeps to the rules whenever it is called"
        ),
        build=references,
    ),
    Module(
        "ast",
        "literals and syntax trees as data",
        names="PyCF_ONLY_AST PyCF_TYPE_COMMENTS PyCF_ALLOW_TOP_LEVEL_AWAIT "
        "literal_eval parse dump unparse walk NodeVisitor AST get_docstring get_source_segment",
        replaced=dict.fromkeys(
            words("NodeTransformer iter_fields iter_child_nodes"), "follows the attribute rules in the fields of nodes"
        ),
        build=nodes,
    ),
    Module(
        "inspect",
        "what functions take, and what something is",
        names=_INSPECT,
        withheld={
            **dict.fromkeys(words("currentframe stack trace getouterframes getinnerframes getframeinfo"), _FRAMES),
            **dict.fromkeys(words("getfile getsourcefile getmodule getabsfile"), "it tells paths of this machine"),
            **dict.fromkeys(words("getattr_static getclosurevars getargvalues"), "it asks past the attribute rules"),
            **dict.fromkeys(words("getgeneratorlocals getcoroutinelocals getasyncgenlocals"), _FRAMES),
            "getcallargs": "use inspect.signature(function).bind(…).arguments",
            "unwrap": "your own functions have the attribute __wrapped__",
        },
        replaced={
            **dict.fromkeys(words("signature Signature getfullargspec"), "values of a library are told as text"),
            "getmembers": "of the names that may be said",
            **dict.fromkeys(words("getmro getsource getsourcelines"), "of what is your own"),
            "get_annotations": "a copy, evaluating no text",
            **dict.fromkeys(
                words("getgeneratorstate getcoroutinestate getasyncgenstate"), "of the interpreter's own kinds"
            ),
        },
        build=questions,
    ),
)
