#!/usr/bin/env python3
"""Writes a file of ONNX, a RELU of two elements, whose input has the name that is given: hostile_onnx.py NAME FILE"""
import sys


def varint(number):
    """A number of protobuf."""
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def field(number, content):
    """A field of protobuf: a number, or bytes."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def value(name):
    """A tensor of two floats."""
    shape = field(1, field(1, 2))
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


name = sys.argv[1].encode()
node = field(1, name) + field(2, b"y") + field(4, b"Relu")
graph = field(1, node) + field(2, b"g") + field(11, value(name)) + field(12, value(b"y"))
with open(sys.argv[2], "wb") as file:
    file.write(field(1, 8) + field(7, graph) + field(8, field(1, b"") + field(2, 17)))
