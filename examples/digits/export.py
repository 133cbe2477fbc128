"""Writes the trained digits network as NNAPI test cases, in float32 and in 8 bits.

A case is a dictionary in the JSON form of the project's test vectors: a model, its inputs and the
outputs to expect. `evaluate` computes those outputs from the model alone: float32 tensors in
float64, 8-bit tensors with exact integer sums and one rounding per operation.
"""

import base64
import gzip
import json

import numpy as np

NONE, RELU, RELU6 = 0, 1, 3  # fused activations; all but NONE cut at 0 below
UPPER = {NONE: np.inf, RELU: np.inf, RELU6: 6.0}
SAME, VALID = 1, 2  # padding schemes

ELEMENT = {
    "TENSOR_FLOAT32": np.dtype("<f4"),
    "FLOAT32": np.dtype("<f4"),
    "TENSOR_INT32": np.dtype("<i4"),
    "INT32": np.dtype("<i4"),
    "TENSOR_QUANT8_ASYMM": np.dtype("u1"),
}


def encode(kind, array):
    """The elements as little-endian bytes in base64."""
    return base64.b64encode(np.asarray(array, ELEMENT[kind]).tobytes()).decode()


def decode(operand, text):
    """The inverse of encode(), in the shape of the operand; a scalar has shape ()."""
    array = np.frombuffer(base64.b64decode(text), ELEMENT[operand["type"]])
    return array.reshape(operand.get("dimensions", []))


class Graph:
    """Collects operands and operations; each method returns the index of its (output) operand."""

    def __init__(self):
        self.operands = []
        self.operations = []

    def operand(self, kind, dimensions, lifetime, quant=None, value=None):
        """`quant` is (scale, zero point) or None. Fields at their default are left out."""
        entry = {"type": kind}
        if dimensions:
            entry["dimensions"] = [int(d) for d in dimensions]
        if quant:
            entry["scale"] = float(quant[0])
            if quant[1]:
                entry["zeroPoint"] = int(quant[1])
        entry["lifetime"] = lifetime
        if value is not None:
            entry["value"] = encode(kind, value)
        self.operands.append(entry)
        return len(self.operands) - 1

    def scalar(self, kind, value):
        """A constant without dimensions."""
        return self.operand(kind, [], "CONSTANT_COPY", value=value)

    def operation(self, kind, inputs, shape, quant, lifetime="TEMPORARY_VARIABLE"):
        """Adds an operation whose output has the tensor type of its first input."""
        output = self.operand(self.operands[inputs[0]]["type"], shape, lifetime, quant)
        self.operations.append({"type": kind, "inputs": inputs, "outputs": [output]})
        return output

    def layer(self, kind, x, constants, scalars, shape, quant):
        """Adds an operation on x with constants (type, array, quant), then int32 scalars."""
        weights = [self.operand(t, np.shape(v), "CONSTANT_REFERENCE", q, v)
                   for t, v, q in constants]
        numbers = [self.scalar("INT32", v) for v in scalars]
        return self.operation(kind, [x, *weights, *numbers], shape, quant)


def digits_graph(batch, kind, constants, quants):
    """The network on tensors of type `kind`: `constants` are filter and bias of the four layers
    with weights, as Graph.layer wants them; `quants` belong to the input and these layers' outputs.
    Pooling and reshaping keep the quantization of what they get."""
    conv1, conv2, dense1, dense2 = constants
    pool = [VALID, 2, 2, 2, 2, NONE]  # padding, strides, window width and height, activation
    g = Graph()
    x = g.operand(kind, [batch, 8, 8, 1], "SUBGRAPH_INPUT", quants[0])
    y = g.layer("CONV_2D", x, conv1, [SAME, 1, 1, RELU], [batch, 8, 8, 16], quants[1])
    y = g.layer("MAX_POOL_2D", y, [], pool, [batch, 4, 4, 16], quants[1])
    y = g.layer("CONV_2D", y, conv2, [SAME, 1, 1, RELU6], [batch, 4, 4, 32], quants[2])
    y = g.layer("AVERAGE_POOL_2D", y, [], pool, [batch, 2, 2, 32], quants[2])
    shape = g.operand("TENSOR_INT32", [2], "CONSTANT_COPY", value=[-1, 128])
    y = g.operation("RESHAPE", [y, shape], [batch, 128], quants[2])
    y = g.layer("FULLY_CONNECTED", y, dense1, [RELU], [batch, 32], quants[3])
    y = g.layer("FULLY_CONNECTED", y, dense2, [NONE], [batch, 10], quants[4])
    beta = g.scalar("FLOAT32", 1.0)
    probability = (1 / 256, 0) if quants[0] else None
    y = g.operation("SOFTMAX", [y, beta], [batch, 10], probability, "SUBGRAPH_OUTPUT")
    return {"operands": g.operands, "operations": g.operations,
            "inputIndexes": [x], "outputIndexes": [y]}


