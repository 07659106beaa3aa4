"""Runs cases against the Python SDK: from standard input, with the outcomes on standard output."""
import itertools
import json
import keyword
import re
import sys
import time

from wayfare import CallOptions, Wayfare, WayfareConnectionError, WayfareError, WebhookRejected, errors, verify_webhook

waits = []
time.sleep = lambda seconds: waits.append(seconds * 1000)


def options_of(given, extra):
    timeout = given.get("timeout_ms")
    return CallOptions(
        key=given.get("key"),
        timeout_seconds=None if timeout is None else timeout / 1000,
        max_retries=given.get("max_retries"),
        sandbox_error=given.get("sandbox_error"),
        extra=extra,
    )


def made(wayfare, call):
    fields = call.get("fields", {})
    options = options_of(call.get("options", {}), call.get("extra", {}))
    if " " in call["method"]:
        verb, path = call["method"].split(" ")
        return wayfare.request(verb, path, fields, options)
    group, name = call["method"].split(".")
    method = getattr(getattr(wayfare, group), re.sub("([A-Z])", lambda found: "_" + found[1].lower(), name))
    ids = [call["id"]] if "id" in call else []
    named = {f"{name}_" if keyword.iskeyword(name) else name: value for name, value in fields.items()}
    answer = method(*ids, **named, options=options)
    return answer if "take" not in call else [row["id"] for row in itertools.islice(answer, call["take"])]


def outcome_of(work):
    try:
        answer = work()
        return {"answer": answer.decode("latin-1") if isinstance(answer, bytes) else answer}
    except WayfareError as error:
        assert errors.BY_CODE.get(error.code, WayfareError) is type(error)
        return {
            "refused": {
                "code": error.code,
                "httpStatus": error.http_status,
                "requestId": error.request_id,
                "idempotencyKey": error.idempotency_key,
                "message": str(error),
                "required": getattr(error, "required", None),
                "balance": getattr(error, "balance", None),
            }
        }
    except WayfareConnectionError as error:
        return {
            "unanswered": {
                "isTimeout": error.is_timeout,
                "httpStatus": error.http_status,
                "requestId": error.request_id,
                "idempotencyKey": error.idempotency_key,
                "message": str(error),
            }
        }
    except WebhookRejected as error:
        return {"rejected": error.reason}
    except ValueError:
        return {"misused": True}


def verified(case):
    return outcome_of(
        lambda: verify_webhook(case["body"].encode(), case["headers"], secret=case["secret"], now=case["now"])["event"]
    )


asked = json.load(sys.stdin)
done = []
for case in asked["calls"]:
    waits.clear()
    settings = case.get("settings", {})
    client = Wayfare(
        settings.get("key", "esk_test_one"),
        base_url=case["base_url"],
        timeout_seconds=settings.get("timeout_ms", 30_000) / 1000,
        max_retries=settings.get("max_retries", 3),
        user_agent=settings.get("user_agent"),
    )
    outcomes = [outcome_of(lambda call=call: made(client, call)) for call in case["calls"]]
    done.append({"outcomes": outcomes, "waits": list(waits)})
json.dump({"calls": done, "webhooks": [verified(case) for case in asked["webhooks"]]}, sys.stdout)
