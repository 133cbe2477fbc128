"""Every error is an exception."""
import copy
import itertools
import pickle
import threading

import numpy as np
import pytest

import nnapi
from conftest import SOURCE, add_model, built

F = np.float32
ONE = np.ones((2, 2), F)
HUGE = np.broadcast_to(F(0), (1 << 20, 1 << 20))
NOTHING = np.zeros((0, 2), F)

INPUTS = [
    [], [ONE], [ONE] * 3, [None, ONE], [ONE, None], [ONE, ONE.astype("f8")], [ONE, ONE.astype(">f4")], [ONE, 1],
    [ONE, "x"], [ONE, b"x"], [ONE, object()], [ONE, {}], [ONE, [[1.0, 2.0], [3.0, 4.0]]], [ONE, [[1], [2, 3]]],
    [ONE, ONE[0]], [ONE, ONE[None]], [ONE, NOTHING], [ONE, HUGE], [ONE, np.zeros((), F)],
    [ONE, np.zeros((2, 2), [("a", F)])], [ONE, np.zeros((2, 2), "M8[s]")], [ONE, np.zeros((2, 2), object)],
    [ONE, np.zeros((2, 2), "S4")], [ONE, np.empty((1,) * 32, F)], 1, None, ONE[0, 0], itertools.repeat(ONE),
    (ONE for _ in range(3)), "ab", {1: ONE, 2: ONE},
]


@pytest.mark.parametrize("inputs", INPUTS)
@pytest.mark.parametrize("dimensions", [(2, 2), (0, 2), (0, 0), ()])
def test_inputs(inputs, dimensions):
    model = add_model(dimensions=dimensions)
    with nnapi.open_device("nnapi-reference@1.2") as device:
        for prepared in (nnapi.prepare(model), device.prepare(model)):
            try:
                prepared.run(inputs)
            except (nnapi.Error, TypeError, ValueError):
                continue
            # Some fit where the model leaves dimensions open.
            assert dimensions != (2, 2)


class Raises:
    def __array__(self, *_):
        raise RuntimeError("no array")


class Grows:
    """An array whose shape differs at each access."""

    def __array__(self, *_):
        return np.zeros((3, 2), F)


def builder():
    made = nnapi.ModelBuilder()
    made.input("TENSOR_FLOAT32", [2])
    return made


def illegal():
    made = nnapi.ModelBuilder()
    x = made.input("TENSOR_FLOAT32", [2])
    made.operation("ADD", [x, x, x], [x])
    return made.build()


def closed_device():
    device = nnapi.open_device("nnapi-reference")
    device.close()
    device.close()
    return device


def closed_prepared():
    prepared = nnapi.prepare(add_model())
    prepared.close()
    return prepared


