"""Passes on what a referee tells to a chat: Discord, Slack, Mattermost and others that take a text.

python chat_webhook.py PORT SECRET https://chat.example/hooks/…

Register its address with `referee webhook add`; SECRET is what that answers.
"""

from __future__ import annotations

import hmac
import json
import sys
import time
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.request import Request, urlopen

LATE = 300
"""Seconds after which a message is no longer believed: somebody may have kept it."""
passed_on: deque[str] = deque(maxlen=1000)
"""An event may come more than once, and is told once."""


def is_genuine(secret: str, headers: Mapping[str, str], content: bytes) -> bool:
    """Whether the referee has signed it, and just now."""
    id, at = headers.get("Webhook-Id", ""), headers.get("Webhook-Timestamp", "")
    key = b64decode(secret.removeprefix("whsec_"))
    made = hmac.new(key, f"{id}.{at}.".encode() + content, "sha256").digest()
    expected = f"v1,{b64encode(made).decode()}"
    signed = headers.get("Webhook-Signature", "").split()
    fresh = at.isdigit() and abs(time.time() - int(at)) < LATE
    return fresh and any(hmac.compare_digest(expected, each) for each in signed)


def tell(chat: str, text: str) -> None:
    """One sentence; Discord reads it in `content`, the others in `text`."""
    said = json.dumps({"text": text, "content": text}).encode()
    urlopen(Request(chat, said, {"Content-Type": "application/json"}), timeout=8).close()


def serve(port: int, secret: str, chat: str) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status = 204
            if not is_genuine(secret, self.headers, content):
                status = 401
            elif (event := json.loads(content))["id"] not in passed_on:
                try:
                    tell(chat, event["text"])
                    passed_on.append(event["id"])
                except OSError:  # the referee sends it again later
                    status = 502
            self.send_response(status)
            self.end_headers()

    with HTTPServer(("127.0.0.1", port), Handler) as server:
        print(server.server_port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    serve(int(sys.argv[1]), *sys.argv[2:])
