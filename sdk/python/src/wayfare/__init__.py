"""Sell travel eSIMs through a Wayfare server: ``Wayfare(key).purchase.buy(product_id=...)``."""
from ._client import Wayfare
from ._contract import VERSION as __version__
from ._errors import WayfareConnectionError, WayfareError
from ._hooks import EndedRequest, RateLimit, SentRequest
from ._send import CallOptions
from ._transport import HttpRequest, HttpResponse, Transport
from ._webhooks import WebhookRejected, verify_webhook

__all__ = [
    "CallOptions",
    "EndedRequest",
    "HttpRequest",
    "HttpResponse",
    "RateLimit",
    "SentRequest",
    "Transport",
    "Wayfare",
    "WayfareConnectionError",
    "WayfareError",
    "WebhookRejected",
    "__version__",
    "verify_webhook",
]
