"""What users of onnx, onnxruntime and NumPy expect."""
import copy
import inspect
import io
import pickle

import numpy as np
import pytest

import nnapi
from conftest import SOURCE, add_model

KWS = SOURCE / "tests/tflite/models/kws_int8.tflite"
ONES = np.ones((2, 2), np.float32)


def named_model():
    """x / y, whose inputs have names."""
    builder = nnapi.ModelBuilder()
    x = builder.input("TENSOR_FLOAT32", [2, 2], name="x")
    y = builder.input("TENSOR_FLOAT32", [2, 2], name="y")
    builder.operation("DIV", [x, y, 0], [builder.output("TENSOR_FLOAT32", [2, 2], name="ratio")])
    return builder.build()


def tanh_model(**options):
    builder = nnapi.ModelBuilder()
    x = builder.input("TENSOR_FLOAT32", [2, 2], **options)
    builder.operation("TANH", [x], [builder.output("TENSOR_FLOAT32", [2, 2])])
    return builder.build()


# ---- files

@pytest.mark.parametrize("extension", ["pb", "textproto", "json"])
def test_load_reads_paths_bytes_and_files(tmp_path, extension):
    path = tmp_path / f"m.{extension}"
    add_model().save(path)
    data = path.read_bytes()
    for source in (path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data)):
        assert nnapi.load(source) == add_model()
    with open(path, "rb") as file:
        assert nnapi.load(file) == add_model()


def test_load_reads_bytes_of_tensorflow_lite():
    whole = nnapi.load(KWS, shapes={"input_1": [1, 49, 10, 1]})
    same = nnapi.load(KWS.read_bytes(), shapes={"input_1": [1, 49, 10, 1]})
    image = np.zeros((1, 49, 10, 1), np.int8)
    assert (nnapi.run(same, {"input_1": image})[0] == nnapi.run(whole, image)[0]).all()
    assert nnapi.load(KWS.read_bytes(), target="1.2").required_level <= 3


def test_convert_does_not_import_again():
    with pytest.raises(nnapi.ValidationError) as caught:
        nnapi.convert(nnapi.load(KWS), "1.2")
    assert "needs HAL 1.3" in str(caught.value)
    older = nnapi.load(KWS, target="1.2")
    assert len(older.import_losses) == 2 and nnapi.convert(older, "1.2").losses == []
    verdicts = {verdict.version: verdict for verdict in nnapi.verify(nnapi.load(KWS))}
    assert verdicts["1.2"].refusal and verdicts["1.3"].identical


def test_load_fails_with_a_short_message():
    for wrong in (b"", b"no model", KWS.read_bytes()[:1000], 7, None, io.StringIO("{}")):
        with pytest.raises((ValueError, TypeError)) as caught:
            nnapi.load(wrong)
        assert len(str(caught.value)) < 500


