"""For pytest: a fixture that opens a device, and test cases as parameters.

``pytest -p nnapi.testing --nnapi-device ./libmydriver.so`` runs such a test on that device::

    import nnapi.testing

    @nnapi.testing.cases("vectors")
    def test_device(device, case):
        nnapi.testing.check(device, case)
"""
import pathlib
from typing import Iterator, Union

import pytest

import nnapi


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nnapi-device", default="nnapi-reference", metavar="DEVICE",
                     help="the device of the fixture `device`, as for the program's --device")


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> Iterator[nnapi.Device]:
    """The device that --nnapi-device names."""
    with nnapi.open_device(request.config.getoption("--nnapi-device")) as opened:
        yield opened


def cases(folder: "Union[str, pathlib.Path]", pattern: str = "**/*.jsonl*") -> pytest.MarkDecorator:
    """Runs a test for each test case, as its argument `case`.

    Parameters
    ----------
    folder : str or pathlib.Path
        With files of test cases, .jsonl or .jsonl.gz; or one such file.
    pattern : str, optional
        Which files of the folder, as for pathlib.Path.glob().

    Raises
    ------
    nnapi.Error
        If there are none, or one cannot be read.
    """
    root = pathlib.Path(folder)
    files = [root] if root.is_file() else sorted(root.glob(pattern))
    found = [case for file in files for case in nnapi.read_cases(file)]
    if not found:
        raise nnapi.ArgumentError(f"{root} has no test cases")
    return pytest.mark.parametrize("case", found, ids=[case.name for case in found])


def check(device: nnapi.Device, case: nnapi.TestCase) -> None:
    """Fails unless the device computes what the case expects; skips what it does not support."""
    if case.expects_failure:
        with pytest.raises(nnapi.Error):
            with device.prepare(case.model) as prepared:
                prepared.run(case.inputs)
        return
    if case.model.required_level > device.level:
        pytest.skip(f"needs level {case.model.required_level}, the device has {device.level}")
    supported = device.supported_operations(case.model)
    for operation, is_supported in zip(case.model.operations, supported):
        if not is_supported:
            pytest.skip(f"the device does not support {operation.type}")
    with device.prepare(case.model) as prepared:
        comparison = case.compare(prepared.run(case.inputs))
    assert comparison, comparison.message
