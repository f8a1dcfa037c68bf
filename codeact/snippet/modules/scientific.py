"""Libraries a policy can allow, whole but for what reaches files, memory or code."""

from __future__ import annotations

from codeact.snippet.modules.algebra import formulas, hulls, pools, sparse_files
from codeact.snippet.modules.array_memory import masked, names_of_types
from codeact.snippet.modules.data_files import arrays, backends, figures, frames, styles
from codeact.snippet.modules.row import Module
from codeact.snippet.words import words

_CODE = "it runs text as code"
_INSIDE = "it reaches into the library or this machine"
_MEMORY = "it hands out memory without bounds"
_BYTES = "no bytes are taken for objects"
_PICKLE = "reading its data can run any code; use csv, json or parquet"
_OUTSIDE = "it reaches something outside; ask for a tool"
_FOR_ALL = "it would change what the library does for everyone"
_FOLDER = "files are looked for in the working folder"
_WHOLE = "allowed by the policy"

_POLYNOMIALS = words("chebyshev hermite hermite_e laguerre legendre polynomial")

_NUMPY = (
    Module(
        "numpy",
        _WHOLE,
        whole=True,
        needs="numpy",
        withheld={
            **dict.fromkeys(words("memmap from_dlpack"), _MEMORY),
            **dict.fromkeys(words("get_include show_config show_runtime info test"), _INSIDE),
            "bmat": "it looks names up by text; use np.block",
        },
        replaced={
            **dict.fromkeys(
                words("load save savez savez_compressed loadtxt savetxt genfromtxt fromfile fromregex"), _FOLDER
            ),
            **dict.fromkeys(words("ndarray frombuffer"), _BYTES),
        },
        build=arrays,
        parts=(
            "linalg",
            "random",
            "fft",
            "polynomial",
            "ma",
            "testing",
            "lib",
            "char",
            "strings",
            "rec",
            "exceptions",
            "dtypes",
            "typing",
            "emath",
        ),
    ),
    Module("numpy.linalg", "linear algebra", whole=True, needs="numpy", withheld={"test": _INSIDE}),
    Module("numpy.fft", "transforms", whole=True, needs="numpy", withheld={"test": _INSIDE}),
    Module("numpy.random", "generators", whole=True, needs="numpy", withheld={"test": _INSIDE}),
    Module(
        "numpy.char",
        "texts in arrays",
        whole=True,
        needs="numpy",
        # from numpy 2.5 on they are among its names
        withheld=dict.fromkeys(words("set_module array_function_dispatch"), "it would set up a function of a library"),
    ),
    Module("numpy.strings", "texts in arrays", whole=True, needs="numpy"),
    Module("numpy.exceptions", "exceptions", whole=True, needs="numpy"),
    Module("numpy.dtypes", "types", whole=True, needs="numpy", withheld={"register_dlpack_dtype": _FOR_ALL}),
    Module("numpy.typing", "types", names="ArrayLike DTypeLike", needs="numpy", build=names_of_types),
    Module(
        "numpy.rec",
        "records",
        names="array fromarrays fromrecords fromstring recarray record format_parser",
        needs="numpy",
    ),
    Module(
        "numpy.ma",
        "masked arrays",
        whole=True,
        needs="numpy",
        withheld={"test": _INSIDE},
        replaced={"frombuffer": _BYTES},
        build=masked,
    ),
    Module(
        "numpy.polynomial",
        "polynomials",
        whole=True,
        needs="numpy",
        withheld={"test": _INSIDE},
        parts=tuple(_POLYNOMIALS),
    ),
    *(Module(f"numpy.polynomial.{kind}", "polynomials", whole=True, needs="numpy") for kind in _POLYNOMIALS),
    *(
        Module(f"numpy.{name}", "functions of complex results", whole=True, needs="numpy", source="numpy.lib.scimath")
        for name in ("emath", "lib.scimath")
    ),
    Module(
        "numpy.lib",
        "parts of arrays",
        names="Arrayterator NumpyVersion",
        needs="numpy",
        parts=("stride_tricks", "scimath", "mixins"),
    ),
    Module("numpy.lib.mixins", "operators of a class of one's own", names="NDArrayOperatorsMixin", needs="numpy"),
    Module(
        "numpy.lib.stride_tricks",
        "views within bounds",
        names="sliding_window_view broadcast_to broadcast_arrays broadcast_shapes",
        needs="numpy",
        withheld={"as_strided": _MEMORY},
    ),
    Module(
        "numpy.testing",
        "assertions",
        names="assert_ assert_allclose assert_almost_equal assert_approx_equal assert_array_almost_equal "
        "assert_array_almost_equal_nulp assert_array_equal assert_array_less assert_array_max_ulp assert_equal "
        "assert_raises assert_raises_regex assert_string_equal",
        needs="numpy",
    ),
)

