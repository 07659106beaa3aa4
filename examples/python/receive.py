"""Receives webhooks and prints those that are genuine and recent: WEBHOOK_SECRET=whsec_… python3 receive.py"""
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../verify"))
from verify import is_genuine

SECRET = os.environ["WEBHOOK_SECRET"]
PORT = int(os.environ.get("PORT", "9000"))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        genuine = is_genuine(raw_body, self.headers, SECRET)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine:
            event = json.loads(raw_body)
            print(event["event"], event["event_id"], flush=True)

    def log_message(self, *_):
        pass


print(f"Listening on http://localhost:{PORT}/hook", flush=True)
ThreadingHTTPServer(("localhost", PORT), Receiver).serve_forever()
