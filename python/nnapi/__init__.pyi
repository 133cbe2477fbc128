import enum
import os
from typing import Any, BinaryIO, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Path = Union[str, os.PathLike[str]]
Inputs = Union[Mapping[str, Optional[npt.ArrayLike]], Iterable[Optional[npt.ArrayLike]], Array]

__version__: str
VERSIONS: Tuple[str, ...]

class OperandType(enum.IntEnum):
    FLOAT32: int
    INT32: int
    UINT32: int
    TENSOR_FLOAT32: int
    TENSOR_INT32: int
    TENSOR_QUANT8_ASYMM: int
    BOOL: int
    TENSOR_QUANT16_SYMM: int
    TENSOR_FLOAT16: int
    TENSOR_BOOL8: int
    FLOAT16: int
    TENSOR_QUANT8_SYMM_PER_CHANNEL: int
    TENSOR_QUANT16_ASYMM: int
    TENSOR_QUANT8_SYMM: int
    TENSOR_QUANT8_ASYMM_SIGNED: int
    SUBGRAPH: int
    OEM: int
    TENSOR_OEM_BYTE: int

class OperationType(enum.IntEnum):
    ADD: int
    AVERAGE_POOL_2D: int
    CONCATENATION: int
    CONV_2D: int
    DEPTHWISE_CONV_2D: int
    DEPTH_TO_SPACE: int
    DEQUANTIZE: int
    EMBEDDING_LOOKUP: int
    FLOOR: int
    FULLY_CONNECTED: int
    HASHTABLE_LOOKUP: int
    L2_NORMALIZATION: int
    L2_POOL_2D: int
    LOCAL_RESPONSE_NORMALIZATION: int
    LOGISTIC: int
    LSH_PROJECTION: int
    LSTM: int
    MAX_POOL_2D: int
    MUL: int
    RELU: int
    RELU1: int
    RELU6: int
    RESHAPE: int
    RESIZE_BILINEAR: int
    RNN: int
    SOFTMAX: int
    SPACE_TO_DEPTH: int
    SVDF: int
    TANH: int
    BATCH_TO_SPACE_ND: int
    DIV: int
    MEAN: int
    PAD: int
    SPACE_TO_BATCH_ND: int
    SQUEEZE: int
    STRIDED_SLICE: int
    SUB: int
    TRANSPOSE: int
    ABS: int
    ARGMAX: int
    ARGMIN: int
    AXIS_ALIGNED_BBOX_TRANSFORM: int
    BIDIRECTIONAL_SEQUENCE_LSTM: int
    BIDIRECTIONAL_SEQUENCE_RNN: int
    BOX_WITH_NMS_LIMIT: int
    CAST: int
    CHANNEL_SHUFFLE: int
    DETECTION_POSTPROCESSING: int
    EQUAL: int
    EXP: int
    EXPAND_DIMS: int
    GATHER: int
    GENERATE_PROPOSALS: int
    GREATER: int
    GREATER_EQUAL: int
    GROUPED_CONV_2D: int
    HEATMAP_MAX_KEYPOINT: int
    INSTANCE_NORMALIZATION: int
    LESS: int
    LESS_EQUAL: int
    LOG: int
    LOGICAL_AND: int
    LOGICAL_NOT: int
    LOGICAL_OR: int
    LOG_SOFTMAX: int
    MAXIMUM: int
    MINIMUM: int
    NEG: int
    NOT_EQUAL: int
    PAD_V2: int
    POW: int
    PRELU: int
    QUANTIZE: int
    QUANTIZED_16BIT_LSTM: int
    RANDOM_MULTINOMIAL: int
    REDUCE_ALL: int
    REDUCE_ANY: int
    REDUCE_MAX: int
    REDUCE_MIN: int
    REDUCE_PROD: int
    REDUCE_SUM: int
    ROI_ALIGN: int
    ROI_POOLING: int
    RSQRT: int
    SELECT: int
    SIN: int
    SLICE: int
    SPLIT: int
    SQRT: int
    TILE: int
    TOPK_V2: int
    TRANSPOSE_CONV_2D: int
    UNIDIRECTIONAL_SEQUENCE_LSTM: int
    UNIDIRECTIONAL_SEQUENCE_RNN: int
    RESIZE_NEAREST_NEIGHBOR: int
    QUANTIZED_LSTM: int
    IF: int
    WHILE: int
    ELU: int
    HARD_SWISH: int
    FILL: int
    RANK: int
    BATCH_MATMUL: int
    PACK: int
    MIRROR_PAD: int
    REVERSE: int
    OEM_OPERATION: int

