// The state that all objects of the C API share: devices, their extensions, and plan options.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/driver/type_manager.h"
#include "nnapi/driver/vlog.h"
#include "runtime/devices/configuration.h"
#include "runtime/extras/record.h"
#include "runtime/objects/codes.h"
#include "runtime/observe/report.h"
#include "runtime/plan/plan.h"

// The object behind an ANeuralNetworksDevice.
struct ANeuralNetworksDevice {
    nn::SharedDevice device{};
    bool isCpu = false;
    // Copies of the driver's metadata, valid even after the driver has died.
    std::string name{};
    std::string version{};

    bool allowsAliasing = false;

    nn::runtime::PlanDevice forPlan() const { return {device, isCpu, allowsAliasing}; }
};

namespace nn::runtime {

// A device for use by plans. The library's own devices, which it recognizes by name, accept
// pointers and overlapping arguments; other devices receive neither.
PlanDevice planDevice(SharedDevice device);

// Immutable and thread-safe.
class Runtime {
   public:
    // The configured devices, nnapi-host, and nnapi-reference. Devices that cannot be opened are
    // left out, and logged.
    static std::unique_ptr<const Runtime> create(const Configuration& configuration);

    // Options of compilations, and the observers of their results.
    struct Options {
        PlanOptions::Partitioning partitioning = PlanOptions::Partitioning::WITH_FALLBACK;
        bool cpuOnly = false;
        SharedLog log{};
        std::shared_ptr<const IRecorder> recorder{};  // null: nothing is recorded
        std::shared_ptr<Report> report{};             // null: no report is printed
    };

    // Drivers in configuration order; the reference comes last.
    Runtime(std::vector<PlanDevice> devices, Options options);

    const std::vector<std::unique_ptr<const ANeuralNetworksDevice>>& devices() const {
        return mDevices;
    }
    // Null if the pointer, which is not dereferenced, is not one of the devices.
    const ANeuralNetworksDevice* find(const ANeuralNetworksDevice* device) const;

    // The devices of applications that choose none.
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

// The runtime of this process, created on first use and kept until the process ends.
const Runtime& runtime();

// Creates it from the environment; each library with the C API's functions has its own.
std::unique_ptr<const Runtime> makeRuntime();

// For tests: replaces the runtime. Objects of the previous one must be gone.
void setRuntime(std::unique_ptr<const Runtime> runtime);

// The result code of a call, and OP_FAILED (4) for exceptions. Failures are logged. No exception
// leaves the library.
int codeOfFailure(std::string_view function, const ApiStatus& status) noexcept;
int codeOfException(std::string_view function) noexcept;
template <class Call>
int apiResultCode(std::string_view function, Call&& call) noexcept {
    try {
        const ApiStatus status = call();
        return status.ok() ? ANEURALNETWORKS_NO_ERROR : codeOfFailure(function, status);
    } catch (...) {
        return codeOfException(function);
    }
}

}  // namespace nn::runtime

// The body of a C API function; it returns an ApiStatus.
#define NNAPI_API_CALL(...) \
    return ::nn::runtime::apiResultCode(__func__, [&]() -> ::nn::runtime::ApiStatus __VA_ARGS__)
