from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Optional, Sequence, Tuple, Union, cast

if TYPE_CHECKING:
    from typing import Protocol

    from . import types

    class Headers(Protocol):
        """By what it can do: frameworks bring a class of their own, and not all are mappings."""

        def items(self) -> Iterable[Tuple[str, Any]]: ...

TOLERANCE_SECONDS = 300


class WebhookRejected(Exception):
    """A webhook that must not be trusted."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The webhook was rejected: {reason}")
        self.reason = reason
        """``no_signature``, ``too_old_or_early``, ``wrong_signature`` or ``not_json``."""


@dataclass(frozen=True)
class _Style:
    timestamp: str
    signatures: Sequence[bytes]
    prefix: str
    """What is signed before the body."""
    key_of: Callable[[str], bytes]


def verify_webhook(
    raw_body: Union[bytes, str],
    headers: Headers,
    *,
    secret: Union[str, Sequence[str]],
    now: Optional[float] = None,
) -> types.WebhookEvent:
    """The event, if the webhook is genuine and recent; raises ``WebhookRejected`` otherwise.

    raw_body: the bytes as they arrived, before any JSON parsing: Flask's ``request.get_data()``, Django's ``request.body``.
    headers: your framework's headers.
    secret: as it was shown, ``whsec_`` included. While you rotate it, the new and the old one: ``[new, old]``.
    now: Unix seconds; by default the time it is.
    """
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    secrets = _secrets_of(secret)
    styles = [one for one in (_own_style(headers), _standard_style(headers)) if one is not None]
    if not styles:
        raise WebhookRejected("no_signature")
    time_now = time.time() if now is None else now
    recent = [one for one in styles if _is_recent(one.timestamp, time_now)]
    if not recent:
        raise WebhookRejected("too_old_or_early")
    if not any(_is_signed(style, one, body) for style in recent for one in secrets):
        raise WebhookRejected("wrong_signature")
    return _event_in(body)


def _secrets_of(secret: Union[str, Sequence[str]]) -> List[str]:
    """Raises unless each is a whole secret: anybody could sign with ``whsec_`` alone. An empty one beside another is left out."""
    secrets = [one for one in ([secret] if isinstance(secret, str) else secret) if one]
    if not secrets or not all(re.fullmatch("whsec_[0-9A-Za-z+/=]{32,}", one) for one in secrets):
        raise ValueError(
            "A webhook needs the secret of your subscription as it was shown: whsec_ and what follows it"
        )
    return secrets


def _own_style(headers: Headers) -> Optional[_Style]:
    """``sha256=`` and hex, signed with the secret as shown."""
    timestamp = _header(headers, "x-webhook-timestamp")
    signature = re.fullmatch("sha256=([0-9a-f]{64})", _header(headers, "x-signature"))
    if not signature:
        return None
    return _Style(timestamp, [bytes.fromhex(signature[1])], f"{timestamp}.", lambda secret: secret.encode())


def _standard_style(headers: Headers) -> Optional[_Style]:
    """``v1,`` and base64, one for each secret, signed with what follows ``whsec_``."""
    timestamp = _header(headers, "webhook-timestamp")
    signatures = [
        _base64(one[3:])
        for one in _header(headers, "webhook-signature").split(" ")
        if re.fullmatch("v1,[0-9A-Za-z+/]{43}=", one)
    ]
    if not signatures:
        return None
    prefix = f"{_header(headers, 'webhook-id')}.{timestamp}."
    return _Style(timestamp, signatures, prefix, lambda secret: _base64(secret[len("whsec_") :]))


def _is_recent(timestamp: str, now: float) -> bool:
    return bool(re.fullmatch("[0-9]{1,12}", timestamp)) and abs(now - int(timestamp)) <= TOLERANCE_SECONDS


def _is_signed(style: _Style, secret: str, body: bytes) -> bool:
    key = style.key_of(secret)
    if not key:
        return False
    expected = hmac.new(key, style.prefix.encode("utf-8", "replace") + body, hashlib.sha256).digest()
    return any(hmac.compare_digest(expected, one) for one in style.signatures)


def _event_in(body: bytes) -> types.WebhookEvent:
    try:
        event = json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise WebhookRejected("not_json")
    return cast("types.WebhookEvent", event)


def _header(headers: Headers, name: str) -> str:
    """Sent twice it is worth nothing: which of them was meant is for nobody to guess."""
    values = [value for one, value in headers.items() if str(one).lower() == name]
    return values[0] if len(values) == 1 and isinstance(values[0], str) else ""


def _base64(text: str) -> bytes:
    """With or without padding; nothing if it is not base64."""
    plain = re.sub("={1,2}$", "", text) if len(text) % 4 == 0 else text
    if not re.fullmatch("[0-9A-Za-z+/]*", plain):
        return b""
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4))
    except binascii.Error:
        return b""
