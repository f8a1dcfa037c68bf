"""What is known not to change anything: a table, so that everything else counts as changing what it touches."""

from __future__ import annotations

from codeact.snippet.words import word_set

# builtins that change none of their arguments and keep none of them in their result
SCALAR_BUILTINS = word_set(
    """
    abs all any ascii bin bool bytes callable chr complex divmod float format hash hex id int isinstance
    issubclass len oct ord pow print range repr round str sum type hasattr
    """
)

# builtins that change none of their arguments but may hold them, or parts of them, in their result
HOLDING_BUILTINS = word_set(
    """
    dict enumerate filter frozenset getattr iter list map max min reversed set slice sorted tuple zip object
    property staticmethod classmethod super vars dir
    """
)

# what these return is used up by reading it: whoever reads it changes it
ITERATORS = word_set(
    """
    enumerate filter iter map reversed zip open reader DictReader finditer scandir
    """
)
ITERATOR_MODULES = frozenset(["itertools"])

# builtins and methods that call a function or drain a generator at once, before they return
EAGER = word_set(
    """
    all any dict frozenset list max min set sorted sum tuple join apply agg aggregate assign sort sort_values
    transform groupby next len extend update reduce fsum mean median stdev pstdev variance Counter
    nlargest nsmallest pipe
    """
)

# methods of the built-in, numpy and pandas types that leave their object and their arguments as they are
PURE_METHODS = word_set(
    """
    capitalize casefold center count encode decode endswith expandtabs find format format_map index isalnum
    isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join
    ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip
    split splitlines startswith strip swapcase title translate upper zfill hex copy get items keys values
    difference intersection isdisjoint issubset issuperset symmetric_difference union elements most_common
    total as_integer_ratio bit_count bit_length conjugate is_integer quantize to_eng_string sqrt normalize
    date time isoformat isocalendar isoweekday strftime timestamp timetuple toordinal total_seconds weekday
    astimezone fromisoformat strptime today now fromtimestamp fromordinal combine group groups groupdict span
    start end match search fullmatch findall sub subn read_text read_bytes exists is_file is_dir glob iterdir
    resolve with_suffix abs agg aggregate all any apply applymap argmax argmin argsort assign astype at_time
    between bfill clip combine_first corr cov cummax cummin cumprod cumsum describe diff div divide dot drop
    drop_duplicates dropna duplicated eq equals expanding explode ffill fillna filter first floordiv ge
    groupby gt head hist idxmax idxmin iloc info interpolate isin isna isnull iterrows itertuples join kurt
    last le loc lt map max mean median melt memory_usage merge min mod mode mul multiply ne nlargest notna
    notnull nsmallest nunique pct_change pipe pivot pivot_table pow prod product quantile query rank reindex
    rename reset_index resample rolling round sample select_dtypes sem set_index shift size skew sort_index
    sort_values squeeze stack std sub sum swaplevel tail to_dict to_frame to_list to_numpy to_records
    to_string tolist transform transpose truediv tz_convert tz_localize unique unstack value_counts var where
    xs contains extract extractall len pad repeat cat day_name month_name to_period to_pydatetime flatten
    ravel reshape nonzero trace item tobytes map submit result aio
    """
)

# functions of modules that change an argument; all others leave theirs alone
CHANGING_FUNCTIONS = word_set(
    """
    shuffle heappush heappop heapify heapreplace heappushpop insort insort_left insort_right setitem delitem
    iadd iconcat isub imul ior iand ixor setattr delattr next put place copyto fill_diagonal at setdefault
    update writerow writerows writeheader dump seek truncate
    """
)

# modules that remember: each call of one depends on those before
STATEFUL_MODULES = word_set(
    """
    random matplotlib matplotlib.pyplot numpy.random decimal locale warnings logging contextlib seaborn pylab
    turtle os shutil sqlite3 tempfile gc sys threading
    """
)
STATEFUL_FUNCTIONS = word_set(
    """
    getcontext setcontext localcontext seed set_option filterwarnings
    """
)

# what writes files of the working folder, and what reads them
FILE_WRITERS = word_set(
    """
    write_text write_bytes savefig to_csv to_parquet to_excel to_json to_html to_markdown to_pickle to_feather
    save savez savetxt imsave mkdir unlink rename rmdir touch makedirs remove dump write writelines writerow
    writerows writeheader copyfile move connect
    """
)
FILE_READERS = word_set(
    """
    open read_text read_bytes read_csv read_parquet read_excel read_json read_html read_table read_feather
    load loadtxt genfromtxt exists is_file is_dir glob iterdir rglob listdir scandir walk connect getsize stat
    """
)
SHOWS = frozenset(["show", "display"])
FILES = "<files>"
