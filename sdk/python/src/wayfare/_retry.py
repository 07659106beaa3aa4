from __future__ import annotations

import random
import time
from typing import Optional

# The limiter's window is a minute, so a longer wait has another cause, which the caller should know about.
LONGEST_WAIT_SECONDS = 120


def back_off(retries: int) -> float:
    return float(min(0.5 * 2.0**retries, 8.0) * (0.5 + random.random() / 2))


def until_next_minute() -> float:
    return 60 - time.time() % 60


def seconds_before_retry(
    *,
    retries: int,
    max_retries: int,
    had_500: bool,
    is_repeatable: bool,
    http_status: Optional[int],
    code: Optional[str],
    is_simulated: bool,
    retry_after: Optional[int],
) -> Optional[float]:
    """The contract's retry rules: how long to wait before the next attempt, or ``None`` to give up."""
    # A simulated error is the same each time.
    if retries >= max_retries or is_simulated:
        return None
    if retry_after is not None and retry_after > LONGEST_WAIT_SECONDS:
        return None
    # Refused before anything was done, so this is safe for every call.
    if http_status == 429:
        return until_next_minute() if retry_after is None else float(retry_after)
    if not is_repeatable:
        return None
    if http_status is None or http_status == 503 or code == "charge_in_progress":
        return back_off(retries) if retry_after is None else float(retry_after)
    if http_status == 500:
        return None if had_500 else back_off(retries)
    # A proxy in between had no answer from the server.
    if code is None and http_status in (502, 504):
        return back_off(retries)
    return None
