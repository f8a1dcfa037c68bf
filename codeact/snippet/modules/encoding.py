"""Modules that turn values into text or bytes and back."""

from __future__ import annotations

import codecs
import csv
import struct
from typing import Any

from codeact.snippet import lent_memory, types_
from codeact.snippet.modules.archives import archives
from codeact.snippet.modules.files import bz2_files, gzip_files, lzma_files
from codeact.snippet.modules.row import Module, Room

_CSV = """
Dialect DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC QUOTE_NOTNULL QUOTE_STRINGS
Sniffer excel excel_tab field_size_limit get_dialect list_dialects reader unix_dialect unregister_dialect writer
"""


def dialects(room: Room) -> dict[str, Any]:
    """The replaced names of csv."""

    def register_dialect(name: Any, *dialect: Any, **settings: Any) -> None:
        # the names are compared between the steps, where nothing of a snippet's may run
        csv.register_dialect(str.__str__(name) if isinstance(name, str) else name, *dialect, **settings)

    return {"register_dialect": register_dialect}


_BASE64 = """
a85decode a85encode b16decode b16encode b32decode b32encode b32hexdecode b32hexencode b64decode b64encode b85decode
b85encode decode decodebytes encode encodebytes standard_b64decode standard_b64encode urlsafe_b64decode
urlsafe_b64encode z85decode z85encode
"""

_BINASCII = """
Error Incomplete a2b_base64 a2b_hex a2b_qp a2b_uu b2a_base64 b2a_hex b2a_qp b2a_uu crc32 crc_hqx hexlify unhexlify
"""

_HASHLIB = """
algorithms_available algorithms_guaranteed blake2b blake2s file_digest md5 new pbkdf2_hmac sha1 sha224 sha256 sha384
sha3_224 sha3_256 sha3_384 sha3_512 sha512 shake_128 shake_256
"""

_SECRETS = """
SystemRandom choice compare_digest randbelow randbits token_bytes token_hex token_urlsafe
"""

_UUID = """
NAMESPACE_DNS NAMESPACE_OID NAMESPACE_URL NAMESPACE_X500 RESERVED_FUTURE RESERVED_MICROSOFT RESERVED_NCS RFC_4122
SafeUUID UUID uuid3 uuid4 uuid5 uuid7 uuid8 NIL MAX
"""

_ZLIB = """
DEFLATED DEF_BUF_SIZE DEF_MEM_LEVEL MAX_WBITS ZLIB_RUNTIME_VERSION ZLIB_VERSION Z_BEST_COMPRESSION Z_BEST_SPEED
Z_BLOCK Z_DEFAULT_COMPRESSION Z_DEFAULT_STRATEGY Z_FILTERED Z_FINISH Z_FIXED Z_FULL_FLUSH Z_HUFFMAN_ONLY
Z_NO_COMPRESSION Z_NO_FLUSH Z_PARTIAL_FLUSH Z_RLE Z_SYNC_FLUSH Z_TREES adler32 compress compressobj crc32 decompress
decompressobj error
"""

_LZMA = """
CHECK_CRC32 CHECK_CRC64 CHECK_ID_MAX CHECK_NONE CHECK_SHA256 CHECK_UNKNOWN FILTER_ARM FILTER_ARMTHUMB FILTER_DELTA
FILTER_IA64 FILTER_LZMA1 FILTER_LZMA2 FILTER_POWERPC FILTER_SPARC FILTER_X86 FORMAT_ALONE FORMAT_AUTO FORMAT_RAW
FORMAT_XZ LZMACompressor LZMADecompressor LZMAError MF_BT2 MF_BT3 MF_BT4 MF_HC3 MF_HC4 MODE_FAST MODE_NORMAL
PRESET_DEFAULT PRESET_EXTREME compress decompress is_check_supported
"""

_ZIPFILE = """
BadZipFile BadZipfile LargeZipFile ZIP_BZIP2 ZIP_DEFLATED ZIP_LZMA ZIP_STORED ZipExtFile ZipInfo error
"""

_CODECS = """
BOM BOM32_BE BOM32_LE BOM64_BE BOM64_LE BOM_BE BOM_LE BOM_UTF8 BOM_UTF16 BOM_UTF16_BE BOM_UTF16_LE BOM_UTF32
BOM_UTF32_BE BOM_UTF32_LE encode decode getdecoder getencoder iterencode iterdecode getincrementaldecoder
getincrementalencoder lookup_error strict_errors ignore_errors replace_errors xmlcharrefreplace_errors
backslashreplace_errors namereplace_errors
"""

_URLLIB_PARSE = """
DefragResult DefragResultBytes ParseResult ParseResultBytes SplitResult SplitResultBytes parse_qs parse_qsl quote
quote_from_bytes quote_plus unquote unquote_plus unquote_to_bytes urldefrag urlencode urljoin urlparse urlsplit
urlunparse urlunsplit
"""

