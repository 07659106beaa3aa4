import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 300


def is_genuine(raw_body: bytes, headers, *secrets: str) -> bool:
    """Whether a webhook is genuine and recent.

    raw_body: the bytes as they arrived, before any JSON parsing, e.g. Flask's request.get_data().
    headers: your framework's headers, e.g. request.headers.
    secrets: yours exactly as shown, whsec_ included; while you rotate it, the new and the old one.
    """
    timestamp = headers.get("X-Webhook-Timestamp") or ""
    signature = headers.get("X-Signature") or ""
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = timestamp.encode() + b"." + raw_body
    return any(
        hmac.compare_digest(
            ("sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()).encode(),
            signature.encode("utf-8", "replace"),
        )
        for secret in secrets
    )
