"""Models, devices and a reference interpreter of the Android Neural Networks API.

>>> import nnapi, numpy
>>> builder = nnapi.ModelBuilder()
>>> x = builder.input("TENSOR_FLOAT32", [2])
>>> y = builder.output("TENSOR_FLOAT32", [2])
>>> builder.operation("ADD", [x, numpy.float32([1, 2]), 0], [y])
>>> nnapi.run(builder.build(), [numpy.float32([3, 4])])
[array([4., 6.], dtype=float32)]
"""
import copyreg as _copyreg
import enum as _enum
import errno as _errno
import itertools as _itertools
import os as _os
import typing as _typing
import warnings as _warnings

import numpy as _numpy

from . import _nnapi
from ._errors import ArgumentError, Error, ValidationError
from ._nnapi import (VERSIONS, Comparison, Device, Diagnostic, Graph, Loss, Model, Operand, Operation, Prepared,
                     Removal, TensorComparison, TestCase, Tolerances, __version__)

__all__ = ["VERSIONS", "ArgumentError", "Comparison", "Converted", "Device", "Diagnostic", "Error", "Graph", "Loss", "Minimized",
           "Model", "ModelBuilder", "Operand", "OperandRef", "OperandType", "Operation", "OperationType", "Prepared",
           "Removal", "Slice", "TensorComparison", "TestCase", "Tolerances", "ValidationError", "Verdict", "compare",
           "convert", "devices", "load", "minimise", "minimize", "open_device", "prepare", "read_cases", "run", "slice", "verify"]

OperandType = _enum.IntEnum("OperandType", _nnapi.OPERAND_TYPES, module=__name__)
OperationType = _enum.IntEnum("OperationType", _nnapi.OPERATION_TYPES, module=__name__)


def _initialize_in_new(cls):
    """Replaces the __new__ of pybind11, which creates an object without a value, which no method expects."""
    new, initialize = cls.__new__, cls.__init__

    def made(own, *arguments, **options):
        value = new(own)
        initialize(value, *arguments, **options)  # raises TypeError if the class has no constructor
        return value

    cls.__new__ = staticmethod(made)


for _name, _class in vars(_nnapi).items():
    if isinstance(_class, type):
        _initialize_in_new(_class)
        if _name in __all__:
            _class.__module__ = __name__


# pickle finds functions of Python by name, but not those of the compiled part.
def _restored(*state):
    return _nnapi.restored_model(*state)


def _reduced(model):
    return _restored, model.__reduce__()[1]


_copyreg.pickle(Model, _reduced)


class Converted(_typing.NamedTuple):
    """A model in the form of a version, and what the conversion lost."""
    model: Model
    losses: list


class Minimized(_typing.NamedTuple):
    """A smaller model that computes the same, and what was removed."""
    model: Model
    removed: list


class Slice(_typing.NamedTuple):
    """The part of a model that a version has, and the old indexes of its operations."""
    model: Model
    operations: list


class Verdict(_typing.NamedTuple):
    """The result of converting a model to a version and back.

    `refusal` is the reason if the model does not convert, else None; `identical` is true if it comes
    back equal. With inputs, `comparisons` compares the outputs of both models.
    """
    version: str
    refusal: _typing.Optional[Error]
    identical: bool
    losses: list
    comparisons: list


def _existing(path):
    """The path of a file; raises what open() does if there is none."""
    path = _os.fspath(path)
    if _os.path.isdir(path):
        raise IsADirectoryError(_errno.EISDIR, _os.strerror(_errno.EISDIR), path)
    _os.stat(path)
    return path


def load(source, *, shapes=None, values=None, target=None):
    """Reads a model of .pb, .textproto, .json, .tflite or .onnx, detected from its bytes.

    The file is copied, so that a program may write it again while it has the model.

    Parameters
    ----------
    source : str, os.PathLike, bytes, or a file opened in binary mode
        Constants of .onnx in files beside it are found only with a path.
    shapes : dict of str to sequence of int, optional
        Dimensions of inputs by name, for .onnx and .tflite.
    values : dict of str to array, optional
        Inputs that become constants by name, for .onnx.
    target : str, optional
        The version for which .onnx and .tflite are imported, as "1.2"; the newest by default.

    Returns
    -------
    Model

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the model cannot be read: ArgumentError or ValidationError, with why.
    """
    options = {"shapes": shapes or {}, "values": values or {}, "target": target}
    if hasattr(source, "read"):
        source = source.read()
        if isinstance(source, str):
            raise TypeError("the file is open in text mode, allowed binary mode: open(path, 'rb')")
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _nnapi.load_bytes(source, **options)
    return _nnapi.load(_existing(source), **options)


