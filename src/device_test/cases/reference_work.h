// Work of the reference on behalf of a case: bounded, and reported, so that it is not charged to
// the device.
//
//   ReferenceWork work(options.onOwnWork);
//   Result<std::vector<Tensor>> outputs = work.run(prepared, inputs);
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "nnapi/interpreter.h"
#include "nnapi/result.h"
#include "nnapi/tensor.h"

namespace nn::testing {

// DeviceTestOptions::onOwnWork.
using OwnWorkHook = std::function<void(bool begins)>;

// Reports the beginning and the end of the test's own work. The hook may be empty and must outlive
// this object.
class OwnWork {
   public:
    explicit OwnWork(const OwnWorkHook& hook) : mHook(hook) { report(true); }
    ~OwnWork() { report(false); }
    OwnWork(const OwnWork&) = delete;
    OwnWork& operator=(const OwnWork&) = delete;

   private:
    void report(bool begins) const {
        if (mHook) mHook(begins);
    }
    const OwnWorkHook& mHook;
};

// Executions of the reference that share one bound. The bound counts steps rather than time, so
// that a case is the same on each machine.
class ReferenceWork {
   public:
    // At most so many checks for a stop; the interpreter makes one every 16384 steps.
    static constexpr uint64_t kMaxChecks = 4096;

    explicit ReferenceWork(const OwnWorkHook& hook, uint64_t maxChecks = kMaxChecks)
        : mWork(hook), mChecksLeft(maxChecks) {}

    // Fails as PreparedModel::run(), and with GENERAL_FAILURE once the bound is reached.
    Result<std::vector<Tensor>> run(const PreparedModel& prepared, std::span<const Tensor> inputs) {
        return prepared.run(inputs, {.isCancelled = [this] {
                                if (mChecksLeft == 0) return true;
                                --mChecksLeft;
                                return false;
                            }});
    }
    bool isExhausted() const { return mChecksLeft == 0; }

   private:
    const OwnWork mWork;
    uint64_t mChecksLeft;
};

}  // namespace nn::testing