_IPADDRESS = """
AddressValueError IPV4LENGTH IPV6LENGTH IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network
NetmaskValueError collapse_addresses get_mixed_type_key ip_address ip_interface ip_network summarize_address_range
v4_int_to_packed v6_int_to_packed
"""


class CodecInfo:
    """What is told of an encoding; its streams are not there."""

    __slots__ = ("decode", "encode", "incrementaldecoder", "incrementalencoder", "name")

    def __init__(self, found: codecs.CodecInfo) -> None:
        self.name, self.encode, self.decode = found.name, found.encode, found.decode
        self.incrementalencoder, self.incrementaldecoder = found.incrementalencoder, found.incrementaldecoder

    def __repr__(self) -> str:
        return f"<codecs.CodecInfo object for encoding {self.name} at {id(self):#x}>"


def encodings(room: Room) -> dict[str, Any]:
    """The replaced name of codecs."""

    def lookup(encoding: str, /) -> CodecInfo:
        return CodecInfo(codecs.lookup(encoding))

    return {"lookup": lookup}


types_.present(CodecInfo, codecs.CodecInfo)

ROWS = (
    Module(
        "json",
        "text in memory or in open files",
        names="JSONDecodeError JSONDecoder JSONEncoder dump dumps load loads",
        parts=("decoder", "encoder"),
    ),
    Module("json.decoder", "the exception and the class of json", names="JSONDecodeError JSONDecoder"),
    Module("json.encoder", "the class of json", names="JSONEncoder"),
    Module("csv", "text in memory or in open files", names=_CSV, build=dialects),
    Module("base64", "bytes in memory or in open files", names=_BASE64),
    Module("binascii", "bytes in memory", names=_BINASCII),
    Module("quopri", "bytes in memory or in open files", names="decode decodestring encode encodestring"),
    Module(
        "struct",
        "bytes in memory",
        names="Struct calcsize error iter_unpack pack unpack unpack_from",
        replaced={"pack_into": "fills no memory that holds objects"},
        build=lambda room: {"pack_into": lent_memory.guarded(struct.pack_into, "pack_into")},
    ),
    Module("hashlib", "digests of bytes", names=_HASHLIB),
    Module("hmac", "digests of bytes", names="HMAC compare_digest digest digest_size new"),
    Module("secrets", "random bytes", names=_SECRETS),
    Module(
        "uuid",
        "identifiers",
        names=_UUID,
        withheld={
            "getnode": "it tells the address of the network card",
            **dict.fromkeys(("uuid1", "uuid6"), "it tells the address of the network card; use uuid4"),
        },
    ),
    Module("zlib", "bytes in memory", names=_ZLIB),
    Module(
        "gzip",
        "bytes in memory, and files of the working folder",
        names="BadGzipFile compress decompress",
        replaced=dict.fromkeys(("open", "GzipFile"), "opens files of the working folder"),
        build=gzip_files,
    ),
    Module(
        "bz2",
        "bytes in memory, and files of the working folder",
        names="BZ2Compressor BZ2Decompressor compress decompress",
        replaced=dict.fromkeys(("open", "BZ2File"), "opens files of the working folder"),
        build=bz2_files,
    ),
    Module(
        "lzma",
        "bytes in memory, and files of the working folder",
        names=_LZMA,
        replaced=dict.fromkeys(("open", "LZMAFile"), "opens files of the working folder"),
        build=lzma_files,
    ),
    Module(
        "zipfile",
        "archives in memory, and of files of the working folder",
        names=_ZIPFILE,
        withheld={
            "Path": "use ZipFile(…).namelist() and .open(name)",
            "PyZipFile": "it compiles what it packs; use ZipFile",
        },
        replaced=dict.fromkeys(("ZipFile", "is_zipfile"), "reads, writes and extracts files of the working folder"),
        build=archives,
    ),
    Module(
        "codecs",
        "text and bytes in memory",
        names=_CODECS,
        withheld={
            "open": "use open with encoding=…",
            "register": "it would change decoding for the whole process",
            "register_error": "it would change decoding for the whole process",
            "getreader": "use open with encoding=…",
            "getwriter": "use open with encoding=…",
        },
        replaced={"lookup": "tells of no streams"},
        build=encodings,
    ),
    Module("urllib", "the package of urllib.parse", names="parse", parts=("parse",)),
    Module("urllib.parse", "addresses as text", names=_URLLIB_PARSE),
    Module("ipaddress", "addresses as numbers", names=_IPADDRESS),
    Module("tomllib", "text in memory or in open files", names="TOMLDecodeError load loads"),
)
