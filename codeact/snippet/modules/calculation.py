"""Modules for numbers."""

from __future__ import annotations

from codeact.snippet.modules.numbers_ import CONTEXTS, DRAWS, SURROUNDING, TELLING, contexts, generator, totals
from codeact.snippet.modules.row import Module

_MATH = """
acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 expm1 fabs
factorial floor fma fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma log
log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt sumprod tan tanh tau trunc ulp
"""

_CMATH = """
acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan log log10 nan nanj phase pi
polar rect sin sinh sqrt tan tanh tau
"""

_DECIMAL = """
Clamped Context ConversionSyntax Decimal DecimalException DecimalTuple DivisionByZero DivisionImpossible
DivisionUndefined FloatOperation HAVE_CONTEXTVAR HAVE_THREADS Inexact InvalidContext InvalidOperation MAX_EMAX
MAX_PREC MIN_EMIN MIN_ETINY Overflow ROUND_05UP ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN
ROUND_HALF_UP ROUND_UP Rounded Subnormal Underflow getcontext localcontext setcontext IEEEContext IEEE_CONTEXT_MAX_BITS
"""

_STATISTICS = """
NormalDist StatisticsError correlation covariance fmean geometric_mean harmonic_mean kde kde_random
linear_regression mean median median_grouped median_high median_low mode multimode pstdev pvariance quantiles stdev
variance
_coerce _convert _decimal_sqrt_of_frac _exact_ratio _fail_neg _float_sqrt_of_frac _integer_sqrt_of_frac_rto _isfinite
_rank
"""

ROWS = (
    Module("math", "pure functions of numbers", names=_MATH),
    Module("cmath", "pure functions of complex numbers", names=_CMATH),
    Module("numbers", "abstract classes of numbers", names="Complex Integral Number Rational Real"),
    Module("fractions", "exact numbers", names="Fraction"),
    Module(
        "decimal",
        "exact numbers",
        names=_DECIMAL,
        replaced={
            **dict.fromkeys(CONTEXTS, "the same, with contexts of this session alone"),
            SURROUNDING: "the same, with as many digits as a context may have",
        },
        build=contexts,
    ),
    Module(
        "statistics",
        "pure functions of data",
        names=_STATISTICS,
        replaced=dict.fromkeys(TELLING, "tell classes as type(x) does"),
        build=totals,
    ),
    Module(
        "random",
        "a generator of this session alone",
        names="Random SystemRandom BPF LOG4 NV_MAGICCONST RECIP_BPF SG_MAGICCONST TWOPI",
        replaced=dict.fromkeys(DRAWS, "draws from a generator of this session alone"),
        build=generator,
    ),
    Module(
        "colorsys",
        "pure functions of numbers",
        names="hls_to_rgb hsv_to_rgb rgb_to_hls rgb_to_hsv rgb_to_yiq yiq_to_rgb",
    ),
)
