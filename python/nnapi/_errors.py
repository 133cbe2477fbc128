"""The exceptions of the package; the compiled part raises them."""


class Error(Exception):
    """A failure of the library.

    Attributes
    ----------
    code : str
        The name in the HAL, such as "INVALID_ARGUMENT".
    """

    def __init__(self, message, code="GENERAL_FAILURE"):
        super().__init__(message)
        self.code = code


class ArgumentError(Error, ValueError):
    """An argument that has the right type and a wrong value."""

    def __init__(self, message, code="INVALID_ARGUMENT"):
        super().__init__(message, code)


class ValidationError(Error, ValueError):
    """A failure with a diagnostic: the place, what was found, and the rule.

    Attributes
    ----------
    rule, path, operation, message : str
    since : int or None
        The first feature level in which it is legal.
    """

    def __init__(self, text, code, rule, path, operation, message, since=None):
        super().__init__(text, code)
        self.rule = rule
        self.path = path
        self.operation = operation
        self.message = message
        self.since = since


for _class in (Error, ArgumentError, ValidationError):
    _class.__module__ = "nnapi"
