"""Conditions that a page must meet."""

failures = []


def expect(is_met, what):
    """Reports a condition that is not met."""
    if not is_met:
        failures.append(what)
        print("not true:", what)