CALLS = [
    lambda: nnapi.load(""), lambda: nnapi.load("/"), lambda: nnapi.load("/nowhere.pb"), lambda: nnapi.load(1),
    lambda: nnapi.load("/dev/null"), lambda: nnapi.load("/nowhere.onnx"), lambda: nnapi.load("/nowhere.tflite"),
    lambda: nnapi.load("x\0.pb"), lambda: nnapi.load("m.xyz"), lambda: nnapi.load("m.pb", shapes={"x": [1]}),
    lambda: nnapi.load("m.onnx", shapes={"x": [-1]}), lambda: nnapi.load("m.onnx", values={"x": object()}),
    lambda: nnapi.load("m.onnx", target="9"), lambda: nnapi.load(SOURCE / "README.md"),
    lambda: nnapi.read_cases("/nowhere.jsonl"), lambda: next(nnapi.read_cases(SOURCE / "README.md")),
    lambda: add_model().save("/nowhere/m.pb"), lambda: add_model().save("m.xyz"), lambda: add_model().save(None),
    lambda: illegal().save("/tmp/nnapi_refused.tflite"), lambda: add_model().validate("2.0"),
    lambda: add_model().validate(2), lambda: nnapi.convert(add_model(), "x"), lambda: nnapi.convert(None, "1.0"),
    lambda: nnapi.convert(illegal(), "1.2"), lambda: nnapi.slice(illegal(), "1.2"), lambda: nnapi.minimize(1),
    lambda: nnapi.prepare(illegal()), lambda: nnapi.run(illegal(), [ONE]), lambda: nnapi.prepare(None),
    lambda: nnapi.prepare(add_model(), threads=0), lambda: nnapi.prepare(add_model(), threads=-1),
    lambda: nnapi.prepare(add_model(), threads=10**9), lambda: nnapi.run(add_model(), [ONE, Raises()]),
    lambda: nnapi.run(add_model(), [ONE, Grows()]), lambda: nnapi.run(add_model(), [ONE, ONE], timeout=-1),
    lambda: nnapi.run(add_model(), [ONE, ONE], timeout=float("nan")),
    lambda: nnapi.run(add_model(), [ONE, ONE], timeout="x"), lambda: nnapi.run(add_model(), [ONE, ONE], timeout=0),
    lambda: nnapi.run(add_model(dimensions=(1 << 31, 1 << 31)), [ONE, ONE]),
    lambda: nnapi.run(add_model(dimensions=(1 << 30,)), [np.broadcast_to(F(0), 1 << 30)] * 2),
    lambda: nnapi.open_device(""), lambda: nnapi.open_device("nothing"), lambda: nnapi.open_device(None),
    lambda: nnapi.open_device("./nothing.so"), lambda: nnapi.open_device("unix:/nowhere"),
    lambda: nnapi.open_device("nnapi-reference@9"), lambda: nnapi.open_device("faulty:NOTHING"),
    lambda: nnapi.open_device("faulty:CANNOT_OPEN"), lambda: nnapi.open_device("\0"),
    lambda: nnapi.open_device("faulty:NONE:faulty:NONE"), lambda: nnapi.open_device("faulty:NONE:" * 100_000),
    lambda: closed_device().name, lambda: closed_device().prepare(add_model()), lambda: closed_device().level,
    lambda: closed_device().supported_operations(add_model()), lambda: closed_prepared().run([ONE, ONE]),
    lambda: nnapi.open_device("nnapi-reference").prepare(illegal()),
    lambda: nnapi.open_device("faulty:ACCEPTS_ANY_MODEL").prepare(illegal()),
    lambda: nnapi.open_device("faulty:ANSWERS_FOR_TOO_FEW_OPERATIONS").supported_operations(add_model()),
    lambda: nnapi.open_device("faulty:PREPARES_NULL").prepare(add_model()),
    lambda: nnapi.open_device("faulty:NOTIFIES_NULL").prepare(add_model()),
    lambda: nnapi.open_device("faulty:NOTIFIES_NULL:nnapi-sample_all").prepare(add_model()),
    lambda: nnapi.open_device("faulty:WRONG_DIMENSIONS").prepare(add_model()).run([ONE, ONE]),
    lambda: nnapi.open_device("faulty:TOO_MANY_SHAPES").prepare(add_model()).run([ONE, ONE]),
    lambda: nnapi.open_device("nnapi-reference").prepare(add_model(), timeout=-1),
    lambda: builder().operand("NOTHING"), lambda: builder().operand(None), lambda: builder().operand(1 << 40),
    lambda: builder().operand("INT32", [-1]), lambda: builder().operand("INT32", [1 << 32]),
    lambda: builder().operand("INT32", 5), lambda: builder().operand("INT32", scale="x"),
    lambda: builder().operand("INT32", name=7), lambda: builder().constant(None),
    lambda: builder().constant(1 << 31), lambda: builder().constant("x"), lambda: builder().constant(np.array(1.0)),
    lambda: builder().constant(HUGE), lambda: builder().constant(ONE, "TENSOR_INT32"),
    lambda: builder().constant(ONE, "SUBGRAPH"), lambda: builder().constant(ONE, 1 << 20),
    lambda: builder().operation("NOTHING", [], []), lambda: builder().operation("ADD", [nnapi.OperandRef(7)], []),
    lambda: builder().operation("ADD", [], [7]), lambda: builder().operation("ADD", [], [-1]),
    lambda: builder().operation("ADD", None, []), lambda: builder().operation("ADD", [], ["x"]),
    lambda: nnapi.compare(ONE, None), lambda: nnapi.compare(ONE, ONE.astype("f8")), lambda: nnapi.compare([], [ONE]),
    lambda: nnapi.compare(HUGE, HUGE), lambda: nnapi.compare(ONE, ONE.astype("i4")), lambda: nnapi.compare(ONE, ONE, 1),
    lambda: nnapi.verify(add_model(), itertools.repeat(ONE)),
    lambda: nnapi._nnapi.CaseReader.__new__(nnapi._nnapi.CaseReader), lambda: nnapi.Tolerances(1),
    nnapi.Model, lambda: nnapi.Model.__new__(nnapi.Model).counts, lambda: object.__new__(nnapi.Device).name,
    lambda: copy.copy(nnapi.prepare(add_model())), lambda: pickle.dumps(nnapi.prepare(add_model())),
    lambda: copy.deepcopy(add_model().operands[0]), lambda: type("Own", (nnapi.Model,), {})().counts,
]


