#!/usr/bin/env python3
"""Train a small convolutional network on handwritten digits and export it as NNAPI models.

Usage: python3 train.py [output folder]    (needs numpy and scikit-learn; about half a minute)

Writes digits.jsonl.gz, digits_quant8.jsonl.gz and labels.txt; see README.md.
"""

import pathlib
import sys

import numpy as np
from sklearn.datasets import load_digits

import export

SEED = 7
TEST_IMAGES = 360
EPOCHS = 40
BATCH = 32
PEAK_RATE = 4e-3
WEIGHT_DECAY = 1e-3


def load_split():
    """(train images, train labels, test images, test labels); images are [N,8,8,1] in 0..1."""
    digits = load_digits()
    order = np.random.default_rng(SEED).permutation(len(digits.target))
    images = (digits.images[order] / 16.0)[..., np.newaxis]
    labels = digits.target[order]
    cut = len(labels) - TEST_IMAGES
    return images[:cut], labels[:cut], images[cut:], labels[cut:]


class Parameter:
    """A weight or bias tensor with its gradient and its Adam moments."""

    def __init__(self, value):
        self.value = value
        self.grad = np.zeros_like(value)
        self.mean = np.zeros_like(value)
        self.square = np.zeros_like(value)

    def step(self, rate, count):
        """One Adam step, with decoupled weight decay for weights but not for biases."""
        self.mean += 0.1 * (self.grad - self.mean)
        self.square += 0.001 * (self.grad**2 - self.square)
        mean = self.mean / (1 - 0.9**count)
        square = self.square / (1 - 0.999**count)
        decay = WEIGHT_DECAY * self.value if self.value.ndim > 1 else 0.0
        self.value -= rate * (mean / (np.sqrt(square) + 1e-8) + decay)


def he_weight(rng, shape):
    """Normal weights of variance 2 / fan-in; dimension 0 of the shape is the output."""
    return Parameter(rng.normal(0.0, np.sqrt(2.0 / np.prod(shape[1:])), shape))


class Conv:
    """3x3 convolution, stride 1, zero padding to the same size; filter is [out,3,3,in]."""

    def __init__(self, rng, depth_in, depth_out):
        self.weight = he_weight(rng, (depth_out, 3, 3, depth_in))
        self.bias = Parameter(np.zeros(depth_out))

    def forward(self, x):
        _, height, width, _ = x.shape
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        taps = [padded[:, i : i + height, j : j + width] for i in range(3) for j in range(3)]
        self.columns = np.concatenate(taps, axis=-1)
        return self.columns @ self.matrix().T + self.bias.value

    def backward(self, grad):
        flat = grad.reshape(-1, grad.shape[-1])
        columns = self.columns.reshape(len(flat), -1)
        self.weight.grad = (flat.T @ columns).reshape(self.weight.value.shape)
        self.bias.grad = flat.sum(axis=0)
        batch, height, width, _ = grad.shape
        taps = np.split(grad @ self.matrix(), 9, axis=-1)
        padded = np.zeros((batch, height + 2, width + 2, taps[0].shape[-1]))
        for k, tap in enumerate(taps):
            i, j = divmod(k, 3)
            padded[:, i : i + height, j : j + width] += tap
        return padded[:, 1:-1, 1:-1]

    def matrix(self):
        """The filter as [out,9*in], the order of the columns."""
        return self.weight.value.reshape(len(self.weight.value), -1)


class Dense:
    """Fully connected layer; weight is [out,in]."""

    def __init__(self, rng, size_in, size_out):
        self.weight = he_weight(rng, (size_out, size_in))
        self.bias = Parameter(np.zeros(size_out))

    def forward(self, x):
        self.x = x
        return x @ self.weight.value.T + self.bias.value

    def backward(self, grad):
        self.weight.grad = grad.T @ self.x
        self.bias.grad = grad.sum(axis=0)
        return grad @ self.weight.value


