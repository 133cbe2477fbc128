"""^C ends long calls; a computing thread does not prevent the program from ending."""
import os
import signal
import subprocess
import sys
import time

import pytest

LONG_MODEL = """
import numpy as np, nnapi
builder = nnapi.ModelBuilder()
size = 1024
x = builder.input("TENSOR_FLOAT32", [size, size])
weights, bias = builder.constant(np.ones((size, size), np.float32)), builder.constant(np.ones(size, np.float32))
for i in range(2000):
    y = (builder.output if i == 1999 else builder.operand)("TENSOR_FLOAT32", [size, size])
    builder.operation("FULLY_CONNECTED", [x, weights, bias, 0], [y])
    x = y
model, ones = builder.build(), np.ones((size, size), np.float32)
"""
CALLS = {
    "interpreter": "nnapi.run(model, [ones])",
    "threads": "nnapi.run(model, [ones], threads=2)",
    "device": "nnapi.open_device('nnapi-reference').prepare(model).run([ones])",
    "hanging": "nnapi.open_device('faulty:HANGS_IN_EXECUTE').prepare(model).run([ones])",
}


def seconds_until_interrupted(call):
    program = LONG_MODEL + f"""
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    with subprocess.Popen([sys.executable, "-B", "-c", program], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            assert process.poll() is None
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
            seconds = time.monotonic() - start
            assert process.wait(timeout=20) == 0
            return seconds
        finally:
            process.kill()


@pytest.mark.parametrize("call", CALLS)
def test_interrupt(call):
    # On a busy machine a single attempt is not conclusive.
    assert any(seconds_until_interrupted(CALLS[call]) < 1 for _ in range(3))


@pytest.mark.parametrize("where", ["call()", "thread = threading.Thread(target=call); thread.start(); thread.join()"])
def test_timeout_that_a_driver_does_not_keep(where):
    program = LONG_MODEL + f"""
import threading
def call():
    try:
        nnapi.open_device('faulty:HANGS_IN_EXECUTE').prepare(model).run([ones], timeout=0.1)
    except nnapi.Error as error:
        print(error.code, error, flush=True)
{where}
"""
    ended = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == \
        "MISSED_DEADLINE_PERSISTENT the driver has not returned a second after its deadline\n", ended.stderr


def test_end_while_threads_compute():
    program = LONG_MODEL + """
import threading, time
for _ in range(3):
    threading.Thread(target=lambda: nnapi.run(model, [ones]), daemon=True).start()
time.sleep(0.5)
print("end", flush=True)
"""
    done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
