from __future__ import annotations

import json
from typing import Any, Dict, Mapping
from urllib.parse import quote, quote_plus


def form_of(fields: Mapping[str, Any]) -> Dict[str, str]:
    """The fields as text; those that are ``None`` are not sent."""
    return {name: _text_of(value) for name, value in fields.items() if value is not None}


def encoded(form: Mapping[str, str]) -> str:
    return "&".join(f"{_encoded(name)}={_encoded(value)}" for name, value in form.items())


def at(path: str, param: object) -> str:
    """The path with an id behind it. What a customer typed cannot leave its place."""
    return f"{path}/{quote(str(param), safe='!*()~' + chr(39))}"


def _encoded(text: str) -> str:
    return quote_plus(text, safe="*").replace("~", "%7E")


def _text_of(value: Any) -> str:
    """Forms hold only text: the API reads 1 and 0 for booleans, commas between plain values, and JSON for the rest."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, Mapping):
        return _json(dict(value))
    if isinstance(value, (list, tuple)):
        # An empty list is sent as JSON, which the API refuses: an empty text would count as not sent.
        is_plain = len(value) > 0 and not any(isinstance(one, (Mapping, list, tuple)) for one in value)
        return ",".join(_text_of(one) for one in value) if is_plain else _json(list(value))
    return str(value)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
