"""Verifies requests, which come as JSON on standard input, with Convoy's own library; prints the names that it accepts."""

import json
import sys

from convoy.utils.webhook import Webhook

accepted = []
for request in json.load(sys.stdin):
    if request["preset"] != "convoy":
        continue
    # The library returns a text where a signature is wrong.
    if Webhook(request["secret"]).verify_signature(request["body"], request["headers"]["x-convoy-signature"]) is True:
        accepted.append(request["name"])
print(json.dumps(accepted))
