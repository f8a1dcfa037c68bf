"""Words of one meaning, a line for each meaning; the first word stands for all. Words with `_` are left out."""

from __future__ import annotations

GROUPS = """
average avg typical smooth
median middle
total sum add aggregate overall
count number tally quantity numeral
large big biggest largest maximum max highest top greatest peak best strongest bulky huge
small smallest minimum min lowest least fewest bottom worst
sort order_by rank arrange ranking
convert change transform translate turn exchange restate
currency fx forex dollar euro yen eur usd gbp jpy chf pound pounds sterling franc rupee yuan krona peso
compute calculate work_out determine evaluate
find search locate look lookup seek grep mention mentioned contain
remove delete drop strip discard eliminate
filter select pick choose keep only
join merge combine concatenate unite side_by_side
split divide separate partition break chunk cut cuts piece pieces slice
duplicate repeated repeat dedupe deduplicate unique distinct
missing null empty nan blank absent incomplete gap imput impute
chart plot graph draw visualise visualize diagram figure histogram bars bar curve
file document pdf_
folder directory
read load open import parse ingest
write save export store dump draft compose_
send mail email message deliver
fetch download retrieve pull
request call_
summarise summarize summary overview report digest boil condense shorten tldr brief gist printable
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
supplier vendor suppliers vendors
invoice bill
product item sku good part component
stock inventory reorder reordering warehouse replenish restock
sale revenue turnover income sold sell purchase bought buying
city town
country nation countries
weather climate
temperature warm hot cold heat degree hottest
distance far kilometre kilometer mile apart kilometres km metres
date day calendar
week weekly
month monthly
year annual yearly
hour time clock minute
late overdue delay delayed outdated deadline due unpaid owe owed outstanding arrear
error failure exception fault crash
log logfile
user account
password secret credential passphrase passcode
text string sentence phrase paragraph article
word token vocabulary
letter character
url link hyperlink hyperlinks urls href
page website web site webpage
place location address coordinate latitude coordinates longitude geocode geographic
image picture photo photos photograph jpeg png thumbnail
correct fix repair clean tidy
spelling spell typo
check verify validate valid
test exam quiz
schedule plan timetable agenda prepare
meeting appointment event slot conference
task todo
ticket issue
near nearest close closest nearby
route path itinerary
recipe dish meal food eat menu dishes meals cook cooking lunch dinner breakfast
payment pay paid
tax vat taxes
interest loan mortgage instalment installment repay saving savings deposit borrow
salary wage pay_check earning wages
grade mark gpa marks
student pupil classmates
teacher instructor
table spreadsheet csv xlsx excel workbook sheet tab xls spreadsheets
database sqlite sql schema
row record line entry
column field attribute
matrix grid
root square
prime factor decompose factorise factorize
random chance
similar alike resemble suggest recommend
anomaly outlier unusual abnormal anomalous suspicious strange odd weird
standing league standings match matches tournament
frequency occurrence occur appear
extract pull_out
detect spot identify recognise recognize discover
reverse backwards invert
sequence series
encode encoding
decrypt decipher decode unpack base64
length duration long longest
short shortest quick quickest fast fastest speed velocity
cheap cheapest affordable price cost fare fee charge worth cheaper costs expensive
height tall
weight heavy mass
population inhabitant resident density
language tongue spanish german french italian english japanese chinese portuguese dutch russian
flight plane fly airline airport carrier flying flights
train rail railway station
car vehicle auto
trip travel journey sightseeing tour tourism
hotel accommodation
book title headline heading caption novel novels books
author writer
movie film movies films cinema
discount rebate reduction voucher coupon
profit margin profitable profitability markup
budget spending expense expenditure expenses spend spent
remain left leftover
age old
birthday born birth
name called
phone telephone
rain precipitation rainfall wet rained rainy raining
wind gust storm gale hurricane
bug defect
commit revision
package library dependency prerequisite depend depends requirement
version release
server host machine
memory ram
disk storage drive drives hdd ssd
run execute
list enumerate
answer reply respond response
vacation holiday leave
energy power electricity kilowatt kilowatts kwh
create generate build compose
colour color
loop cycle circular
node vertex hub
number integer
score point
review feedback comment rating stars
integral integrate
square power_of
warn alert notify alarm
region territory district area zone province county
pivot crosstab tabulate tabular wide reshape
distribution spread dispersion deviation variance std stddev variability scatter
correlation correlate correlated related relate relationship association
shop branch outlet retailer supermarket
slow latency sluggish
crawl spider scrape visit traverse
feed rss atom news newsfeed blog post
anagram rearrange scramble
palindrome mirror
cipher encrypt caesar shift rot13
hash checksum fingerprint sha md5 sha256
compress zip archive tar gzip pack
reserve allocate set_aside
working workday weekday
timezone noon midnight utc gmt
divisor gcd
differentiate derivative derive gradient
dice die throw roll
shuffle randomly
sentiment happy unhappy mood satisfied satisfaction opinion
calorie kcal nutrition
bmi body
training workout exercise marathon running fitness
sleep slept nap
election vote votes voter ballot poll
sunrise sunset sun dawn dusk
earthquake quake quakes seismic tremor magnitude
certificate tls ssl
expire expiry expires run_out
churn cancel cancelled attrition
significance significant significantly
metric inch inches centimetre centimeter foot feet
unit units centimetres cm kilogram litre gallon imperial
fuel petrol gasoline diesel litres
newsletter subscriber subscribers mailing
"""
