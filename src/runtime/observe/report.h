// Reports which device executes which operations of an application, and why others do not
// (NNAPI_REPORT).
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/process_mutex.h"
#include "nnapi/driver/result.h"
#include "runtime/plan/plan.h"

namespace nn::runtime {

// Thread-safe.
class Report {
   public:
    // Reports a compiled model; queries the devices again for the operations that they support.
    void add(const Model& model, const std::vector<PlanDevice>& devices, const Plan& plan);
    // Reports a model that could not be compiled for these devices.
    void addRefused(const std::vector<PlanDevice>& devices, const Status& why);
    // Reports a device that failed and was replaced by the reference.
    void addFallback(std::string_view device, const Status& why);

    // "1 model\nnpu executes ADD 3, RELU 1\nleft by npu: not supported: FLOOR 1\n"; for a device
    // with a profile, the text has the violated condition instead of "not supported".
    std::string text() const;

   private:
    using Counts = std::map<std::string, size_t>;

    mutable ProcessMutex mMutex{};
    size_t mModels = 0;
    std::map<std::string, Counts> mExecuted{};  // by device
    std::map<std::string, Counts> mLeft{};      // by device and reason
    Counts mRefused{};                          // by devices and reason
    Counts mFallbacks{};                        // by device and reason
};

}  // namespace nn::runtime
