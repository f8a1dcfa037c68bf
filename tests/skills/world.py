"""A small world for recorded runs: tools with declared effects, and their live data."""

from __future__ import annotations

from datetime import date, timedelta

from codeact.toolbox import tool

RATES = {"EUR": 1.0, "USD": 1.1, "GBP": 0.85, "JPY": 160.0}
WEATHER = {"Berlin": (21.5, 3), "Paris": (24.0, 0), "Rome": (29.5, 1), "Oslo": (14.0, 9), "Madrid": (33.0, 0)}
PLACES = {"Berlin": (52.52, 13.4), "Paris": (48.86, 2.35), "Rome": (41.9, 12.5), "Oslo": (59.91, 10.75)}
PAGES = {
    "/a": "Release 2.1 fixes the login page. Login was slow.",
    "/b": "The search page is new. Search finds pages.",
    "/c": "Old notes about nothing.",
}
LINKS = {"/a": ["/b"], "/b": ["/c", "/a"], "/c": []}
STOCK = {"bolt": 40, "nut": 12, "screw": 0, "washer": 300}
sent: list[tuple[str, str]] = []
polls = iter(())


@tool(effect="read")
def exchange_rate(base: str, quote: str) -> float:
    """Today's rate: units of `quote` for one `base`."""
    return RATES[quote] / RATES[base]


@tool(effect="read")
def forecast(city: str, day: int = 0) -> dict:
    """The weather of a city in so many days."""
    degrees, rain = WEATHER[city]
    return {"city": city, "celsius": degrees + day, "rain_mm": rain}


@tool(effect="read")
def locate(place: str) -> tuple[float, float]:
    """Latitude and longitude of a place."""
    return PLACES[place]


@tool(effect="read")
def fetch_page(path: str) -> str:
    """The text of a page."""
    if path not in PAGES:
        raise LookupError(f"no page {path}")
    return PAGES[path]


@tool(effect="read")
def links_of(path: str) -> list[str]:
    """The pages a page links to."""
    return LINKS[path]


@tool(effect="read")
def stock_of(part: str) -> int:
    """How many of a part are in stock."""
    return STOCK[part]


@tool(effect="write")
def send_message(to: str, text: str) -> str:
    """Sends a message and returns its number."""
    sent.append((to, text))
    return f"message-{len(text)}"


@tool(effect="idempotent")
def reserve(part: str, count: int) -> bool:
    """Reserves parts."""
    return STOCK[part] >= count


@tool(effect="read")
def holidays(year: int) -> list[date]:
    """The public holidays of a year."""
    return [date(year, 1, 1), date(year, 5, 1), date(year, 12, 25)]


@tool(effect="read")
def orders_page(page: int) -> dict:
    """A page of the orders, and the number of the next one."""
    rows = [{"id": number, "amount": number * 10.5} for number in range(page * 3, page * 3 + 3)]
    return {"rows": rows, "next": page + 1 if page < 2 else None}


@tool(effect="read")
async def slow_price(item: str) -> float:
    """The price of an item, after a while."""
    return len(item) * 1.25


@tool(effect="read")
def due_dates(start: date, count: int) -> list[date]:
    """Dates a week apart."""
    return [start + timedelta(weeks=number) for number in range(count)]


@tool
def lookup(key: str) -> str:
    """A value by its key; nothing is said about its effect."""
    return key[::-1]


TOOLS = (
    exchange_rate, forecast, locate, fetch_page, links_of, stock_of, send_message, reserve, holidays, orders_page,
    slow_price, due_dates, lookup,
)  # fmt: skip
