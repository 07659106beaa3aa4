"""Rows of a list, fetched page by page while you read them."""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Mapping

Page = Callable[[Mapping[str, Any]], Any]


def below(page: Page, fields: Mapping[str, Any], rows: str, of: str, limit: int) -> Iterator[Any]:
    """Everything below a row: pages that neither repeat nor miss rows, whatever is added meanwhile."""
    asked: Dict[str, Any] = _sized(fields, limit)
    while True:
        answer = page(asked)
        found: List[Any] = answer[rows]
        yield from found
        if not answer["has_more"] or not found:
            return
        asked = {**asked, "before_id": int(found[-1][of])}


def onward(page: Page, fields: Mapping[str, Any], rows: str) -> Iterator[Any]:
    """Each page begins after the rows of those before it."""
    offset = int(fields.get("offset") or 0)
    while True:
        answer = page({**fields, "offset": offset})
        found: List[Any] = answer[rows]
        yield from found
        offset += len(found)
        if not answer["truncated"] or not found:
            return


def newest_first(page: Page, fields: Mapping[str, Any], rows: str, limit: int) -> Iterator[Any]:
    """Page by page. Rows that arrive meanwhile push others to the next page, where they are skipped as seen."""
    asked = _sized(fields, limit)
    oldest = float("inf")
    start = 1
    while True:
        found: List[Any] = page({**asked, "start": start})[rows]
        for row in found:
            if row["id"] < oldest:
                oldest = row["id"]
                yield row
        if len(found) < int(asked["limit"]):
            return
        start += 1


def _sized(fields: Mapping[str, Any], limit: int) -> Dict[str, Any]:
    return {**fields, "limit": limit if fields.get("limit") is None else fields["limit"]}