def float_graph(batch, weights):
    """The float32 network; `weights` are the (filter, bias) pairs."""
    constants = [[("TENSOR_FLOAT32", array, None) for array in pair] for pair in weights]
    return digits_graph(batch, "TENSOR_FLOAT32", constants, [None] * 5)


def half_away(x):
    """Nearest integer, halves away from zero."""
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def quantization(low, high):
    """float32 scale and zero point which spread 0..255 over a range widened to contain 0."""
    low, high = min(low, 0.0), max(high, 0.0)
    scale = np.float32((high - low) / 255)
    return scale, int(round(-low / float(scale)))


def quantize(x, quant):
    """Real numbers to the nearest of the 256 steps."""
    return np.clip(quant[1] + half_away(x / float(quant[0])), 0, 255).astype(np.uint8)


def quant_graph(batch, weights, ranges):
    """The 8-bit network; `ranges` are the (lowest, highest) values of the input and of the outputs
    of the layers with weights."""
    quants = [quantization(*r) for r in ranges]
    constants = []
    for (weight, bias), (input_scale, _), (output_scale, _) in zip(weights, quants, quants[1:]):
        filter_quant = quantization(weight.min(), weight.max())
        bias_scale = input_scale * filter_quant[0]  # must be exactly this product in float32
        assert output_scale > bias_scale, "HAL 1.0 and 1.1 require this"
        constants.append([
            ("TENSOR_QUANT8_ASYMM", quantize(weight, filter_quant), filter_quant),
            ("TENSOR_INT32", half_away(bias / float(bias_scale)), (bias_scale, 0)),
        ])
    return digits_graph(batch, "TENSOR_QUANT8_ASYMM", constants, quants)


def round_once(total, product, scale):
    """total * product / scale to the nearest integer."""
    return half_away(total * (product / scale)).astype(np.int64)


def round_twice(total, product, scale):
    """The same in fixed point, as devices do it: times a 31-bit fraction, then a right shift,
    rounding after both. Only for product < scale."""
    fraction, exponent = np.frexp(float(np.float32(product)) / scale)
    high = (total * int(half_away(fraction * 2**31)) + 2**30) >> 31
    return half_away(high * 2.0**exponent).astype(np.int64)


def windows(x, height, width, stride, outside):
    """[N,H',W',height*width,C]: the window of each output pixel. Padded by `outside` to the same
    size if that is not None (then the stride is 1 and the window odd)."""
    if outside is not None:
        rows, columns = height // 2, width // 2
        x = np.pad(x, ((0, 0), (rows, rows), (columns, columns), (0, 0)), constant_values=outside)
    view = np.lib.stride_tricks.sliding_window_view(x, (height, width), (1, 2))
    view = view[:, ::stride, ::stride].transpose(0, 1, 2, 4, 5, 3)
    return view.reshape(*view.shape[:3], height * width, -1)


def weighted_sum(x, weight, bias, activation, quants, rescale):
    """x [...,K] times weight [out,K], plus bias, then the activation."""
    if not quants[0]:
        return np.clip(x @ weight.T + bias, 0 if activation else -np.inf, UPPER[activation])
    (x_scale, x_zero), (w_scale, w_zero), (y_scale, y_zero) = quants
    total = (x - x_zero) @ (weight - w_zero).T + bias
    y = y_zero + rescale(total, x_scale * w_scale, y_scale)
    low = y_zero if activation else 0
    high = min(255, y_zero + half_away(UPPER[activation] / y_scale))
    return np.clip(y, low, high).astype(np.int64)


def softmax(x, beta, quants):
    """Probabilities, computed in real numbers; in 8 bits they are multiples of 1/256."""
    if quants[0]:
        x = x * quants[0][0]
    e = np.exp(beta * (x - x.max(axis=-1, keepdims=True)))
    p = e / e.sum(axis=-1, keepdims=True)
    return np.clip(half_away(p * 256), 0, 255).astype(np.int64) if quants[0] else p