class Error(Exception):
    code: str
    def __init__(self, message: str, code: str = ...) -> None: ...

class ArgumentError(Error, ValueError):
    def __init__(self, message: str, code: str = ...) -> None: ...

class ValidationError(Error, ValueError):
    rule: str
    path: str
    operation: str
    message: str
    since: Optional[int]
    def __init__(self, text: str, code: str, rule: str, path: str, operation: str, message: str,
                 since: Optional[int] = ...) -> None: ...

class Diagnostic:
    @property
    def level(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def operation(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def since(self) -> Optional[int]: ...

class Loss:
    @property
    def path(self) -> str: ...
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...
    @property
    def why(self) -> str: ...

class Removal:
    @property
    def path(self) -> str: ...
    @property
    def why(self) -> str: ...

class Operand:
    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def dimensions(self) -> Tuple[int, ...]: ...
    @property
    def scale(self) -> float: ...
    @property
    def zero_point(self) -> int: ...
    @property
    def scales(self) -> Tuple[float, ...]: ...
    @property
    def lifetime(self) -> str: ...
    @property
    def dtype(self) -> Optional[np.dtype[Any]]: ...
    @property
    def value(self) -> Optional[Array]: ...

class Operation:
    @property
    def type(self) -> str: ...
    @property
    def inputs(self) -> Tuple[int, ...]: ...
    @property
    def outputs(self) -> Tuple[int, ...]: ...

class Graph:
    @property
    def operands(self) -> list[Operand]: ...
    @property
    def operations(self) -> list[Operation]: ...
    @property
    def inputs(self) -> list[Operand]: ...
    @property
    def outputs(self) -> list[Operand]: ...

class Model:
    @property
    def version(self) -> Optional[str]: ...
    @property
    def import_losses(self) -> list[Loss]: ...
    @property
    def operands(self) -> list[Operand]: ...
    @property
    def operations(self) -> list[Operation]: ...
    @property
    def inputs(self) -> list[Operand]: ...
    @property
    def outputs(self) -> list[Operand]: ...
    @property
    def referenced(self) -> list[Graph]: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def is_relaxed(self) -> bool: ...
    @property
    def required_level(self) -> int: ...
    def validate(self, target: Optional[str] = ...) -> list[Diagnostic]: ...
    def save(self, path: Path) -> list[Loss]: ...

class Prepared:
    def run(self, inputs: Inputs, *, timeout: Optional[float] = ...) -> list[Array]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Prepared: ...
    def __exit__(self, *exception: object) -> None: ...

class Device:
    @property
    def name(self) -> str: ...
    @property
    def version_string(self) -> str: ...
    @property
    def level(self) -> int: ...
    @property
    def type(self) -> str: ...
    def supported_operations(self, model: Model) -> list[bool]: ...
    def prepare(self, model: Model, *, timeout: Optional[float] = ...) -> Prepared: ...
    def close(self) -> None: ...
    def __enter__(self) -> Device: ...
    def __exit__(self, *exception: object) -> None: ...

class Tolerances:
    float32: Tuple[float, float]
    float16: Tuple[float, float]
    int32: Tuple[float, float]
    quant8: Tuple[float, float]
    quant16: Tuple[float, float]
    boolean: Tuple[float, float]
    def __init__(self) -> None: ...
    @staticmethod
    def of(model: Model) -> Tolerances: ...

class TensorComparison:
    @property
    def passed(self) -> bool: ...
    @property
    def elements(self) -> int: ...
    @property
    def max_abs_error(self) -> float: ...
    @property
    def mean_abs_error(self) -> float: ...
    @property
    def max_ulps(self) -> int: ...
    @property
    def first(self) -> Optional[int]: ...
    @property
    def message(self) -> str: ...
    def __bool__(self) -> bool: ...

class Comparison:
    @property
    def passed(self) -> bool: ...
    @property
    def elements(self) -> int: ...
    @property
    def max_abs_error(self) -> float: ...
    @property
    def mean_abs_error(self) -> float: ...
    @property
    def outputs(self) -> list[TensorComparison]: ...
    @property
    def message(self) -> str: ...
    def __bool__(self) -> bool: ...

class TestCase:
    @property
    def name(self) -> str: ...
    @property
    def model(self) -> Model: ...
    @property
    def inputs(self) -> list[Optional[Array]]: ...
    @property
    def outputs(self) -> list[Optional[Array]]: ...
    @property
    def expects_failure(self) -> bool: ...
    def compare(self, outputs: Sequence[npt.ArrayLike]) -> Comparison: ...

class Converted(NamedTuple):
    model: Model
    losses: list[Loss]

class Minimized(NamedTuple):
    model: Model
    removed: list[Removal]

class Slice(NamedTuple):
    model: Model
    operations: list[int]

class Verdict(NamedTuple):
    version: str
    refusal: Optional[Error]
    identical: bool
    losses: list[Loss]
    comparisons: list[TensorComparison]

class OperandRef(int): ...

class ModelBuilder:
    def operand(self, type: Union[str, int], dimensions: Sequence[int] = ..., *, scale: float = ...,
                zero_point: int = ..., scales: Sequence[float] = ..., channel_dim: int = ...,
                name: str = ...) -> OperandRef: ...
    def input(self, type: Union[str, int], dimensions: Sequence[int] = ..., *, scale: float = ...,
              zero_point: int = ..., scales: Sequence[float] = ..., channel_dim: int = ...,
              name: str = ...) -> OperandRef: ...
    def output(self, type: Union[str, int], dimensions: Sequence[int] = ..., *, scale: float = ...,
               zero_point: int = ..., scales: Sequence[float] = ..., channel_dim: int = ...,
               name: str = ...) -> OperandRef: ...
    def omitted(self, type: Union[str, int], *, scale: float = ..., zero_point: int = ...,
                name: str = ...) -> OperandRef: ...
    def constant(self, value: npt.ArrayLike, type: Union[str, int, None] = ..., *, scale: float = ...,
                 zero_point: int = ..., scales: Sequence[float] = ..., channel_dim: int = ...,
                 name: str = ...) -> OperandRef: ...
    def operation(self, type: Union[str, int], inputs: Iterable[Union[OperandRef, npt.ArrayLike]],
                  outputs: Iterable[OperandRef]) -> None: ...
    def build(self, *, relaxed: bool = ...) -> Model: ...

def load(source: Union[Path, bytes, bytearray, memoryview, BinaryIO], *, shapes: Optional[Mapping[str, Sequence[int]]] = ...,
         values: Optional[Mapping[str, npt.ArrayLike]] = ..., target: Optional[str] = ...) -> Model: ...
def convert(model: Model, version: str) -> Converted: ...
def minimize(model: Model) -> Minimized: ...
Minimised = Minimized
def minimise(model: Model) -> Minimized: ...
def slice(model: Model, version: str) -> Slice: ...
def verify(model: Model, inputs: Optional[Inputs] = ..., *,
           tolerances: Optional[Tolerances] = ...) -> list[Verdict]: ...
def prepare(model: Model, *, threads: int = ...) -> Prepared: ...
def run(model: Model, inputs: Inputs, *, threads: int = ...,
        timeout: Optional[float] = ...) -> list[Array]: ...
@overload
def compare(actual: npt.ArrayLike, expected: Array, tolerances: Optional[Tolerances] = ...) -> TensorComparison: ...
@overload
def compare(actual: Sequence[npt.ArrayLike], expected: Sequence[Optional[Array]],
            tolerances: Optional[Tolerances] = ...) -> list[TensorComparison]: ...
def devices() -> list[str]: ...
def open_device(name: str) -> Device: ...
def read_cases(path: Path) -> Iterator[TestCase]: ...