_PANDAS = (
    Module(
        "pandas",
        _WHOLE,
        whole=True,
        needs="pandas",
        withheld={
            "eval": _CODE,
            **dict.fromkeys(words("read_pickle to_pickle read_hdf HDFStore"), _PICKLE),
            **dict.fromkeys(words("read_sql_table read_clipboard read_gbq read_iceberg"), _OUTSIDE),
            **dict.fromkeys(words("read_sas read_spss"), "pass a file of the working folder to read_csv"),
            **dict.fromkeys(words("test show_versions"), _INSIDE),
        },
        replaced={
            **dict.fromkeys(words("read_csv read_json"), _FOLDER),
            **dict.fromkeys(words("ExcelFile ExcelWriter"), "tables and names of sheets, in the working folder"),
            "pivot_table": "texts follow the attribute rules",
        },
        build=frames,
        parts=("api", "errors", "offsets", "arrays", "testing", "plotting", "tseries", "util"),
    ),
    Module("pandas.api", "parts", needs="pandas", parts=("types",)),
    Module("pandas.api.types", "questions about types", whole=True, needs="pandas"),
    Module("pandas.errors", "exceptions", whole=True, needs="pandas"),
    Module("pandas.util", "hashes of data", names="hash_array hash_pandas_object", needs="pandas"),
    Module("pandas.offsets", "steps of time", whole=True, needs="pandas", source="pandas.tseries.offsets"),
    Module("pandas.tseries", "steps of time", needs="pandas", parts=("offsets", "frequencies")),
    Module("pandas.tseries.offsets", "steps of time", whole=True, needs="pandas"),
    Module("pandas.tseries.frequencies", "steps of time", names="to_offset infer_freq", needs="pandas"),
    Module("pandas.arrays", "arrays", whole=True, needs="pandas"),
    Module(
        "pandas.testing",
        "assertions",
        names="assert_frame_equal assert_series_equal assert_index_equal assert_extension_array_equal",
        needs="pandas",
    ),
    Module(
        "pandas.plotting",
        "charts",
        names="andrews_curves autocorrelation_plot bootstrap_plot lag_plot parallel_coordinates radviz "
        "register_matplotlib_converters scatter_matrix table",
        needs="pandas",
    ),
)

_MATPLOTLIB = (
    Module(
        "matplotlib",
        _WHOLE,
        names="colormaps color_sequences rc rc_context rcdefaults cycler get_backend",
        needs="matplotlib",
        replaced={"use": "the backend stays Agg", "rcParams": "as it is", "rc_context": _FOLDER},
        build=backends,
        parts=("pyplot", "style", "cm", "colors", "dates", "ticker", "patches", "lines", "gridspec", "figure"),
    ),
    Module(
        "matplotlib.pyplot",
        "charts, which come back as images",
        whole=True,
        needs="matplotlib",
        withheld={
            **dict.fromkeys(
                words("switch_backend backend_registry install_repl_displayhook uninstall_repl_displayhook"),
                "the backend stays Agg",
            ),
            **dict.fromkeys(words("new_figure_manager rcParamsOrig FigureManagerBase FigureCanvasBase"), _INSIDE),
            **dict.fromkeys(words("ginput waitforbuttonpress connect disconnect"), "nobody is there to click"),
            **dict.fromkeys(words("importlib sys threading logging functools inspect"), _INSIDE),
        },
        replaced={
            **dict.fromkeys(words("savefig imread imsave rc_context"), _FOLDER),
            "show": "the figure is shown as an image",
            "set_loglevel": "does nothing",
            "rcParamsDefault": "a copy",
        },
        build=figures,
    ),
    Module("matplotlib.style", "looks", needs="matplotlib", build=styles),
    *(
        Module(f"matplotlib.{part}", "parts of charts", whole=True, needs="matplotlib")
        for part in words("cm colors dates ticker patches lines gridspec figure collections markers transforms")
    ),
)