@pytest.mark.parametrize("i", range(len(CALLS)))
def test_calls(i):
    with pytest.raises((nnapi.Error, OSError, TypeError, ValueError, OverflowError, RuntimeError, UnicodeDecodeError)):
        CALLS[i]()


@pytest.mark.parametrize("number", [1 << 31, -(1 << 31) - 1, 1 << 70])
def test_no_type(number):
    for call, what in ((builder().operand, "operand type"), (lambda i: builder().operation(i, [], []), "operation")):
        with pytest.raises(nnapi.Error, match=f"{what} is a number of more than 32 bits, which no type has"):
            call(number)


def test_close_while_it_runs(add):
    for _ in range(50):
        prepared = nnapi.prepare(add)
        threads = [threading.Thread(target=lambda: prepared.run([ONE, ONE])) for _ in range(2)]
        threads[0].start()
        threads[0].join()
        closer = threading.Thread(target=prepared.close)
        closer.start()
        closer.join()
        with pytest.raises(nnapi.Error, match="closed"):
            prepared.run([ONE, ONE])


def test_build_from_within():
    made = nnapi.ModelBuilder()

    class Adds:
        def __array__(self, *_):
            for _ in range(1000):
                made.operand("INT32")
            return ONE

    first = made.constant(Adds(), "TENSOR_FLOAT32")
    np.testing.assert_array_equal(built(made).operands[first].value, ONE)


def test_refused_calls_leave_a_legal_model():
    made = builder()
    for call in (lambda: made.input("INT32", name="\ud800"), lambda: made.operand("INT32", name=7),
                 lambda: made.constant(1.5, "INT32"), lambda: made.operation("ADD", [0, ONE, 1j], [])):
        with pytest.raises((TypeError, ValueError)):
            call()
    y = made.output("TENSOR_FLOAT32", [2])
    made.operation("FLOOR", [nnapi.OperandRef(0)], [y])
    np.testing.assert_array_equal(nnapi.run(made.build(), [ONE[0]])[0], ONE[0])


def test_operand_of_another_builder():
    x, made = builder().input("TENSOR_FLOAT32", [2]), builder()
    y = made.output("TENSOR_FLOAT32", [2])
    for inputs, outputs in (([x], [y]), ([y], [x])):
        with pytest.raises(nnapi.ArgumentError, match="operand 1 belongs to another builder"):
            made.operation("FLOOR", inputs, outputs)


def test_numbers_out_of_range():
    with pytest.raises(nnapi.ArgumentError, match=r"dimensions\[1\] is -1, allowed 0 to 4294967295"):
        builder().operand("INT32", [2, -1])
    with pytest.raises(nnapi.ArgumentError, match="zero_point is 2147483648, allowed -2147483648 to 2147483647"):
        builder().operand("INT32", zero_point=1 << 31)
    with pytest.raises(nnapi.ArgumentError, match="channel_dim is -1, allowed 0 to 4294967295"):
        builder().operand("INT32", scales=[1], channel_dim=-1)


class Closes:
    """An array that closes the object that is about to use it."""

    def __init__(self, prepared):
        self.prepared = prepared

    def __array__(self, *_):
        self.prepared.close()
        return ONE


def test_close_from_within(add):
    prepared = nnapi.prepare(add)
    np.testing.assert_array_equal(prepared.run([Closes(prepared), ONE])[0], 2 * ONE)
