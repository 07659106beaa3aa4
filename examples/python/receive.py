"""Receives webhooks and prints those that are genuine and recent: WEBHOOK_SECRET=whsec_… python3 receive.py"""
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from wayfare import WebhookRejected, verify_webhook

SECRET = os.environ["WEBHOOK_SECRET"]  # while you rotate it: [new, old]
PORT = int(os.environ.get("PORT", "9000"))
LONGEST = 1024 * 1024


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        raw_body = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), LONGEST))
        try:
            event = verify_webhook(raw_body, self.headers, secret=SECRET)
        except WebhookRejected:
            self.send_response(401)
        else:
            print(event["event"], event["event_id"], flush=True)
            self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


print(f"Listening on http://localhost:{PORT}/hook", flush=True)
ThreadingHTTPServer(("localhost", PORT), Receiver).serve_forever()