def evaluate(graph, data, rescale=round_once):
    """All tensors of the graph for its input `data`, by operand index, as float64 or int64.

    `rescale` brings an integer sum to the scale of the output. Only what digits_graph uses is
    understood: SAME convolutions of stride 1, square VALID pooling without activation.
    """
    wide = {"f": np.float64, "i": np.int64, "u": np.int64}
    values = {i: decode(o, o["value"]) for i, o in enumerate(graph["operands"]) if "value" in o}
    values[graph["inputIndexes"][0]] = data
    values = {i: v.astype(wide[v.dtype.kind]) for i, v in values.items()}
    for operation in graph["operations"]:
        kind, out = operation["type"], operation["outputs"][0]
        x, *rest = (values[i] for i in operation["inputs"])
        tensors = [graph["operands"][i] for i in operation["inputs"][:2] + [out]]
        quants = [(t["scale"], t.get("zeroPoint", 0)) if "scale" in t else None for t in tensors]
        if kind == "CONV_2D":
            weight, bias, _, _, stride, activation = rest
            zero = quants[0][1] if quants[0] else 0
            x = windows(x, *weight.shape[1:3], stride, zero)
            x, weight = x.reshape(*x.shape[:3], -1), weight.reshape(len(weight), -1)
            y = weighted_sum(x, weight, bias, int(activation), quants, rescale)
        elif kind == "FULLY_CONNECTED":
            weight, bias, activation = rest
            y = weighted_sum(x, weight, bias, int(activation), quants, rescale)
        elif kind == "MAX_POOL_2D":
            _, _, stride, width, height, _ = rest
            y = windows(x, height, width, stride, None).max(axis=3)
        elif kind == "AVERAGE_POOL_2D":
            _, _, stride, width, height, _ = rest
            y = windows(x, height, width, stride, None).mean(axis=3)
            y = half_away(y).astype(np.int64) if quants[0] else y
        elif kind == "RESHAPE":
            y = x.reshape(rest[0])
        elif kind == "SOFTMAX":
            y = softmax(x, float(rest[0]), quants)
        values[out] = y
    return values


def record(name, graph, x, y):
    """The test case of one execution."""
    def tensor(index, array):
        operand = graph["operands"][index]
        return {"dimensions": operand["dimensions"], "data": encode(operand["type"], array)}

    return {
        "name": name,
        "spec": f"examples/{name}",
        "minSupportedVersion": "V1_0",
        "model": {"main": graph},
        "inputs": [tensor(graph["inputIndexes"][0], x)],
        "outputs": [tensor(graph["outputIndexes"][0], y)],
    }


def write(folder, case):
    """One JSON line, gzip-compressed; a fixed time stamp so that equal content is equal bytes."""
    line = json.dumps(case, separators=(",", ":")) + "\n"
    path = folder / f"{case['name']}.jsonl.gz"
    path.write_bytes(gzip.compress(line.encode(), 9, mtime=0))


def layer_outputs(graph):
    """The indexes of the operands which the layers with weights write."""
    return [op["outputs"][0] for op in graph["operations"]
            if op["type"] in ("CONV_2D", "FULLY_CONNECTED")]


def accuracy(y, labels):
    """The share of rows whose largest value, the first one if several, is at the label."""
    return np.mean(y.argmax(axis=1) == labels)


def quantized_case(weights, train_graph, train_values, images, labels):
    """The 8-bit test case, calibrated with the values of the float network on training images.

    A sum close to a half may go either way when it is rounded twice, and one step of a logit can
    be many steps of a probability between 0.1 and 0.9. So the ranges get the smallest headroom
    with which both ways of rounding give the same probabilities, within one step.
    """
    lows_highs = [(train_values[i].min(), train_values[i].max())
                  for i in layer_outputs(train_graph)]
    for headroom in np.arange(1.0, 1.2, 0.004):
        ranges = [(0.0, 1.0)] + [(low * headroom, high * headroom) for low, high in lows_highs]
        graph = quant_graph(len(images), weights, ranges)
        x = quantize(images, (graph["operands"][0]["scale"], 0))
        output = graph["outputIndexes"][0]
        once, twice = (evaluate(graph, x, f)[output] for f in (round_once, round_twice))
        if np.abs(once - twice).max() <= 1:
            break
    else:
        raise RuntimeError("no headroom makes the outputs independent of the way of rounding")
    print(f"8 bits: test accuracy {accuracy(once, labels):.4f}, headroom {headroom:.3f}")
    return record("digits_quant8", graph, x, once)


def write_all(folder, weights, train_images, test_images, test_labels):
    """Writes both networks, run on the test images as one batch, and the true labels."""
    weights = [tuple(array.astype(np.float32) for array in pair) for pair in weights]
    train_graph = float_graph(len(train_images), weights)
    train_values = evaluate(train_graph, train_images)

    graph = float_graph(len(test_images), weights)
    probabilities = evaluate(graph, test_images)[graph["outputIndexes"][0]]
    print(f"float32: test accuracy {accuracy(probabilities, test_labels):.4f}")
    write(folder, record("digits", graph, test_images, probabilities))
    write(folder, quantized_case(weights, train_graph, train_values, test_images, test_labels))
    (folder / "labels.txt").write_text("".join(f"{label}\n" for label in test_labels))
