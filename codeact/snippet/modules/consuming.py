"""Functions of modules that work through all they are given, or make much of little: it is charged.

No draw of a snippet sees what they do. The facades hand out functions that charge first, so that it makes no
difference by which name they are called.
"""

from __future__ import annotations

from codeact.snippet.words import words

#: Module → its functions that are charged for the items and characters they are given, and for those they give.
CONSUMING: dict[str, list[str]] = {
    "statistics": words(
        """mean fmean geometric_mean harmonic_mean median median_low median_high median_grouped mode multimode pstdev
        pvariance stdev variance quantiles correlation covariance linear_regression kde kde_random"""
    ),
    "heapq": words("merge nlargest nsmallest"),
    "random": words("sample choices shuffle randbytes"),
    "secrets": words("token_bytes token_hex token_urlsafe"),
    "os": words("urandom"),
    "copy": words("copy deepcopy replace"),
    "json": words("dump dumps load loads"),
    "textwrap": words("wrap fill shorten dedent indent"),
    "difflib": words("get_close_matches ndiff unified_diff context_diff restore diff_bytes"),
    "string": words("capwords"),
    "re": words("findall finditer sub subn split"),
    "html": words("escape unescape"),
    "urllib.parse": words(
        """quote quote_plus quote_from_bytes unquote unquote_plus unquote_to_bytes urlencode parse_qs parse_qsl urlsplit
        urlparse urljoin"""
    ),
    "base64": words(
        "b64encode b64decode b32encode b32decode b16encode b16decode b85encode b85decode z85encode z85decode"
    ),
    "gzip": words("compress decompress"),
    "bz2": words("compress decompress"),
    "lzma": words("compress decompress"),
    "zipfile.ZipFile": words("read writestr"),
    "shlex": words("split join"),
    "fnmatch": words("filter"),
    "ast": words("literal_eval parse"),
    "pprint": words("pformat pprint pp"),
    "os.path": words("join normpath commonprefix commonpath"),
    "xml.etree.ElementTree": words("fromstring XML tostring"),
    "xml.dom.minidom": words("parseString"),
    "plistlib": words("dumps loads"),
    "email": words("message_from_string message_from_bytes"),
}

#: Module → its functions that are written in C, of which `charges.py` knows what they take.
WRITTEN_IN_C: dict[str, list[str]] = {
    "math": words("factorial comb perm prod lcm"),
    "operator": words("pow ipow lshift ilshift contains countOf indexOf"),
    "functools": words("reduce"),
    "itertools": words("tee"),
    "hashlib": words("pbkdf2_hmac"),
}

#: Those of them that go through an iterator they are given; any other has it as it is, to copy, show or complain about.
GOING_THROUGH: dict[str, list[str]] = {
    "statistics": words(
        """mean fmean geometric_mean harmonic_mean median median_low median_high median_grouped mode multimode pstdev
        pvariance stdev variance quantiles"""
    ),
    "heapq": CONSUMING["heapq"],
    "difflib": words("get_close_matches restore diff_bytes"),
    "shlex": words("join"),
    "fnmatch": words("filter"),
    "os.path": words("commonpath"),
}

#: Function → how much of a number it is given makes one element: what it makes is as large as the number says.
AMOUNTS: dict[str, int] = {
    "sample": 1,
    "choices": 1,
    "randbytes": 8,
    "urandom": 8,
    "token_bytes": 8,
    "token_hex": 8,
    "token_urlsafe": 8,
}

#: Function of a generator → which of its arguments it looks items up in, and does not go through: place or name.
LOOKED_UP: dict[str, tuple[int | str, ...]] = {
    "sample": (1, "population"),
    "choices": (1, "population", "cum_weights"),
}