def test_missing_files_raise_the_errors_of_open(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        nnapi.load(tmp_path / "nowhere.onnx")
    assert caught.value.filename == str(tmp_path / "nowhere.onnx")
    with pytest.raises(FileNotFoundError):
        nnapi.read_cases(tmp_path / "nowhere.jsonl")
    with pytest.raises(IsADirectoryError):
        nnapi.load(tmp_path)


def test_wrong_values_are_value_errors():
    for call in (lambda: nnapi.convert(add_model(), "9"), lambda: nnapi.open_device("nothing"),
                 lambda: nnapi.run(add_model(), [ONES]), lambda: nnapi.load(b"x")):
        with pytest.raises(ValueError) as caught:
            call()
        assert isinstance(caught.value, nnapi.Error)


def test_save_names_every_extension():
    with pytest.raises(nnapi.ArgumentError, match='"", allowed .pb, .textproto, .json and .tflite for a model'):
        add_model().save("x")


# ---- inputs

def test_inputs_by_name_or_in_order():
    model, x, y = named_model(), ONES * 6, ONES * 2
    with nnapi.open_device("nnapi-reference") as device:
        for run in (lambda i: nnapi.run(model, i), nnapi.prepare(model).run, device.prepare(model).run):
            for inputs in ([x, y], (x, y), {"x": x, "y": y}, {"y": y, "x": x}):
                assert (run(inputs)[0] == 3).all()


@pytest.mark.parametrize("inputs,text", [
    ({"x": ONES}, "'y' is missing"), ({"x": ONES, "y": ONES, "z": ONES}, "no input 'z'.*'x', 'y'"),
    (np.ones((2, 2, 2), np.float32), "inputs is an array"), ({}, "missing")])
def test_wrong_inputs_are_named(inputs, text):
    with pytest.raises(nnapi.ArgumentError, match=text):
        nnapi.run(named_model(), inputs)


def test_ambiguous_names_are_rejected():
    builder = nnapi.ModelBuilder()
    x = [builder.input("TENSOR_FLOAT32", [2], name="a") for _ in range(2)]
    builder.operation("ADD", [*x, 0], [builder.output("TENSOR_FLOAT32", [2])])
    with pytest.raises(nnapi.ArgumentError, match="the name 'a' of 2 inputs is ambiguous"):
        nnapi.run(builder.build(), {"a": np.ones(2, np.float32)})


def test_misspelt_input_is_suggested():
    with pytest.raises(nnapi.ArgumentError, match="no input 'imag', did you mean image"):
        nnapi.run(tanh_model(name="image"), {"imag": ONES})


def test_a_bare_array_is_one_input():
    assert nnapi.run(tanh_model(), ONES)[0].shape == (2, 2)
    # Its rows are not taken for inputs.
    for wrong in (ONES[None], np.ones((1, 2, 2), np.float32), ONES[0]):
        with pytest.raises(nnapi.ArgumentError, match="inputs.0."):
            nnapi.run(tanh_model(), wrong)


# ---- objects

def public_members():
    for name in nnapi.__all__:
        value = getattr(nnapi, name)
        yield name, value
        if inspect.isclass(value) and not issubclass(value, (Exception, int, tuple)):
            for member in vars(value):
                if not member.startswith("_"):
                    yield f"{name}.{member}", inspect.getattr_static(value, member)


@pytest.mark.parametrize("name,member", [pair for pair in public_members() if pair[0] != "VERSIONS"])
def test_everything_is_documented(name, member):
    member = member.__func__ if isinstance(member, staticmethod) else member
    assert inspect.getdoc(member), name
    assert "\n--\n" not in inspect.getdoc(member), name
    if not callable(member) or issubclass(type(member), type(nnapi.OperandType)):
        return
    signature = inspect.signature(member)
    assert "." not in name or inspect.isclass(member) or len(signature.parameters) > 0


def test_signatures_name_arguments():
    assert list(inspect.signature(nnapi.Device.prepare).parameters) == ["self", "model", "timeout"]
    assert list(inspect.signature(nnapi.prepare(add_model()).run).parameters) == ["inputs", "timeout"]
    assert list(inspect.signature(nnapi.run).parameters) == ["model", "inputs", "threads", "timeout"]


def test_representations():
    device = nnapi.open_device("nnapi-reference@1.2")
    assert "nnapi-reference" in repr(device) and "HAL 1.2" in repr(device) and "feature level 3" in repr(device)
    prepared = device.prepare(named_model())
    assert "2 inputs" in repr(prepared)
    device.close()
    prepared.close()
    assert "closed" in repr(device) and "closed" in repr(prepared)
    assert "zero_point=83" in repr(nnapi.load(KWS).inputs[0])
    assert "'input_1'" in repr(nnapi.load(KWS).inputs[0])


@pytest.mark.parametrize("model", [add_model(), named_model(), nnapi.load(KWS, target="1.2"),
                                   nnapi.convert(add_model(), "1.0").model])
def test_models_are_copied_and_pickled(model):
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other == model
        assert other.version == model.version
        assert [o.name for o in other.operands] == [o.name for o in model.operands]
        assert [str(loss) for loss in other.import_losses] == [str(loss) for loss in model.import_losses]


def test_former_names():
    with pytest.warns(DeprecationWarning, match="nnapi.minimize"):
        assert nnapi.minimise(add_model()).model == nnapi.minimize(add_model()).model
    assert nnapi.Minimised is nnapi.Minimized


# ---- builder

def test_names_are_suggested():
    builder = nnapi.ModelBuilder()
    for call, text in ((lambda: builder.operation("CONV2D", [], []), "did you mean CONV_2D"),
                       (lambda: builder.operand("TENSOR_FLOAT3"), "did you mean TENSOR_FLOAT32")):
        with pytest.raises(nnapi.ArgumentError, match=text):
            call()


def test_build_names_what_is_missing():
    builder = nnapi.ModelBuilder()
    with pytest.raises(nnapi.ArgumentError, match="no operations"):
        builder.build()
    x = builder.input("TENSOR_FLOAT32", [2])
    builder.operation("TANH", [x], [builder.operand("TENSOR_FLOAT32", [2])])
    with pytest.raises(nnapi.ArgumentError, match="no outputs"):
        builder.build()


# ---- devices

def test_a_model_of_a_later_version_is_not_supported():
    model = nnapi.load(KWS)
    assert model.required_level == 4
    with nnapi.open_device("nnapi-reference@1.2") as device:
        assert device.supported_operations(model) == [False] * 13
    with nnapi.open_device("nnapi-reference@1.3") as device:
        assert device.supported_operations(model) == [True] * 13