def prepare(model, *, threads=1):
    """Prepares a model for any number of executions by the interpreter.

    Parameters
    ----------
    model : Model
    threads : int, optional
        For one execution; results are the same.

    Returns
    -------
    Prepared
    """
    return _nnapi.prepare(model, threads=threads)


def run(model, inputs, *, threads=1, timeout=None):
    """Executes a model once, by the interpreter.

    Parameters
    ----------
    model : Model
    inputs : dict of str to array, sequence of array, or array
        One for each input of the model, of its type, by name or in order; None for one that is
        omitted. A bare array is for a model of one input.
    threads : int, optional
        Results are the same.
    timeout : float, optional
        Seconds.

    Returns
    -------
    list of numpy.ndarray
    """
    return _nnapi.run(model, inputs, threads=threads, timeout=timeout)


def convert(model, version):
    """Converts a model to a version, "1.0" to "1.3" or "aidl1" to "aidl4".

    The model is converted as it is: an imported one may need a later version than its file, which
    load(source, target=version) imports for an older one, as `nnapi convert --to` does.

    Returns
    -------
    Converted
        The model as it comes back from that version; save() writes it in its form.

    Raises
    ------
    ValidationError
        If the version cannot represent the model: why.
    """
    return Converted(*_nnapi.convert(model, version))


def minimize(model):
    """Removes what does not change results: trailing defaults and unused parts."""
    return Minimized(*_nnapi.minimize(model))


def slice(model, version):  # pylint: disable=redefined-builtin
    """Extracts the operations of the main graph that a version can represent."""
    return Slice(*_nnapi.slice(model, version))


def verify(model, inputs=None, *, tolerances=None):
    """Converts to every version and back; with inputs, runs both and compares.

    The same model is converted to each version, as by `nnapi verify --import-for aidl4`; without
    that option the program imports the file for each version.

    Returns
    -------
    list of Verdict
        One for each of VERSIONS to which models convert.
    """
    if hasattr(inputs, "__next__"):  # an iterator, for several runs; one more than run() accepts, if it is endless
        inputs = list(_itertools.islice(inputs, len(model.inputs) + 1))
    expected = None if inputs is None else run(model, inputs)
    tolerances = Tolerances.of(model) if tolerances is None else tolerances
    verdicts = []
    for version in VERSIONS:
        try:
            back, losses = convert(model, version)
        except Error as error:
            verdicts.append(Verdict(version, error, False, [], []))
            continue
        comparisons = [] if expected is None else compare(run(back, inputs), expected, tolerances)
        verdicts.append(Verdict(version, None, back == model, losses, comparisons))
    return verdicts


def compare(actual, expected, tolerances=None):
    """Compares arrays, or lists of arrays one by one.

    Parameters
    ----------
    actual, expected : array or sequence of array
        An expected None is not compared.
    tolerances : Tolerances, optional
        Tolerances.of(model) suits a model.

    Returns
    -------
    TensorComparison, or a list of them for sequences
        True where no element is beyond the tolerance.
    """
    tolerances = Tolerances() if tolerances is None else tolerances
    if isinstance(expected, _numpy.ndarray):
        return _nnapi.compare_arrays(actual, expected, tolerances)
    actual, expected = list(actual), list(expected)
    if len(actual) != len(expected):
        raise ArgumentError(f"{len(actual)} arrays, expected {len(expected)}")
    return [_nnapi.compare_arrays(a, b, tolerances) for a, b in zip(actual, expected)]


def devices():
    """The names of the devices that need no file or address, for open_device()."""
    return _nnapi.device_names()


