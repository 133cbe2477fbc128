"""Models: building, files, inspection, validation, conversion."""
import numpy as np
import pytest

import nnapi
from conftest import SOURCE, add_model, built


def test_five_lines():
    builder = nnapi.ModelBuilder()
    x = builder.input("TENSOR_FLOAT32", [2])
    y = builder.output(nnapi.OperandType.TENSOR_FLOAT32, [2])
    builder.operation(nnapi.OperationType.ADD, [x, np.float32([1, 2]), 0], [y])
    np.testing.assert_array_equal(nnapi.run(builder.build(), [np.float32([3, 4])])[0], [4, 6])


def test_look(add):
    assert repr(add) == "<nnapi.Model: 1 operations, 4 operands, 2 inputs, 1 outputs>"
    assert "TENSOR_FLOAT32" in str(add)
    assert add.counts == {"ADD": 1}
    assert [o.index for o in add.inputs] == [0, 1] and [o.index for o in add.outputs] == [2]
    assert add.operations[0].type == "ADD" and add.operations[0].inputs == (0, 1, 3)
    assert add.inputs[0].dimensions == (2, 2) and add.inputs[0].dtype == np.float32
    assert add.inputs[0].value is None and add.operands[3].value == 0
    assert add.operands[3].lifetime == "CONSTANT_COPY" and add.version is None
    assert add == add_model() and add != add_model(dimensions=(2, 3)) and add != 1


CONSTANTS = [  # value, options, type
    (True, {}, "BOOL"), (-7, {}, "INT32"), (0.5, {}, "FLOAT32"), (np.float16(2), {}, "FLOAT16"),
    (np.uint32(3), {}, "UINT32"), (np.ones((2, 3), np.float32), {}, "TENSOR_FLOAT32"),
    (np.ones(3, np.float16), {}, "TENSOR_FLOAT16"), (np.arange(4, dtype=np.int32), {}, "TENSOR_INT32"),
    (np.ones((2, 1), bool), {}, "TENSOR_BOOL8"),
    (np.ones((2, 2), np.uint8), {"scale": 0.5, "zero_point": 128}, "TENSOR_QUANT8_ASYMM"),
    (np.ones((2, 2), np.int8), {"scale": 0.5}, "TENSOR_QUANT8_ASYMM_SIGNED"),
    (np.ones((2, 2), np.int8), {"type": "TENSOR_QUANT8_SYMM_PER_CHANNEL", "scales": [0.5, 0.25], "channel_dim": 1},
     "TENSOR_QUANT8_SYMM_PER_CHANNEL"),
    (np.arange(12, dtype=np.float32).reshape(3, 4).T, {}, "TENSOR_FLOAT32"),
]


@pytest.mark.parametrize("value,options,type", CONSTANTS)
def test_constants(value, options, type):
    builder = nnapi.ModelBuilder()
    builder.constant(value, name="c", **options)
    operand = built(builder).operands[0]
    assert operand.type == type and operand.name == "c"
    np.testing.assert_array_equal(operand.value, value)
    assert operand.value.shape == np.shape(value) and operand.scales == tuple(options.get("scales", ()))


@pytest.mark.parametrize("name", ["m.pb", "m.textproto", "m.json"])
@pytest.mark.parametrize("version", [None, "1.0", "aidl2"])
def test_files(tmp_path, add, name, version):
    model = add if version is None else nnapi.convert(add, version).model
    assert model.save(tmp_path / name) == []
    loaded = nnapi.load(str(tmp_path / name))
    # Files state the first version that has the types of an AIDL model.
    assert loaded == add and (loaded.version is None) == (version is None)


def test_tflite(tmp_path, add, ones):
    add.save(tmp_path / "m.tflite")
    (tmp_path / "m.tflite").rename(tmp_path / "model")  # recognized by its bytes
    loaded = nnapi.load(tmp_path / "model", shapes={})
    np.testing.assert_array_equal(nnapi.run(loaded, [ones, ones])[0], 2 * ones)
    assert all(o.name for o in loaded.inputs)


def test_onnx():
    models = SOURCE / "tests/cli/models"
    assert nnapi.load(models / "open.onnx", shapes={"x": [2, 3]}).inputs[0].dimensions == (2, 3)
    assert nnapi.load(models / "choice.onnx", values={"sr": np.int64(16000)}).validate() == []
    with pytest.raises(nnapi.Error, match="x"):
        nnapi.load(models / "open.onnx", shapes={"x": [2]})


def field(number, data):
    return bytes([number << 3 | 2, len(data)]) + data


def test_onnx_constant_without_output(tmp_path):
    value = field(1, b"value_int") + b"\x18\x01"
    node = field(2, b"") + field(4, b"Constant") + field(5, value)
    graph = field(1, node) + field(12, field(1, b"y"))
    (tmp_path / "m.onnx").write_bytes(field(7, graph) + field(8, b"\x10\x0d"))
    with pytest.raises(nnapi.Error, match="nothing computes output"):
        nnapi.load(tmp_path / "m.onnx")


def test_validate():
    builder = nnapi.ModelBuilder()
    x = builder.input("TENSOR_FLOAT32", [2])
    builder.operation("SOFTMAX", [x, 1], [builder.output("TENSOR_FLOAT32", [2])])
    model = builder.build()
    [error] = [d for d in model.validate() if d.level == "error"]
    assert error.rule.startswith("softmax.") and error.path == "main.operations[0]"
    assert error.operation == "SOFTMAX" and error.message and error.since is None and error.rule in str(error)
    with pytest.raises(nnapi.ValidationError) as caught:
        model.required_level
    assert (caught.value.rule, caught.value.path) == (error.rule, error.path)
    assert caught.value.code == "INVALID_ARGUMENT" and isinstance(caught.value, nnapi.Error)


def test_levels(tmp_path):
    half = add_model("TENSOR_FLOAT16")
    assert half.required_level == 3 and half.validate() == []
    assert half.validate("1.1")[0].since == 3
    with pytest.raises(nnapi.ValidationError, match="HAL 1.2") as caught:
        nnapi.convert(half, "1.0")
    assert caught.value.since == 3
    assert nnapi.convert(half, "1.2").model.version == "1.2"
    assert nnapi.slice(half, "1.2").operations == [0] and nnapi.slice(half, "1.0").operations == []


def test_losses_and_minimize():
    builder = nnapi.ModelBuilder()
    x = builder.input("TENSOR_FLOAT32", [2, 2])
    builder.operation("ADD", [x, np.ones((2, 2), np.float32), 0], [builder.output("TENSOR_FLOAT32", [2, 2])])
    builder.constant(3.0)
    model = builder.build(relaxed=True)
    converted, losses = nnapi.convert(model, "1.0")
    assert [loss.path for loss in losses] == ["relaxComputationFloat32toFloat16"] and losses[0].why
    assert model.is_relaxed and not converted.is_relaxed and converted != model
    small, removed = nnapi.minimize(model)
    assert len(small.operands) == 4 and removed[0].path == "main.operands[4]" and removed[0].why


def test_verify(ones):
    verdicts = nnapi.verify(add_model("TENSOR_FLOAT16"), iter([ones.astype(np.float16)] * 2))
    assert [v.version for v in verdicts] == list(nnapi.VERSIONS)
    assert [v.refusal is None for v in verdicts] == [False] * 2 + [True] * 6
    assert all(v.identical and v.comparisons[0].passed for v in verdicts[2:])
