from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

# What the exception has under another name, or what means nothing to a program.
_ENVELOPE = frozenset(["result", "code", "error", "title", "message", "api_version"])


class WayfareError(Exception):
    """The server refused a call.

    Each code has a class of its own in ``wayfare.errors``, with the fields that come with it: ``except InsufficientBalanceError as
    error: error.required``. A server newer than this SDK may answer codes without one: they are plain ``WayfareError``.
    """

    code: str
    """Why, for a program: ``insufficient_balance``."""
    http_status: int
    request_id: Optional[str]
    """Quote it when you ask the operator for help."""
    idempotency_key: Optional[str]
    """The key a purchase was sent with."""
    body: Dict[str, Any]
    """The whole answer."""

    def __init__(
        self,
        body: Mapping[str, Any],
        *,
        path: str,
        http_status: int,
        request_id: Optional[str],
        idempotency_key: Optional[str],
    ) -> None:
        code = str(body["error"])
        message = body.get("message")
        # A server older than this SDK says nothing.
        said = f": {message}" if message else ""
        named = f" (request {request_id})" if request_id else ""
        super().__init__(f"{path} was refused with {http_status} {code}{said}{named}")
        for name, value in body.items():
            # What an exception has already stays what it is.
            if name not in _ENVELOPE and not hasattr(Exception, name):
                self.__dict__[name] = value
        self.code = code
        self.http_status = http_status
        self.request_id = request_id
        self.idempotency_key = idempotency_key
        self.body = dict(body)


class WayfareConnectionError(Exception):
    """No answer of the API came: the connection failed, time ran out, or something in between answered.

    A purchase may have succeeded all the same. To find out, send it again with ``idempotency_key``.
    """

    def __init__(
        self,
        message: str,
        *,
        is_timeout: bool = False,
        http_status: Optional[int] = None,
        request_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> None:
        named = f" (request {request_id})" if request_id else ""
        super().__init__(f"{message}{named}")
        self.is_timeout = is_timeout
        self.http_status = http_status
        """What a proxy or a wrong address answered."""
        self.request_id = request_id
        self.idempotency_key = idempotency_key
