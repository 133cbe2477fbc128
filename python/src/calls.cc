#include "python/src/calls.h"

#include <unistd.h>

// Public since Python 3.13.
#if PY_VERSION_HEX >= 0x030d0000
static bool isPythonEnding() { return Py_IsFinalizing() != 0; }
#else
static bool isPythonEnding() { return _Py_IsFinalizing() != 0; }
#endif

namespace nn::python {

Unlocked::~Unlocked() {
    while (isPythonEnding()) pause();
    PyEval_RestoreThread(mState);
}

bool Interruption::isRequested() noexcept {
    if (mIsRequested) return true;
    if (std::this_thread::get_id() != mCaller) return false;
    // The check acquires the lock, which other threads may hold for long.
    const auto now = std::chrono::steady_clock::now();
    if (now < mNext) return false;
    mNext = now + std::chrono::milliseconds(20);
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) return false;
    mError.emplace();
    mIsRequested = true;
    return true;
}

bool isMainThread() {
    const py::module_ threading = py::module_::import("threading");
    return threading.attr("get_ident")().equal(threading.attr("main_thread")().attr("ident"));
}

}  // namespace nn::python
