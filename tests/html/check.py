#!/usr/bin/env python3
"""Checks pages of test-device as Chromium shows them: all, #q=relu, #only=bad, #q=tensor_float32+mul, random models."""

import html.parser
import sys

from conditions import expect, failures


class Page(html.parser.HTMLParser):
    """The rows and sections that can be filtered: shown, bad, their text."""

    def __init__(self, path):
        super().__init__()
        self.rows = []
        self.tables = set()
        self.shown = ""
        self._open = None  # the tag of the open row
        self._inShown = False
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "table":
            self.tables.add(attributes.get("id"))
        self._inShown = attributes.get("id") == "shown"
        if "data-bad" in attributes:
            self._open = tag
            self.rows.append({"shown": "hidden" not in attributes,
                              "bad": attributes["data-bad"] == "yes", "text": ""})

    def handle_endtag(self, tag):
        self._inShown = False
        if tag == self._open:
            self._open = None

    def handle_data(self, data):
        if self._inShown:
            self.shown += data
        if self._open:
            self.rows[-1]["text"] += data.lower()


def check(path, name, fits):
    page = Page(path)
    fitting = [row for row in page.rows if fits(row)]
    shown = [row for row in page.rows if row["shown"]]
    expect(page.tables >= {"kinds", "operations"}, f"{name}: the tables are there")
    expect(fitting, f"{name}: something fits")
    expect(shown == fitting, f"{name}: shown is what fits: {len(shown)}, {len(fitting)}")
    expect(page.shown == f"{len(fitting)} of {len(page.rows)} shown", f"{name}: {page.shown}")
    return len(shown)


counts = [
    check(sys.argv[1], "all", lambda row: True),
    check(sys.argv[2], "relu", lambda row: "relu" in row["text"]),
    check(sys.argv[3], "bad", lambda row: row["bad"]),
    check(sys.argv[4], "two words",
          lambda row: "tensor_float32" in row["text"] and "mul" in row["text"]),
]
expect(all(count < counts[0] for count in counts[1:]), f"filters leave something out: {counts}")
random = Page(sys.argv[5])
expect("operations" in random.tables, "random failures are in the table of operations")
expect(any(row["bad"] for row in random.rows), "a random model fails")
sys.exit(bool(failures))
