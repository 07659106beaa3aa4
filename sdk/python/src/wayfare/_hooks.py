from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, TypeVar

logger = logging.getLogger("wayfare")


@dataclass(frozen=True)
class RateLimit:
    """What is left of the limit that a call counts towards. Each key has one per rate tier and minute."""

    limit: int
    remaining: int
    reset_seconds: int


@dataclass(frozen=True)
class SentRequest:
    """One attempt of a call, about to be sent."""

    verb: str
    path: str
    url: str
    attempt: int
    """1, and one more with each retry."""
    idempotency_key: Optional[str]
    headers: Dict[str, str]
    """Add your own, for tracing. The API key is not among them, so they can be logged."""


@dataclass(frozen=True)
class EndedRequest:
    """How an attempt ended. Without a status, no answer came."""

    request: SentRequest
    duration_ms: float
    http_status: Optional[int]
    headers: Optional[Mapping[str, str]]
    request_id: Optional[str]
    rate_limit: Optional[RateLimit]
    error: Optional[BaseException]
    """What the attempt failed with; it may be retried."""


About = TypeVar("About")


def notify(hook: Optional[Callable[[About], Any]], about: About) -> None:
    """Errors raised by a hook are logged: a bug in logging must not lose the answer of a purchase."""
    if hook is None:
        return
    try:
        hook(about)
    except Exception:
        logger.exception("A hook of the Wayfare client failed")


def rate_limit_of(headers: Mapping[str, str]) -> Optional[RateLimit]:
    try:
        limit, remaining, reset = (int(headers[f"x-ratelimit-{name}"]) for name in ("limit", "remaining", "reset"))
    except (KeyError, ValueError):
        return None
    return RateLimit(limit, remaining, reset)