def open_device(name):
    """Opens a device: one of devices(), a plug-in "./libmydriver.so", or an address "unix:PATH".

    A suffix "@1.2" or "@aidl3" opens it through that version.

    Returns
    -------
    Device
    """
    return _nnapi.open_device(name)


def read_cases(path):
    """Reads the test cases of a file, .jsonl or .jsonl.gz, one by one."""
    return _nnapi.CaseReader(_existing(path))


class OperandRef(int):
    """An operand of one ModelBuilder: its index."""

    def __new__(cls, index, builder=None):
        ref = super().__new__(cls, index)
        ref._builder = builder
        return ref


class ModelBuilder:
    """Builds a model, operand by operand and operation by operation.

    Inputs of operations are operands of this builder, or what becomes a constant: an array, and for a
    scalar a bool, int (INT32), float (FLOAT32) or scalar of NumPy.
    """

    def __init__(self):
        self._builder = _nnapi.Builder()

    def operand(self, type, dimensions=(), *, scale=0.0, zero_point=0, scales=(), channel_dim=0, name=""):
        """Adds a temporary value.

        Parameters
        ----------
        type : str, OperandType or int
        dimensions : sequence of int
            0 for unknown ones, () for a scalar and for an unknown rank.
        scale, zero_point
            Of a quantized type: an element stands for (stored - zero_point) * scale.
        scales, channel_dim
            Of TENSOR_QUANT8_SYMM_PER_CHANNEL.
        name : str, optional
        """
        return OperandRef(self._builder.operand(type, list(dimensions), scale, zero_point, list(scales), channel_dim,
                                                name or ""), self._builder)

    def input(self, type, dimensions=(), **options):
        """Adds an input of the model; the options are those of operand()."""
        ref = self.operand(type, dimensions, **options)
        self._builder.input(ref)
        return ref

    def output(self, type, dimensions=(), **options):
        """Adds an output of the model; the options are those of operand()."""
        ref = self.operand(type, dimensions, **options)
        self._builder.output(ref)
        return ref

    def omitted(self, type, **options):
        """Adds an operand without a value, for an optional input of an operation."""
        ref = self.operand(type, **options)
        self._builder.omit(ref)
        return ref

    def constant(self, value, type=None, **options):
        """Adds a constant; without a type, that of its elements."""
        value = self._scalar(value)
        if type is None:
            type = self._type_of(value)
        ref = self.operand(type, (), **options)
        self._builder.constant(ref, value)
        return ref

    def operation(self, type, inputs, outputs):
        """Adds an operation; they run in the order in which they are added."""
        inputs, outputs = list(inputs), list(outputs)
        for ref in inputs + outputs:
            if isinstance(ref, OperandRef) and ref._builder not in (None, self._builder):
                raise ArgumentError(f"operand {int(ref)} belongs to another builder")
        inputs = [value if isinstance(value, OperandRef) else self.constant(value) for value in inputs]
        self._builder.operation(type, inputs, outputs)

    def build(self, *, relaxed=False):
        """The model, legal or not: Model.validate() checks it.

        Parameters
        ----------
        relaxed : bool
            Allows float32 to be computed as float16.

        Raises
        ------
        ArgumentError
            If it has no operations or no outputs.
        """
        return self._builder.build(relaxed)

    @staticmethod
    def _scalar(value):
        if isinstance(value, bool):
            return _numpy.bool_(value)
        if isinstance(value, int):
            if not -2**31 <= value < 2**31:
                raise ArgumentError(f"{value} is no INT32")
            return _numpy.int32(value)
        if isinstance(value, float):
            return _numpy.float32(value)
        return value

    @staticmethod
    def _type_of(value):
        array = _numpy.asarray(value)
        if array.ndim == 0 and array.dtype in ("bool", "int32", "uint32", "float32", "float16"):
            return array.dtype.name.upper()
        found = _nnapi.tensor_type_of(array.dtype)
        if found is None:
            raise ArgumentError(f"no operand type has elements of {array.dtype}")
        return found


# Names of version 0.1.
Minimised = Minimized


def minimise(model):
    """The former name of minimize()."""
    _warnings.warn("nnapi.minimise is called nnapi.minimize", DeprecationWarning, stacklevel=2)
    return minimize(model)
