import pathlib

import numpy as np
import pytest

import nnapi

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def add_model(type="TENSOR_FLOAT32", dimensions=(2, 2), **options):
    """A model that adds two inputs."""
    builder = nnapi.ModelBuilder()
    a = builder.input(type, dimensions, **options)
    b = builder.input(type, dimensions, **options)
    c = builder.output(type, dimensions, **options)
    builder.operation("ADD", [a, b, 0], [c])
    return builder.build()


def built(builder):
    """The model of a builder, with an operation: without one it is not a model."""
    builder.operation("TANH", [builder.input("TENSOR_FLOAT32", [1])], [builder.output("TENSOR_FLOAT32", [1])])
    return builder.build()


@pytest.fixture(scope="session")
def add():
    return add_model()


@pytest.fixture(scope="session")
def ones():
    return np.ones((2, 2), np.float32)
