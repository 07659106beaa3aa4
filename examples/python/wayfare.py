"""A client in thirty lines, for the programs beside it. It needs nothing but Python."""
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

KEY = os.environ.get("WAYFARE_KEY") or sys.exit("Set WAYFARE_KEY to a sandbox key.")
API = os.environ.get("WAYFARE_URL") or "http://localhost:4010/v3"


def call(path, form=None, attempts=3):
    """GET, or POST with a form. A refusal raises urllib's HTTPError, whose body names the `error`."""
    body = None if form is None else urllib.parse.urlencode(form).encode()
    request = urllib.request.Request(f"{API}/{path}", data=body, headers={"X-API-Key": KEY})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as refused:
        # A purchase is safe to repeat because of its idempotency key; do not repeat a POST without one.
        is_safe = form is None or "idempotency_key" in form
        if attempts > 1 and (refused.code == 429 or (is_safe and refused.code == 503)):
            time.sleep(int(refused.headers.get("Retry-After") or 1))
            return call(path, form, attempts - 1)
        raise
    except (urllib.error.URLError, TimeoutError):
        if attempts > 1 and (form is None or "idempotency_key" in form):
            time.sleep(1)
            return call(path, form, attempts - 1)
        raise