_BELOW = {
    "cluster": ("hierarchy", "vq"),
    "signal": ("windows",),
    "stats": ("contingency", "distributions", "mstats"),
}

_SYMPY_INSIDE = "it looks names up where they do not belong; use Symbol and symbols"
_SYMPY_DRAWS = "it draws or starts programs; use matplotlib, latex or pretty"
_SYMPY_PRINTS = "it prints past the output of the step; print the text that pretty, latex or ccode gives"

_OTHERS = (
    Module(
        "sympy",
        _WHOLE,
        whole=True,
        needs="sympy",
        withheld={
            **dict.fromkeys(words("test doctest source init_session interactive_traversal"), _INSIDE),
            **dict.fromkeys(words("var vring vfield EPath epath public"), _SYMPY_INSIDE),
            **dict.fromkeys(words("register_handler remove_handler"), _FOR_ALL),
            "timed": "it runs text as code; take the time with time.perf_counter",
            **dict.fromkeys(words("preview plot plot_backends plot_implicit plot_parametric plot3d"), _SYMPY_DRAWS),
            **dict.fromkeys(words("plot3d_parametric_line plot3d_parametric_surface textplot PlotGrid"), _SYMPY_DRAWS),
            **dict.fromkeys(words("pager_print print_ccode print_fcode print_glsl print_gtk"), _SYMPY_PRINTS),
            **dict.fromkeys(words("print_jscode print_latex print_maple_code print_mathml"), _SYMPY_PRINTS),
            **dict.fromkeys(words("print_python print_rcode print_tree"), _SYMPY_PRINTS),
        },
        replaced={
            **dict.fromkeys(("pprint", "pretty_print"), "prints to the output of the step"),
            "init_printing": "settles how pprint prints in this session",
        },
        build=formulas,
        parts=(
            *words("assumptions calculus concrete core discrete functions geometry integrals logic matrices ntheory"),
            *words("parsing polys printing sets solvers tensor utilities"),
        ),
    ),
    *(
        Module(
            f"scipy.{part}",
            "numbers in arrays",
            whole=True,
            needs="scipy",
            withheld={"test": _INSIDE},
            build=pools,
            parts=_BELOW.get(part, ()),
        )
        for part in words("stats optimize linalg interpolate integrate signal special ndimage cluster constants")
    ),
    Module(
        "scipy.fft",
        "numbers in arrays",
        whole=True,
        needs="scipy",
        withheld={
            "test": _INSIDE,
            **dict.fromkeys(words("set_global_backend register_backend set_backend skip_backend"), _FOR_ALL),
        },
        build=pools,
    ),
    Module(
        "scipy.sparse",
        "numbers in arrays",
        whole=True,
        needs="scipy",
        withheld={"test": _INSIDE},
        replaced=dict.fromkeys(("load_npz", "save_npz"), _FOLDER),
        build=sparse_files,
        parts=("linalg", "csgraph"),
    ),
    Module("scipy.sparse.linalg", "numbers in arrays", whole=True, needs="scipy", withheld={"test": _INSIDE}),
    Module("scipy.sparse.csgraph", "graphs in arrays", whole=True, needs="scipy", withheld={"test": _INSIDE}),
    Module(
        "scipy.spatial",
        "points in arrays",
        whole=True,
        needs="scipy",
        withheld={"test": _INSIDE, "HalfspaceIntersection": "its options can name files"},
        replaced=dict.fromkeys(("ConvexHull", "Delaunay", "Voronoi"), "options may not name files"),
        build=hulls,
        parts=("distance",),
    ),
    Module("scipy.spatial.distance", "distances", whole=True, needs="scipy"),
    Module("scipy.cluster.hierarchy", "clusters of points", whole=True, needs="scipy"),
    Module("scipy.cluster.vq", "clusters of points", whole=True, needs="scipy"),
    Module(
        "scipy",
        _WHOLE,
        needs="scipy",
        parts=(
            *words("cluster constants fft integrate interpolate linalg ndimage optimize signal sparse spatial special"),
            "stats",
        ),
    ),
)

ROWS = (*_NUMPY, *_PANDAS, *_MATPLOTLIB, *_OTHERS)
