"""One HTTP exchange, over the standard library. Proxies are taken from the environment (``https_proxy``, ``no_proxy``)."""
from __future__ import annotations

import http.client
import io
import socket
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional


@dataclass(frozen=True)
class HttpRequest:
    verb: str
    url: str
    headers: Mapping[str, str]
    body: Optional[bytes]
    timeout_seconds: float
    """For the whole exchange."""


@dataclass(frozen=True)
class HttpResponse:
    status: int
    headers: Mapping[str, str]
    """With names in lower case."""
    body: bytes


Transport = Callable[[HttpRequest], HttpResponse]
"""Raises ``TimeoutError`` when time ran out, and any other exception when the connection failed."""


def urllib_transport(request: HttpRequest) -> HttpResponse:
    deadline = time.monotonic() + request.timeout_seconds
    opener = urllib.request.build_opener(_NoRedirects, _Http(deadline), _Https(deadline))
    # urllib announces itself unless it is told not to.
    opener.addheaders = []
    outgoing = urllib.request.Request(request.url, data=request.body, headers=dict(request.headers), method=request.verb)
    try:
        with _opened(opener, outgoing, request.timeout_seconds) as response:
            headers: Dict[str, str] = {}
            for name, value in response.headers.items():
                known = headers.get(name.lower())
                headers[name.lower()] = value if known is None else f"{known}, {value}"
            return HttpResponse(response.status, headers, response.read())
    except urllib.error.URLError as failed:
        if isinstance(failed.reason, (TimeoutError, socket.timeout)):
            raise TimeoutError(str(failed.reason)) from failed
        raise
    except socket.timeout as late:
        raise TimeoutError(str(late)) from late


def _opened(opener: urllib.request.OpenerDirector, request: urllib.request.Request, timeout: float) -> Any:
    try:
        return opener.open(request, timeout=timeout)
    except urllib.error.HTTPError as refused:
        # An answer, too: what it means is decided where every answer is read.
        return refused


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Http(urllib.request.HTTPHandler):
    def __init__(self, deadline: float) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_connection(http.client.HTTPConnection, self._deadline), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, deadline: float) -> None:
        super().__init__()
        self._deadline = deadline

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_connection(http.client.HTTPSConnection, self._deadline), req)


def _connection(kind: Any, deadline: float) -> Any:
    class Connection(kind):  # type: ignore[misc]
        sock: Any

        def connect(self) -> None:
            super().connect()
            self.sock = _TimedSocket(self.sock, deadline)

    return Connection


class _TimedSocket:
    """A socket whose every wait ends at one deadline. A time-out of its own begins anew with each byte a slow server sends."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock = sock
        self._deadline = deadline

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def _limit(self) -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise socket.timeout("timed out")
        self._sock.settimeout(left)

    def sendall(self, data: Any, *flags: Any) -> None:
        self._limit()
        self._sock.sendall(data, *flags)

    def recv_into(self, buffer: Any) -> int:
        self._limit()
        return self._sock.recv_into(buffer)

    def makefile(self, *_: Any, **__: Any) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self, self._sock.makefile("rb", buffering=0)))


class _Reader(io.RawIOBase):
    def __init__(self, sock: _TimedSocket, file: Any) -> None:
        self._sock = sock
        # Holds the connection open for as long as somebody reads from it.
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._sock.recv_into(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()
