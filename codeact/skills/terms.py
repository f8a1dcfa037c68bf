"""Words as a search compares them: small words gone, endings cut, words of one meaning made one.

"What's the mean price of the biggest orders?"  →  average price large order
"""

from __future__ import annotations

import re
from functools import lru_cache

from codeact.skills.wordlist import word_set

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

STOP = word_set(
    """
    a about after again all also always am an and any are as at be because been before between both but by
    came can come could did do does doing don done down during each either else every everybody everything few
    following for from get getting give given go goes going gone got had has have having he her here hers him
    his how i if in into is isn it its itself just know last less let like ll made make makes many may me mean
    might more most much must my need needs new next no nor not now of off often on once one only or other
    others our out over own per please put re really said same say says see seem shall she should show since
    so some somebody something still such t take taken takes than that the their them then there these they
    thing things this those through to together too took two three four five six seven eight nine ten twelve
    hundred under until up upon us use used using ve very via want wants was way we well went work works were
    what when where whether which while who whom whose why will with within without would you your
    """
)

# what is done in so many skills that it says little about any: it counts for less
GENERAL = ("compute", "find", "list", "write", "create", "read", "count", "show", "convert", "check", "filter", "run")

GROUPS = """
average avg typical
median middle
total sum add aggregate overall
count number tally quantity
large big biggest largest maximum max highest top greatest peak best strongest
small smallest minimum min lowest least fewest bottom worst
sort order_by rank arrange ranking
convert change transform translate turn exchange
currency fx forex dollar euro yen eur usd gbp jpy chf
compute calculate work_out determine evaluate
find search locate look lookup seek
remove delete drop strip discard eliminate
filter select pick choose keep only
join merge combine concatenate unite
split divide separate partition break chunk
duplicate repeated repeat dedupe deduplicate unique distinct
missing null empty nan blank absent incomplete gap
chart plot graph draw visualise visualize diagram figure histogram
file document pdf_
folder directory
read load open import parse ingest
write save export store dump draft compose_
send mail email message deliver
fetch download retrieve pull
request call_
summarise summarize summary overview report digest
compare difference diff delta contrast versus vs discrepancy mismatch
percentage percent proportion ratio fraction share
growth increase rise gain grow
decline decrease drop_in fall shrink loss
trend trajectory
forecast predict projection extrapolate estimate
group cluster
category categorise categorize class classify topic kind type
customer client buyer shopper
employee staff worker personnel colleague
supplier vendor
invoice bill
product item sku good part component
stock inventory
sale revenue turnover income
city town
country nation
weather climate
temperature warm hot cold heat degree
distance far kilometre kilometer mile
date day calendar
week weekly
month monthly
year annual yearly
hour time clock
late overdue delay delayed outdated
error failure exception fault crash
log logfile
user account
password secret credential
text string sentence phrase paragraph article
word token vocabulary
letter character
url link
page website web site webpage
place location address coordinate latitude
image picture photo
correct fix repair clean tidy
spelling spell typo
check verify validate valid
test exam quiz
schedule plan timetable agenda prepare
meeting appointment event
task todo
ticket issue
near nearest close closest nearby
route path itinerary
recipe dish meal food eat menu
ingredient
payment pay paid
tax vat
interest loan mortgage
salary wage pay_check earning
grade mark
student pupil
teacher instructor
table spreadsheet csv
database sqlite sql
row record line entry
column field attribute
matrix grid
root square
prime factor
random chance
similar alike resemble suggest recommend
anomaly outlier unusual abnormal
standing league
frequency occurrence occur appear
extract pull_out
detect spot identify recognise recognize discover
reverse backwards invert
sequence series
encode encoding
decrypt decipher decode
length duration long longest
short shortest quick quickest fast fastest speed velocity
cheap cheapest affordable price cost fare fee charge worth
height tall
weight heavy mass
population inhabitant resident density
language tongue
flight plane fly airline airport carrier
train rail railway station
car vehicle auto
trip travel journey
hotel accommodation
book title
author writer
movie film
discount rebate reduction
profit margin
budget spending expense expenditure
remain left leftover
age old
birthday born birth
name called
phone telephone
rain precipitation rainfall wet
wind gust
bug defect
commit revision
package library dependency prerequisite
version release
server host machine
memory ram
disk storage
run execute
list enumerate
answer reply respond response
vacation holiday leave
energy power electricity kilowatt
create generate build compose
colour color
loop cycle circular
node vertex hub
number integer
score point
review feedback comment rating stars
integral integrate
square power_of
warn alert notify
"""


def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in GROUPS.split("\n"):
        words = [word for word in line.split() if "_" not in word]
        for word in words:
            table.setdefault(stem(word), stem(words[0]))
    return table


# words whose ending is none: cut, they would be taken for others
_WHOLE = frozenset(
    ["folder", "meaning", "number", "letter", "paper", "order", "user", "server", "driver", "flower", "customer"]
)

_ENDINGS = (
    ("ational", "ate"), ("isation", "ise"), ("ization", "ise"), ("ations", "ate"), ("ation", "ate"), ("nesses", ""),
    ("ness", ""), ("ments", ""), ("ment", ""), ("ingly", ""), ("ings", ""), ("ing", ""), ("edly", ""), ("ied", "y"),
    ("ies", "y"), ("ers", ""), ("er", ""), ("est", ""), ("ed", ""), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"),
    ("xes", "x"), ("ly", ""), ("ize", "ise"), ("s", ""),
)  # fmt: skip


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without its ending: crude on purpose, and the same for skills and for requests."""
    if word in _WHOLE or word[:-1] in _WHOLE:
        return word if word in _WHOLE else word[:-1]
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


GENERAL_TERMS = frozenset(_term(word) for word in GENERAL)
