"""Stubs and the examples of docs/python.md."""
import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import nnapi
from conftest import SOURCE

PACKAGE = pathlib.Path(nnapi.__file__).parent
STUB = [node for stub in ("__init__.pyi", "_enumerations.pyi") for node in ast.parse((PACKAGE / stub).read_text()).body]
EXAMPLES = re.findall(r"^```python\n(.*?)^```", (SOURCE / "docs/python.md").read_text(), re.M | re.S)


def test_stub_has_all():
    names = {node.name for node in STUB if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert names | {"VERSIONS"} == set(nnapi.__all__)
    for node in STUB:
        if not isinstance(node, ast.ClassDef):
            continue
        real = getattr(nnapi, node.name)
        members = {m.name for m in node.body if isinstance(m, ast.FunctionDef)}
        members |= {m.target.id for m in node.body if isinstance(m, ast.AnnAssign)}
        if isinstance(real, type(nnapi.OperandType)):
            assert members == set(real.__members__), node.name
        elif not issubclass(real, Exception):
            assert members - set(dir(real)) == set(), node.name
            shown = {name for name in vars(real) if not name.startswith("_")}
            assert shown - members - {"count", "index"} == set(), node.name


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_mypy(tmp_path):
    for i, example in enumerate(EXAMPLES):
        (tmp_path / f"example{i}.py").write_text(example)
    done = subprocess.run(
        ["mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(PACKAGE / "testing.py"),
         *(str(path) for path in sorted(tmp_path.glob("example*.py")))],
        env={**os.environ, "MYPYPATH": str(PACKAGE.parent)}, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_examples(tmp_path):
    assert len(EXAMPLES) == 5
    for i, example in enumerate(EXAMPLES):
        (tmp_path / f"test_example{i}.py").write_text(example)
        env = {**os.environ, "VECTORS": str(SOURCE / "tests/vectors/V1_0/add.jsonl.gz")}
        is_test = "nnapi.testing" in example
        command = ["-m", "pytest", "-q", "-p", "nnapi.testing"] if is_test else []
        done = subprocess.run([sys.executable, "-B", *command, f"test_example{i}.py"], cwd=tmp_path, env=env,
                              capture_output=True, text=True)
        assert done.returncode == 0, example + done.stdout + done.stderr
