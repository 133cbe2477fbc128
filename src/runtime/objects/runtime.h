// What all objects of the C API share: the devices, their extensions, and how plans are made.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/driver/type_manager.h"
#include "nnapi/driver/vlog.h"
#include "runtime/devices/configuration.h"
#include "runtime/objects/codes.h"
#include "runtime/observe/record.h"
#include "runtime/observe/report.h"
#include "runtime/plan/plan.h"

// A device as applications hold it.
struct ANeuralNetworksDevice {
    nn::SharedDevice device{};
    bool isCpu = false;
    // Drivers may go, these stay.
    std::string name{};
    std::string version{};

    bool takesOverlaps = false;

    nn::runtime::PlanDevice forPlan() const { return {device, isCpu, takesOverlaps}; }
};

namespace nn::runtime {

// Immutable and thread-safe.
class Runtime {
   public:
    // The devices of the configuration, nnapi-host, and nnapi-reference. What cannot be opened is
    // left out, and told to the log.
    static std::unique_ptr<const Runtime> create(const Configuration& configuration);

    // How compilations are made, and who is told of them.
    struct Options {
        PlanOptions::Partitioning partitioning = PlanOptions::Partitioning::WITH_FALLBACK;
        bool cpuOnly = false;
        SharedLog log{};
        std::shared_ptr<const IRecorder> recorder{};  // null: nothing is recorded
        std::shared_ptr<Report> report{};             // null: nobody wants one
    };

    // Drivers in their order; the reference comes last.
    Runtime(std::vector<PlanDevice> devices, Options options);

    const std::vector<std::unique_ptr<const ANeuralNetworksDevice>>& devices() const {
        return mDevices;
    }
    // Null for what is none of the devices, which is not looked at.
    const ANeuralNetworksDevice* find(const ANeuralNetworksDevice* device) const;

    // For applications that choose none.
    std::vector<PlanDevice> devicesForAll() const;

    PlanOptions::Partitioning partitioning() const { return mOptions.partitioning; }
    const SharedLog& log() const { return mOptions.log; }
    const IRecorder* recorder() const { return mOptions.recorder.get(); }
    Report* report() const { return mOptions.report.get(); }
    TypeManager& types() const { return mTypes; }

   private:
    std::vector<std::unique_ptr<const ANeuralNetworksDevice>> mDevices{};
    Options mOptions;
    mutable TypeManager mTypes;  // thread-safe
};

// The one of this process: made when it is first asked for, and there until the process ends.
const Runtime& runtime();

// What makes it, by the environment; each library that has the functions of the C API has its own.
std::unique_ptr<const Runtime> makeRuntime();

// For tests: the runtime from here on. Objects of the one before must be gone.
void setRuntime(std::unique_ptr<const Runtime> runtime);

// The code of what the call answers, and 4 of ResultCode for exceptions; the log is told of
// failures. No exception leaves the library.
int codeOfFailure(std::string_view function, const Answer& answer) noexcept;
int codeOfException(std::string_view function) noexcept;
template <class Call>
int answered(std::string_view function, Call&& call) noexcept {
    try {
        const Answer answer = call();
        return answer.ok() ? ANEURALNETWORKS_NO_ERROR : codeOfFailure(function, answer);
    } catch (...) {
        return codeOfException(function);
    }
}

}  // namespace nn::runtime

// The body of a function of the C API, which answers an Answer.
#define NNAPI_ANSWER(...) \
    return ::nn::runtime::answered(__func__, [&]() -> ::nn::runtime::Answer __VA_ARGS__)
