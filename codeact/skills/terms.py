"""Words as a search compares them: small words gone, endings cut, words of one meaning made one.

"What's the mean price of the biggest orders?"  →  average price large order
"""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

STOP = frozenset(
    """a about all an and any are as at be been but by can could did do does each every everything for from get
    give given got had has have here how i if in into is it its just let like me my need of off on one only or our
    out over please s should so some such t tell than that the their them then there these they thing this those
    to up us use used using want was we were what when where which who whose why will with within would you your
    both between following via per re ve ll don didn doesn isn out also now well make me show them""".split()
)

GROUPS = """
average mean avg typical
median middle
total sum add tally aggregate overall
count number many amount_of how_many
large big biggest largest maximum max highest most top greatest peak longest best
small smallest minimum min lowest least fewest bottom cheapest shortest worst
sort order_by rank arrange ranking
convert change transform translate turn exchange
currency money fx forex
compute calculate work_out determine evaluate
find search locate look lookup seek
remove delete drop strip discard eliminate
filter select pick choose keep only
join merge combine concatenate unite
split divide separate partition break chunk
duplicate repeated repeat dedupe deduplicate unique distinct
missing null empty nan blank absent incomplete gap
chart plot graph draw visualise visualize diagram figure histogram
file document
folder directory
read load open import parse ingest
write save export store dump
send mail email message notify
fetch download retrieve pull request
summarise summarize summary overview report digest
compare difference diff delta contrast versus vs discrepancy mismatch
percentage percent share proportion ratio fraction
growth increase rise gain grow
decline decrease drop_in fall shrink loss
trend trajectory
forecast predict projection extrapolate estimate
group bucket category categorise categorize cluster class classify bin segment
customer client buyer shopper
employee staff worker personnel
supplier vendor
invoice bill
price cost rate_of fee charge
product item article sku good
stock inventory
sale revenue turnover income
city town
country nation state
weather climate
temperature warm hot cold heat degree
distance far away kilometre mile
date day calendar
week weekly
month monthly
year annual yearly
hour time clock
late overdue delay delayed
error failure exception fault crash
log logfile
user account
password secret credential
text string sentence phrase
word token vocabulary
letter character
url link address web website page
image picture photo
correct fix repair clean tidy normalise normalize
check verify validate valid test
schedule plan timetable agenda
meeting appointment event
task todo ticket issue
near nearest close closest nearby
route path itinerary
recipe dish meal
ingredient component
payment pay paid
tax vat
interest loan mortgage
salary wage pay_check earning
grade score mark
student pupil
teacher instructor
table spreadsheet csv
database sqlite sql
row record line entry
column field attribute
matrix grid
root square
prime factor
random sample
similar alike resemble
anomaly outlier unusual abnormal
rank standing
frequency often histogram_of occurrence
extract pull_out
detect spot identify recognise recognize discover
reverse backwards invert
sequence series
encode encoding
decrypt decipher decode
length duration long
speed fast velocity
height tall
weight heavy mass
population inhabitant people resident
language tongue
flight plane
train rail railway
car vehicle auto
trip travel journey
hotel accommodation
book title
author writer
movie film
rating review stars
discount rebate reduction
profit margin
budget spending expense expenditure
balance remainder left
age old
birthday born birth
name called
phone telephone
rain precipitation rainfall wet
wind gust
bug defect
commit revision
package library dependency
version release
server host machine
memory ram
disk storage
run execute
list enumerate
"""


def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in GROUPS.split("\n"):
        words = [word for word in line.split() if "_" not in word]
        for word in words:
            table.setdefault(stem(word), stem(words[0]))
    return table


_ENDINGS = (
    ("ational", "ate"), ("isation", "ise"), ("ization", "ise"), ("ations", "ate"), ("ation", "ate"), ("nesses", ""),
    ("ness", ""), ("ments", ""), ("ment", ""), ("ingly", ""), ("ings", ""), ("ing", ""), ("edly", ""), ("ied", "y"),
    ("ies", "y"), ("ers", ""), ("er", ""), ("est", ""), ("ed", ""), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"),
    ("xes", "x"), ("ly", ""), ("ize", "ise"), ("s", ""),
)  # fmt: skip


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without its ending: crude on purpose, and the same for skills and for requests."""
    if len(word) > 3 and not word.endswith(("ss", "us", "is")):
        for ending, instead in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                word = word[: len(word) - len(ending)] + instead
                break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word


_MEANING = _table()


@lru_cache(maxsize=20_000)
def _term(word: str) -> str:
    found = stem(word)
    return _MEANING.get(found, found)


def terms(text: str) -> list[str]:
    """The terms of a text in its order; numbers and small words do not count."""
    words = [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))]
    return [_term(word) for word in words if word not in STOP and not word.isdecimal() and len(word) > 1]
