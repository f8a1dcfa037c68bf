"""Modules about the interpreter, the clock, files and the way of a program: small parts, made for snippets."""

from __future__ import annotations

from codeact.snippet.modules.clocks import clocks
from codeact.snippet.modules.interpreter import collecting, interpreter, locales, machine, memory_files
from codeact.snippet.modules.logging_ import logs
from codeact.snippet.modules.moving import folder_moves
from codeact.snippet.modules.path_class import folder_paths
from codeact.snippet.modules.paths import WORKED, file_names, folder_calls
from codeact.snippet.modules.row import Module
from codeact.snippet.modules.temporary import temporary_files
from codeact.snippet.modules.timing import timers
from codeact.snippet.modules.walking import globs
from codeact.snippet.modules.xml_trees import documents, trees
from codeact.snippet.words import words

_PROCESS = "it starts a process or changes this one; ask for a tool that does what is needed"
_SHARED = "it would change the whole process"
_MACHINE = "it tells about this machine"

_SYS = """
abiflags api_version byteorder copyright float_info float_repr_style getdefaultencoding getfilesystemencodeerrors
builtin_module_names dont_write_bytecode getallocatedblocks getfilesystemencoding getswitchinterval is_finalizing
platlibdir stdlib_module_names get_int_max_str_digits getsizeof hash_info hexversion int_info intern maxsize maxunicode
platform thread_info version version_info exc_info exception flags
"""

_TIME = """
CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID CLOCK_REALTIME CLOCK_THREAD_CPUTIME_ID altzone asctime clock_getres
clock_gettime clock_gettime_ns ctime daylight get_clock_info gmtime localtime mktime monotonic monotonic_ns
perf_counter perf_counter_ns process_time process_time_ns sleep strftime strptime struct_time thread_time thread_time_ns
time time_ns timezone tzname
"""

_OS = """
EX_CANTCREAT EX_CONFIG EX_DATAERR EX_IOERR EX_NOHOST EX_NOINPUT EX_NOPERM EX_NOUSER EX_OK EX_OSERR EX_OSFILE
EX_PROTOCOL EX_SOFTWARE EX_TEMPFAIL EX_UNAVAILABLE
EX_USAGE F_OK PathLike R_OK SEEK_CUR SEEK_END SEEK_SET W_OK X_OK altsep curdir defpath devnull error extsep fdatasync
fsdecode fsencode fspath fsync linesep name pardir pathsep sep stat_result strerror terminal_size times_result urandom
"""

_LOCALE = """
CHAR_MAX Error LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME atof atoi currency delocalize
format_string getencoding getlocale getpreferredencoding localeconv localize normalize str strcoll strxfrm
"""

_LOGGING = """
BASIC_FORMAT CRITICAL DEBUG ERROR FATAL INFO NOTSET WARN WARNING Filter LogRecord getLevelName getLevelNamesMapping
"""

_TREES = """
Comment Element PI ParseError ProcessingInstruction QName SubElement TreeBuilder VERSION XML XMLID XMLPullParser
fromstring fromstringlist indent iselement tostring tostringlist
"""

_DOCUMENTS = """
Attr AttributeList CDATASection CharacterData Comment Document DocumentFragment DocumentType Element NamedNodeMap Node
NodeList ProcessingInstruction Text EMPTY_NAMESPACE EMPTY_PREFIX XMLNS_NAMESPACE getDOMImplementation
"""

_OF_DOM = """
DOMException DOMSTRING_SIZE_ERR DomstringSizeErr EMPTY_NAMESPACE EMPTY_PREFIX HIERARCHY_REQUEST_ERR HierarchyRequestErr
INDEX_SIZE_ERR INUSE_ATTRIBUTE_ERR INVALID_ACCESS_ERR INVALID_CHARACTER_ERR INVALID_MODIFICATION_ERR INVALID_STATE_ERR
IndexSizeErr InuseAttributeErr InvalidAccessErr InvalidCharacterErr InvalidModificationErr InvalidStateErr NAMESPACE_ERR
NOT_FOUND_ERR NOT_SUPPORTED_ERR NO_DATA_ALLOWED_ERR NO_MODIFICATION_ALLOWED_ERR NamespaceErr NoDataAllowedErr
NoModificationAllowedErr Node NotFoundErr NotSupportedErr SYNTAX_ERR SyntaxErr VALIDATION_ERR ValidationErr
WRONG_DOCUMENT_ERR WrongDocumentErr XHTML_NAMESPACE XMLNS_NAMESPACE XML_NAMESPACE
"""