class Clamp:
    """RELU, or RELU6 with an upper bound."""

    def __init__(self, top=np.inf):
        self.top = top

    def forward(self, x):
        self.open = (x > 0) & (x < self.top)
        return np.clip(x, 0, self.top)

    def backward(self, grad):
        return grad * self.open


def blocks(x):
    """[N,H,W,C] as [N,H/2,W/2,4,C]: the four pixels of each 2x2 window side by side."""
    n, h, w, c = x.shape
    tiles = x.reshape(n, h // 2, 2, w // 2, 2, c).transpose(0, 1, 3, 2, 4, 5)
    return tiles.reshape(n, h // 2, w // 2, 4, c)


def unblocks(tiles):
    """The inverse of blocks()."""
    n, h, w, _, c = tiles.shape
    return tiles.reshape(n, h, w, 2, 2, c).transpose(0, 1, 3, 2, 4, 5).reshape(n, 2 * h, 2 * w, c)


class MaxPool:
    """Largest value of each 2x2 window."""

    def forward(self, x):
        tiles = blocks(x)
        self.choice = tiles.argmax(axis=3)[:, :, :, np.newaxis]
        return tiles.max(axis=3)

    def backward(self, grad):
        chosen = np.arange(4).reshape(4, 1) == self.choice
        return unblocks(chosen * grad[:, :, :, np.newaxis])


class AveragePool:
    """Mean of each 2x2 window."""

    def forward(self, x):
        return blocks(x).mean(axis=3)

    def backward(self, grad):
        return unblocks(np.repeat(grad[:, :, :, np.newaxis] / 4, 4, axis=3))


class Flatten:
    """[N,H,W,C] to [N,H*W*C]."""

    def forward(self, x):
        self.shape = x.shape
        return x.reshape(len(x), -1)

    def backward(self, grad):
        return grad.reshape(self.shape)


def build(rng):
    """The layers in order; the softmax belongs to the loss."""
    return [
        Conv(rng, 1, 16), Clamp(), MaxPool(),
        Conv(rng, 16, 32), Clamp(6.0), AveragePool(),
        Flatten(),
        Dense(rng, 128, 32), Clamp(),
        Dense(rng, 32, 10),
    ]


def forward(layers, x):
    """The logits of a batch."""
    for layer in layers:
        x = layer.forward(x)
    return x


def train(layers, images, labels, rng):
    """Minimize the cross-entropy with Adam; the rate falls to 0 along half a cosine."""
    parameters = [p for layer in layers for p in vars(layer).values() if isinstance(p, Parameter)]
    targets = np.eye(10)[labels]
    steps = EPOCHS * (len(images) // BATCH)
    count = 0
    for epoch in range(EPOCHS):
        order = rng.permutation(len(images))
        total = 0.0
        for start in range(0, len(images) - BATCH + 1, BATCH):
            pick = order[start : start + BATCH]
            logits = forward(layers, images[pick])
            logits -= logits.max(axis=1, keepdims=True)
            log_p = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
            total -= (targets[pick] * log_p).sum()
            grad = (np.exp(log_p) - targets[pick]) / BATCH
            for layer in reversed(layers):
                grad = layer.backward(grad)
            rate = PEAK_RATE * 0.5 * (1 + np.cos(np.pi * count / steps))
            count += 1
            for parameter in parameters:
                parameter.step(rate, count)
        print(f"epoch {epoch + 1:2}: loss {total / len(images):.4f}")


def main():
    """Trains, then exports to the folder given or to the folder of this script."""
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    train_images, train_labels, test_images, test_labels = load_split()
    rng = np.random.default_rng(SEED)
    layers = build(rng)
    train(layers, train_images, train_labels, rng)

    weights = [(layer.weight.value, layer.bias.value)
               for layer in layers if isinstance(layer, (Conv, Dense))]
    export.write_all(folder, weights, train_images, test_images, test_labels)


if __name__ == "__main__":
    main()
