#!/usr/bin/env python3
"""Checks the pages of `nnapi view` and `nnapi verify --html` as Chromium has left them: see tests/html/run."""
import html.parser
import sys

from conditions import expect, failures


class Page(html.parser.HTMLParser):
    """Rows by id or number, the titles of chosen shapes of the drawing, scripts, and all text."""

    def __init__(self, path):
        super().__init__()
        self.rows = {}
        self.chosen = []
        self.scripts = 0
        self.handlers = []
        self.text = ""
        self._row = None
        self._depth = 0
        self._shape = False
        self._title = False
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        classes = (attributes.get("class") or "").split()
        self.handlers += [name for name in attributes if name.startswith("on")]
        self.scripts += tag == "script"
        if "data-bad" in attributes:
            self._depth = 0
            self._row = self.rows.setdefault(attributes.get("id", str(len(self.rows))), {
                "tag": tag, "shown": "hidden" not in attributes, "bad": attributes["data-bad"] == "yes",
                "open": "open" in attributes, "chosen": "chosen" in classes, "text": ""})
        if self._row and tag == self._row["tag"]:
            self._depth += 1
        if tag == "g":
            self._shape = "chosen" in classes
        self._title = tag == "title"

    def handle_endtag(self, tag):
        self._title = False
        if self._row and tag == self._row["tag"]:
            self._depth -= 1
            if self._depth == 0:
                self._row = None

    def handle_data(self, data):
        self.text += data
        if self._row:
            self._row["text"] += data + " "
        if self._shape and self._title:
            self.chosen.append(data)


def shown(page):
    """The ids of the rows that are shown."""
    return [name for name, row in page.rows.items() if row["shown"]]


name = sys.argv[1]
hostile, operation, arrow, words, bad, verdicts, losses = (Page(path) for path in sys.argv[2:])
for page in (hostile, losses):
    expect(name in page.text, "the hostile name is shown as text")
    expect(page.scripts == 1 and not page.handlers, f"no other scripts: {page.scripts}, {page.handlers}")

row = operation.rows["main.operations[9]"]
expect(row["chosen"] and row["open"], "the address opens the row of an operation")
expect("AVERAGE_POOL_2D" in row["text"] and "strideWidth" in row["text"], f"its operands: {row['text']}")
expect(operation.chosen == ["op9"], f"its box is marked: {operation.chosen}")

chosen = [name for name, row in arrow.rows.items() if row["chosen"]]
expect(chosen == ["main.operands[0]"], f"a click on an arrow chooses its tensor: {chosen}")
text = arrow.rows["main.operands[0]"]["text"]
for fact in ("input_1", "TENSOR_QUANT8_ASYMM_SIGNED", "?×49×10×1", "scale 0.5847029, zero point 83"):
    expect(fact in text, f"{fact} in {text}")
constant = arrow.rows["main.operands[2]"]["text"]
expect("CONSTANT" in constant and ", …" in constant, f"an excerpt of a constant: {constant}")

found = shown(words)
expect(found and len(found) < len(words.rows), "a search shows a part")
expect(all("softmax" in words.rows[row]["text"].lower() for row in found), "a search shows what fits")

expect(len(shown(bad)) == 9, f"nine operations are not legal in HAL 1.1: {shown(bad)}")
expect(all(bad.rows[row]["bad"] for row in shown(bad)), "only bad rows are shown")
expect("Conversion to HAL 1.1: not converted" in bad.text, "the page shows why the model does not convert")
expect("Import: 2 losses" in bad.text, "losses of the import are on the page")

rows = list(verdicts.rows.values())
expect(len(rows) == 9, f"a row for each version, and TensorFlow Lite: {len(rows)}")
expect("not converted" in rows[0]["text"] and "needs HAL 1.3" in rows[0]["text"], "reasons expand")
expect("by the import" in rows[2]["text"] and "2" in rows[2]["text"], "losses expand")
expect("1 model verified, 0 failed" in verdicts.text, "the verdict")
sys.exit(bool(failures))
