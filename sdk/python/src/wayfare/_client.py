from __future__ import annotations

import re
from typing import Any, Callable, Dict, Mapping, Optional

from . import calls
from ._hooks import EndedRequest, SentRequest
from ._send import CallOptions, Sender
from ._transport import Transport, urllib_transport

# Words between slashes. Dots alone would lead out of the API's address.
_PATH = re.compile(r"[A-Za-z0-9_]+(/(?!\.+(/|$))[A-Za-z0-9_.~%-]+)*")


class Wayfare:
    """The API, grouped as its paths are: ``wayfare.purchase.buy`` sends POST ``purchase/buy``. Threads may share it."""

    def __init__(
        self,
        key: Optional[str],
        *,
        base_url: Optional[str] = None,
        timeout_seconds: float = 30.0,
        max_retries: int = 3,
        user_agent: Optional[str] = None,
        on_request: Optional[Callable[[SentRequest], Any]] = None,
        on_response: Optional[Callable[[EndedRequest], Any]] = None,
        transport: Optional[Transport] = None,
    ) -> None:
        """
        key: Your API key. One that begins with ``esk_test_`` works in the sandbox. Keep it on your server.
        base_url: The API's address, up to and including ``/v3``. By default that of a server on this machine.
        timeout_seconds: How long one attempt may take.
        max_retries: How often a call is sent again after a failure that may pass; 0 turns retries off.
        user_agent: The name of your program, put before the SDK's own: ``shop/1.4``.
        on_request, on_response: Called before and after every attempt. They never see the key.
        transport: Sends the requests; by default ``urllib``.
        """
        if not key:
            raise ValueError('Wayfare needs an API key: Wayfare(os.environ["WAYFARE_KEY"]), not empty')
        self._send = Sender(
            key=key,
            base_url=base_url or None,
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
            user_agent=user_agent,
            transport=transport or urllib_transport,
            on_request=on_request,
            on_response=on_response,
        )
        self.catalog = calls.Catalog(self._send)
        """What is sold, and for how much."""
        self.purchase = calls.Purchase(self._send)
        """Buying and refilling."""
        self.order = calls.Order(self._send)
        """What was bought, its usage, and refunds."""
        self.esim = calls.Esim(self._send)
        """The eSIMs you sold."""
        self.account = calls.Account(self._send)
        """Money, prices and the sandbox's balance."""
        self.invoice = calls.Invoice(self._send)
        """Invoices and credit notes."""
        self.webhook = calls.Webhook(self._send)
        """Subscriptions and their deliveries."""
        self.sandbox = calls.Sandbox(self._send)
        """The sandbox's clock, and the phones of its eSIMs."""

    def request(
        self,
        verb: str,
        path: str,
        fields: Optional[Mapping[str, Any]] = None,
        options: Optional[CallOptions] = None,
    ) -> Dict[str, Any]:
        """Sends any call, for what is newer than this SDK: ``wayfare.request("GET", "order/detail/1001", {"lang": "de"})``.

        Retries, errors and hooks are those of the methods. A POST that this SDK does not know is repeated only if it has an
        ``idempotency_key``; one below ``purchase/`` gets a key if you give none.
        """
        below = path[1:] if path.startswith("/") else path
        if not _PATH.fullmatch(below):
            raise ValueError(f'"{path}" is not a path like order/detail/1001, with the rest in fields')
        if verb not in ("GET", "POST"):
            raise ValueError(f'"{verb}" is neither GET nor POST')
        answer: Dict[str, Any] = self._send(verb, below, fields or {}, options)
        return answer
