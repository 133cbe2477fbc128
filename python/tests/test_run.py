"""Executions with arrays, on the interpreter and on devices."""
import concurrent.futures
import os
import tracemalloc

import numpy as np
import pytest

import nnapi
import nnapi.testing
from conftest import SOURCE, add_model

QUANTIZED = {"scale": 1.0}
TYPES = [("TENSOR_FLOAT32", np.float32, {}), ("TENSOR_FLOAT16", np.float16, {}), ("TENSOR_INT32", np.int32, {}),
         ("TENSOR_QUANT8_ASYMM", np.uint8, QUANTIZED), ("TENSOR_QUANT8_ASYMM_SIGNED", np.int8, QUANTIZED)]


@pytest.mark.parametrize("type,dtype,options", TYPES)
def test_types(type, dtype, options):
    model = add_model(type, (2, 3), **options)
    a = np.arange(6).reshape(2, 3).astype(dtype)
    [result] = nnapi.run(model, [a, a[::-1]])
    assert result.dtype == dtype and result.shape == (2, 3)
    np.testing.assert_array_equal(result, a + a[::-1])


LAYOUTS = [
    lambda a: a, lambda a: np.asfortranarray(a), lambda a: np.repeat(a, 2, 1)[:, ::2], lambda a: a[::-1][::-1],
    lambda a: np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),  # not aligned
    lambda a: a.view(np.ma.MaskedArray), lambda a: np.require(a, requirements=["E"]),
]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout):
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_array_equal(nnapi.run(add_model(dimensions=(3, 4)), [layout(a), a])[0], 2 * a)


def test_contiguous_arrays_are_not_copied():
    size = 1 << 20
    prepared = nnapi.prepare(add_model(dimensions=(size,)))
    a = np.ones(2 * size, np.float32)
    for array, copied in [(a[:size], 0), (a[::2], 2)]:
        tracemalloc.start()
        prepared.run([array, array])
        assert tracemalloc.get_traced_memory()[1] // array.nbytes == copied
        tracemalloc.stop()


@pytest.mark.parametrize("name", [None, "nnapi-reference", "nnapi-reference@1.2", "nnapi-reference@aidl3"])
def test_shapes_reported_by_executions(name):
    model = add_model(dimensions=(0, 3))
    a = np.ones((5, 3), np.float32)
    if name is None:
        [result] = nnapi.run(model, [a, a])
    else:
        with nnapi.open_device(name) as device, device.prepare(model) as prepared:
            [result] = prepared.run([a, a])
    assert result.shape == (5, 3) and (result == 2).all()


@pytest.mark.skipif(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") < 8 << 30, reason="needs 8 GiB")
def test_result_beyond_the_limit():
    builder = nnapi.ModelBuilder()
    size = builder.input("TENSOR_INT32", [1])
    builder.operation("FILL", [size, 1.0], [builder.output("TENSOR_FLOAT32")])
    with pytest.raises(nnapi.Error, match=r"^outputs\[0\] has 2\^32 bytes or more, allowed fewer$") as raised:
        nnapi.run(builder.build(), [np.int32([1 << 30])])
    assert raised.value.code == "RESOURCE_EXHAUSTED_PERSISTENT"


def test_devices(add, ones):
    assert "nnapi-reference" in nnapi.devices()
    with nnapi.open_device("nnapi-reference@1.1") as device:
        assert (device.name, device.level) == ("nnapi-reference", 2) and device.type and device.version_string
        assert device.supported_operations(add) == [True]
        with device.prepare(add, timeout=60) as prepared:
            np.testing.assert_array_equal(prepared.run([ones, ones], timeout=60)[0], 2 * ones)


def test_faulty_device(add, ones):
    with nnapi.open_device("faulty:WRONG_VALUES") as device:
        assert not nnapi.compare(device.prepare(add).run([ones, ones]), nnapi.run(add, [ones, ones]))[0]


@pytest.mark.parametrize("fault,why", [
    ("WRONG_DIMENSIONS", r"outputShapes\[0\] with dimensions \[2, 2, 2\], allowed \[4, 4\]"),
    ("TOO_MANY_SHAPES", "reports 2 output shapes, allowed 1"),
    ("THROWS", "out of luck"),
])
def test_wrong_results(fault, why):
    model, array = add_model(dimensions=(4, 4)), np.ones((4, 4), np.float32)
    with nnapi.open_device("faulty:" + fault) as device, device.prepare(model) as prepared:
        with pytest.raises(nnapi.Error, match=why) as raised:
            prepared.run([array, array])
        assert raised.value.code == "GENERAL_FAILURE"


@nnapi.testing.cases(SOURCE / "tests/vectors/V1_0", "a*.jsonl*")
def test_vectors(device, case):
    nnapi.testing.check(device, case)


def test_threads():
    prepared = nnapi.prepare(add_model(dimensions=(1000,)), threads=2)

    def run(i):
        a = np.full(1000, i, np.float32)
        return (prepared.run([a, a])[0] == 2 * i).all()

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(run, range(200)))


def test_compare(ones):
    near = nnapi.compare(ones * np.float32(1 + 1e-6), ones)
    assert near and near.passed and near.elements == 4 and 0 < near.max_ulps < 20 and near.first is None
    far = nnapi.compare(ones * 2, ones)
    assert not far and far.first == 0 and far.max_abs_error == 1 and "expected 1" in far.message
    assert not nnapi.compare(np.ones((4,), np.float32), ones)
    tolerances = nnapi.Tolerances()
    tolerances.float32 = (1, 0)
    assert nnapi.compare([ones * 2], [ones], tolerances)[0].passed and nnapi.compare([ones], [None])[0]
    assert nnapi.Tolerances.of(add_model("TENSOR_FLOAT16")).float32 == nnapi.Tolerances().float16
    assert nnapi.Tolerances.__new__(nnapi.Tolerances).float32 == nnapi.Tolerances().float32
