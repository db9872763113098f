import json
import unicodedata

import schemathesis

# A letter, a digit, a sign or a mark of punctuation; but for the fillers of Hangul, which are letters that nobody sees.
SEEN = ("L", "N", "P", "S")
FILLERS = "\u115f\u1160\u2800\u3164\uffa0"


@schemathesis.hook
def filter_body(context, body):
    # A body with such a key is refused everywhere, because storing it would alter it. JSON Schema cannot say so at depth.
    if "__proto__" in json.dumps(body, default=str):
        return False
    if not isinstance(body, dict):
        return True
    # The patterns of all languages have no common word for a visible character, and a name must have one.
    if isinstance(body.get("name"), str) and not any(is_seen(character) for character in body["name"]):
        return False
    # The default environment stays the default until another one takes its place: whether `false` is refused depends on
    # the environment, not on the body.
    return body.get("isDefault") is not False


def is_seen(character):
    return unicodedata.category(character).startswith(SEEN) and character not in FILLERS