_FILES = "names of files, and the files of the working folder"

_OS_PATH = """
altsep basename commonpath commonprefix curdir defpath devnull dirname samestat supports_unicode_filenames extsep
isabs join normcase normpath pardir pathsep sep split splitdrive splitext splitroot
"""

_IO = """
BlockingIOError BufferedIOBase BytesIO DEFAULT_BUFFER_SIZE IOBase IncrementalNewlineDecoder SEEK_CUR SEEK_END SEEK_SET
StringIO TextIOBase TextIOWrapper UnsupportedOperation text_encoding Reader Writer
"""

_PROCESSES = """
system popen fork forkpty execv execve execvp execvpe execl execle execlp execlpe spawnl spawnv spawnve spawnvp
posix_spawn posix_spawnp kill killpg abort _exit startfile putenv unsetenv chroot setuid setgid nice umask
"""

ROWS = (
    Module(
        "sys",
        "facts about the interpreter",
        names=_SYS,
        withheld={
            "modules": "it holds every module of the process; use import",
            "path": "it tells where modules are searched for; imports are decided by the policy",
            "settrace": _SHARED,
            "setprofile": _SHARED,
            "_getframe": "frames hold the variables of every function that is running",
            "set_int_max_str_digits": _SHARED,
            "addaudithook": _SHARED,
            "exc_clear": _SHARED,
        },
        replaced={
            "stdout": "the output of the step",
            "stderr": "the output of the step",
            "stdin": "empty, until it is set",
            "argv": "the name of the snippet alone, until it is set",
            "exit": "raises SystemExit",
            "setrecursionlimit": "from 300 to 10,000, for the step",
            "getrecursionlimit": "what the snippet set",
            "getrefcount": "a number",
            "implementation": "a copy",
        },
        build=interpreter,
    ),
    Module(
        "platform",
        "facts about the interpreter",
        names="python_branch python_build python_compiler python_implementation python_revision python_version "
        "python_version_tuple",
        withheld=dict.fromkeys(words("architecture machine node platform processor release uname version"), _MACHINE),
        replaced={"system": "the same on all machines"},
        build=machine,
    ),
    Module(
        "time",
        "clocks",
        names=_TIME,
        withheld={"tzset": _SHARED, "clock_settime": _SHARED, "clock_settime_ns": _SHARED},
        replaced={"sleep": "threads that were started do their work first"},
        build=clocks,
    ),
    Module(
        "gc",
        "gives memory back",
        source=None,
        withheld=dict.fromkeys(words("get_objects get_referrers get_referents"), "it hands out objects of others"),
        replaced={
            **dict.fromkeys(words("collect is_tracked is_finalized get_count get_debug"), "as it is"),
            **dict.fromkeys(
                words("enable disable isenabled get_threshold set_threshold"),
                "noted alone: the process collects as it does",
            ),
        },
        build=collecting,
    ),
    Module(
        "timeit",
        "how long functions take",
        source=None,
        replaced=dict.fromkeys(("default_timer", "timeit", "repeat", "Timer"), "functions alone, no texts"),
        build=timers,
    ),
    Module(
        "os",
        _FILES,
        names=_OS,
        withheld={
            **dict.fromkeys(words(_PROCESSES), _PROCESS),
            **dict.fromkeys(words("chdir fchdir"), "the working folder stays where it is; write paths below it"),
            **dict.fromkeys(words("open fdopen dup dup2 pipe read write close"), "use the builtin open"),
            **dict.fromkeys(words("symlink link"), "links could lead out of the working folder"),
            **dict.fromkeys(words("getlogin getuid getgid getpid getppid uname"), _MACHINE),
            **dict.fromkeys(words("chmod chown"), "files keep the modes they are made with"),
        },
        replaced={
            "environ": "empty at first",
            "getenv": "what the snippet put into environ",
            **dict.fromkeys(("getcwd", "getcwdb"), "the working folder"),
            "get_terminal_size": "an error: there is none",
            "cpu_count": "1",
            "times": "by the clocks of the session, all of it the user's",
            "DirEntry": "what scandir gives",
            **dict.fromkeys(WORKED, "in the working folder"),
        },
        build=folder_calls,
        parts=("path",),
    ),
    Module("os.path", _FILES, names=_OS_PATH, build=file_names),
    Module("pathlib", _FILES, names="PurePath PurePosixPath PureWindowsPath", build=folder_paths),
    Module("glob", "finds files of the working folder", names="escape has_magic", build=globs),
    Module(
        "io",
        "files in memory, and those of the working folder",
        names=_IO,
        withheld={"open_code": "it runs code"},
        replaced={
            "open": "opens files of the working folder",
            "FileIO": "for isinstance alone; use open",
            **dict.fromkeys(
                words("RawIOBase BufferedReader BufferedWriter BufferedRandom BufferedRWPair"),
                "a stream below gets copies of what is read and written",
            ),
        },
        build=memory_files,
    ),
    Module("errno", "numbers of errors", whole=True),
    Module("stat", "what the modes of files mean", whole=True),
    Module("http", "what answers and requests are called; nothing is reached", names="HTTPMethod HTTPStatus"),
    Module("http.cookies", "headers as text; nothing is reached", names="BaseCookie CookieError Morsel SimpleCookie"),
    Module(
        "locale",
        "facts about number and date formats",
        names=_LOCALE,
        replaced={"setlocale": "answers what the locale is; setting another is refused"},
        build=locales,
    ),
    Module(
        "logging",
        "messages go to the output of the step",
        names=_LOGGING,
        withheld={"config": "use basicConfig"},
        replaced={
            "getLogger": "loggers of this session alone",
            "addLevelName": "for this session alone",
            "makeLogRecord": "sets attributes as setattr does",
            "FileHandler": "opens files of the working folder",
        },
        build=logs,
    ),
    Module("xml", "the package of xml.etree", source=None, parts=("etree",)),
    Module("xml.etree", "the package of xml.etree.ElementTree", source=None, parts=("ElementTree",)),
    Module(
        "xml.etree.ElementTree",
        "trees in memory",
        names=_TREES,
        withheld={
            "iterparse": "parse a text with fromstring",
            "XMLParser": "leave it out, fromstring and parse make one; XMLPullParser takes a text in parts",
        },
        replaced={
            **dict.fromkeys(("ElementTree", "parse"), "files of the working folder"),
            "register_namespace": "for this session alone",
        },
        build=trees,
    ),
    Module("xml.dom", "the package of xml.dom.minidom, its constants and exceptions", names=_OF_DOM),
    Module("xml.sax", "the package of xml.sax.saxutils", source=None),
    Module(
        "xml.sax.saxutils",
        "escapes text",
        names="escape quoteattr unescape",
        withheld=dict.fromkeys(
            ("XMLGenerator", "XMLFilterBase", "prepare_input_source"), "use xml.etree.ElementTree or xml.dom.minidom"
        ),
    ),
    Module(
        "xml.dom.minidom",
        "documents in memory",
        names=_DOCUMENTS,
        replaced={"parse": "files of the working folder", "parseString": "text in memory"},
        build=documents,
    ),
    Module("xml.parsers", "the package of xml.parsers.expat", source=None),
    Module("xml.parsers.expat", "its exception", names="ErrorString ExpatError error"),
    Module(
        "tempfile",
        "files and folders of the working folder",
        source=None,
        withheld={
            "mkstemp": "it gives a descriptor; use NamedTemporaryFile(delete=False)",
            "mktemp": "the name could be taken by then; use mkdtemp",
            "SpooledTemporaryFile": "use io.BytesIO",
        },
        replaced=dict.fromkeys(
            words("gettempdir gettempdirb mkdtemp TemporaryDirectory NamedTemporaryFile TemporaryFile"),
            "in the working folder",
        ),
        build=temporary_files,
    ),
    Module(
        "shutil",
        _FILES,
        names="COPY_BUFSIZE Error ReadError SameFileError SpecialFileError copyfileobj ignore_patterns",
        withheld={
            **dict.fromkeys(words("chown disk_usage which"), "it tells about this machine"),
        },
        replaced={
            **dict.fromkeys(words("copy copy2 copyfile copytree move rmtree"), "in the working folder"),
            **dict.fromkeys(("make_archive", "unpack_archive"), "in the working folder, of the kind 'zip'"),
            "get_terminal_size": "80 columns",
        },
        build=folder_moves,
    ),
)
