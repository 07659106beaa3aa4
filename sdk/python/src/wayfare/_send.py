from __future__ import annotations

import json
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, Optional, Union

from . import errors
from ._contract import POSTS, REPEATABLE, VERSION
from ._errors import WayfareConnectionError, WayfareError
from ._form import at, encoded, form_of
from ._hooks import EndedRequest, SentRequest, logger, notify, rate_limit_of
from ._retry import seconds_before_retry
from ._transport import HttpRequest, HttpResponse, Transport

__all__ = ["Call", "CallOptions", "Sender", "at"]


@dataclass(frozen=True)
class CallOptions:
    """For one call only."""

    key: Optional[str] = field(default=None, repr=False)
    """Another API key, if you act for several accounts."""
    timeout_seconds: Optional[float] = None
    max_retries: Optional[int] = None
    sandbox_error: Optional[str] = None
    """Sandbox keys only: be refused with this code."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that this SDK does not know yet."""


Call = Callable[[str, str, Mapping[str, Any], Optional[CallOptions]], Any]

_DEFAULTS = CallOptions()
# Fields already warned about, so that each warning appears once.
_warned: Dict[str, bool] = {}
_MAX_WARNED = 1_000


@dataclass
class _Failed:
    error: Union[WayfareError, WayfareConnectionError]
    retry_after: str = ""


@dataclass(frozen=True)
class Sender:
    """Sends a call and repeats it as the contract allows."""

    key: str = field(repr=False)
    base_url: Optional[str]
    timeout_seconds: float
    max_retries: int
    user_agent: Optional[str]
    transport: Transport
    on_request: Optional[Callable[[SentRequest], Any]]
    on_response: Optional[Callable[[EndedRequest], Any]]

    def __call__(self, verb: str, path: str, given: Mapping[str, Any], options: Optional[CallOptions] = None) -> Any:
        options = options or _DEFAULTS
        key = options.key or self.key
        fields: Dict[str, Any] = {**given, **options.extra}
        # The same over all attempts, which is why a purchase can be repeated.
        if verb == "POST" and path.startswith("purchase/") and not fields.get("idempotency_key"):
            fields["idempotency_key"] = str(uuid.uuid4())
        form = form_of(fields)
        base = (self.base_url or _default_address(key)).rstrip("/")
        query = encoded(form)
        url = f"{base}/{path}" + (f"?{query}" if verb == "GET" and query else "")
        body = None if verb == "GET" else query.encode()
        is_repeatable = _is_repeatable(verb, path, fields)
        timeout = self.timeout_seconds if options.timeout_seconds is None else options.timeout_seconds
        max_retries = self.max_retries if options.max_retries is None else options.max_retries
        idempotency_key = form.get("idempotency_key")
        retries = 0
        had_500 = False
        while True:
            headers = {"accept": "application/json", "user-agent": _user_agent(self.user_agent)}
            if body is not None:
                headers["content-type"] = "application/x-www-form-urlencoded"
            if options.sandbox_error:
                headers["x-sandbox-error"] = options.sandbox_error
            request = SentRequest(verb, path, url, retries + 1, idempotency_key, headers)
            ended = self._attempt(request, key, base, body, timeout)
            if not isinstance(ended, _Failed):
                return ended
            error = ended.error
            refused = error if isinstance(error, WayfareError) else None
            wait = seconds_before_retry(
                retries=retries,
                max_retries=max_retries,
                had_500=had_500,
                is_repeatable=is_repeatable,
                http_status=error.http_status,
                code=refused.code if refused else None,
                is_simulated=refused is not None and refused.body.get("sandbox_simulated") is True,
                retry_after=int(ended.retry_after) if re.fullmatch("[0-9]{1,5}", ended.retry_after) else None,
            )
            if wait is None:
                raise error
            had_500 = had_500 or error.http_status == 500
            time.sleep(wait)
            retries += 1

    def _attempt(self, request: SentRequest, key: str, base: str, body: Optional[bytes], timeout: float) -> Any:
        """One attempt: its answer, or what it failed with."""
        began = time.monotonic()
        notify(self.on_request, request)
        response: Optional[HttpResponse] = None
        try:
            headers = {**request.headers, "x-api-key": key}
            response = self.transport(HttpRequest(request.verb, request.url, headers, body, timeout))
            ended = _read(request, base, response)
        except Exception as thrown:
            ended = _no_answer(request, timeout, thrown)
        notify(
            self.on_response,
            EndedRequest(
                request=request,
                duration_ms=(time.monotonic() - began) * 1000,
                http_status=response.status if response else None,
                headers=response.headers if response else None,
                request_id=response.headers.get("x-request-id") if response else None,
                rate_limit=rate_limit_of(response.headers) if response else None,
                error=ended.error if isinstance(ended, _Failed) else None,
            ),
        )
        return ended


def _read(request: SentRequest, base: str, response: HttpResponse) -> Any:
    is_ok = 200 <= response.status < 300
    # Bytes as they are, without the envelope.
    if is_ok and re.match("application/(pdf|xml)", response.headers.get("content-type", "")):
        return response.body
    data = _parsed(response.body)
    _warn_of_ignored("/".join(request.path.split("/")[:2]), data.get("ignored"))
    if is_ok and data.get("result") == "ok":
        return data
    request_id = response.headers.get("x-request-id")
    retry_after = response.headers.get("retry-after", "")
    if isinstance(data.get("error"), str):
        kind = errors.BY_CODE.get(data["error"], WayfareError)
        error = kind(
            data,
            path=request.path,
            http_status=response.status,
            request_id=request_id,
            idempotency_key=request.idempotency_key,
        )
        return _Failed(error, retry_after)
    message = f"{request.path}: {response.status} is not an answer of the API. Is {base} its address?"
    failed = WayfareConnectionError(
        message, http_status=response.status, request_id=request_id, idempotency_key=request.idempotency_key
    )
    return _Failed(failed, retry_after)


def _no_answer(request: SentRequest, timeout: float, thrown: Exception) -> _Failed:
    is_timeout = isinstance(thrown, TimeoutError)
    said = f"no answer within {round(timeout * 1000)} ms" if is_timeout else "the connection failed"
    error = WayfareConnectionError(
        f"{request.path}: {said}", is_timeout=is_timeout, idempotency_key=request.idempotency_key
    )
    error.__cause__ = thrown
    return _Failed(error)


def _parsed(body: bytes) -> Dict[str, Any]:
    try:
        data = json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _is_repeatable(verb: str, path: str, fields: Mapping[str, Any]) -> bool:
    """A POST this SDK does not know is safe to repeat only because of its key."""
    operation = "/".join(path.split("/")[:2])
    if verb == "GET" or operation in REPEATABLE:
        return True
    return operation not in POSTS and bool(fields.get("idempotency_key"))


def _default_address(key: str) -> str:
    return f"http://localhost:{4010 if key.startswith('esk_test_') else 4020}/v3"


def _user_agent(program: Optional[str]) -> str:
    return (f"{program} " if program else "") + f"wayfare-sdk-python/{VERSION}"


def _warn_of_ignored(path: str, ignored: Any) -> None:
    """Says once which fields the API did not know. In the log: a warning can be made an exception, and would lose the answer."""
    for name in ignored if isinstance(ignored, list) else []:
        if isinstance(name, str) and name not in _warned and len(_warned) < _MAX_WARNED:
            _warned[name] = True
            logger.warning('%s does not know the field "%s" and ignored it.', path, name)
