// Executes one generated model on some implementations: the reference device, drivers of each
// version of HIDL and AIDL, a plan over two devices, and a server. If the interpreter succeeds, all
// compute the same bits; if it fails, all fail.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "device_test/cases/execution_paths.h"
#include "device_test/cases/prepared_case.h"
#include "fuzz/input.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "runtime/plan/plan.h"

namespace nn::fuzz {
namespace same_results {

using testing::ExecutionPath;

// Has a larger memory limit than the interpreter: an execution of a request copies its inputs.
SharedDevice reference() {
    Version version = kNewestVersion;
    version.runtimeOnlyFeatures = true;
    PrepareOptions options = littleWork();
    options.limits.peakBytes = 1 << 20;
    return referenceDevice({.featureLevel = version, .prepare = options});
}

// Supports half of all operations.
class HalfDevice final : public ForwardingDevice {
   public:
    HalfDevice(std::string name, uint64_t choice)
        : ForwardingDevice(reference()), mName(std::move(name)), mChoice(choice) {}

    const std::string& getName() const override { return mName; }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        auto supported = ForwardingDevice::getSupportedOperations(model);
        if (!supported.has_value()) return supported;
        for (size_t i = 0; i < supported->size(); ++i) {
            const uint64_t output = model.main.operations[i].outputs.front();
            if ((mChoice >> (output % 64) & 1) != 0) (*supported)[i] = false;
        }
        return supported;
    }

   private:
    std::string mName;
    uint64_t mChoice;
};

GeneralResult<SharedPreparedModel> prepareByPlan(testing::Source& source, const Model& model) {
    const auto half = [&](const char* name) {
        return runtime::PlanDevice{std::make_shared<const HalfDevice>(name, source.number())};
    };
    runtime::PlanOptions options;
    if (source.coin()) options.minConcurrentWork = 0;
    const auto plan =
            runtime::makePlan(model, {half("first"), half("second"), {reference(), true}}, options);
    if (!plan.has_value()) return plan.status();
    return (*plan)->preparedModel();
}

// How many implementations execute an input. Each is compared with the interpreter, so running all
// of them on one input would take longer without finding more.
// once would take longer and find no more.
constexpr size_t kCompared = 4;

// A device behind an interface of a version.
struct Met {
    std::string name{};
    SharedDevice device{};
};

// Adapters execute synchronously on the caller's thread.
const hal::adapter::AdaptOptions kAtOnce = {
        .executor = [](const hal::adapter::Task& task, OptionalTimePoint) { task(); }};

template <class Made>
Met met(std::string name, Made made) {
    expect(made.has_value(), name + " cannot be made");
    return {std::move(name), *std::move(made)};
}

std::vector<Met> devices() {
    const auto hidl = *hal::adapter::adapt(reference(), kAtOnce);
    std::vector<Met> all = {
            {"reference", reference()},
            met("HAL 1.0", V1_0::utils::Device::create("HAL 1.0", hidl)),
            met("HAL 1.1", V1_1::utils::Device::create("HAL 1.1", hidl)),
            met("HAL 1.2", V1_2::utils::Device::create("HAL 1.2", hidl)),
            met("HAL 1.3", V1_3::utils::Device::create("HAL 1.3", hidl)),
    };
    for (const HalVersion version :
         {HalVersion::AIDL1, HalVersion::AIDL2, HalVersion::AIDL3, HalVersion::AIDL4}) {
        const std::string name(toString(version));
        all.push_back(
                met(name, wrap(name, *hal::adapter::adaptAidl(reference(), version, kAtOnce))));
    }
    return all;
}

// Lives until the end of the program.
struct Served {
    std::string folder{};
    std::unique_ptr<service::Server> server{};
    SharedDevice device{};

    Served() {
        char name[] = "/tmp/nnapi-fuzz-XXXXXX";
        folder = mkdtemp(name);
        const std::string address = "unix:" + folder + "/socket";
        server = *service::serve({reference()}, address);
        device = *service::connect(address);
    }
    ~Served() {
        device = nullptr;
        server = nullptr;
        std::filesystem::remove_all(folder);
    }
};

// The results of the interpreter.
struct Expected {
    const Model& model;
    TestCase values{};
    Status failure{};
};

// `level`: the lowest level that the prepared model can represent.
void compare(const Expected& expected, std::string_view name, const IPreparedModel& prepared,
             Version level, ExecutionPath path) {
    const Model& model = expected.model;
    const std::string place = fmt::format("{} {}", name, nameOf(path));
    auto arguments = testing::argumentsFor(model, expected.values);
    if (!arguments.ok()) return;  // out of memory
    const auto executed = testing::executeBy(path, prepared, arguments->request());
    if (!expected.failure.ok()) {
        return expect(!executed.has_value(),
                      fmt::format("{} succeeds, expected: {}", place, textOf(expected.failure)));
    }
    if (!executed.has_value()) {
        // Versions before HAL 1.2 cannot report the dimensions of outputs.
        const bool mayFail = !isCompliantVersion(kVersionFeatureLevel3, level);
        return expect(mayFail && !testing::areOutputsSpecified(model),
                      fmt::format("{} fails: {}", place, executed.error().message));
    }
    const auto touched = arguments->checkUntouched();
    expect(!touched, place + " writes outside of its outputs");
    const auto found = arguments->outputs(executed->first, testing::outputTypes(model));
    for (size_t i = 0; i < found.size(); ++i) {
        expect(found[i] == expected.values.outputs[i].value,
               fmt::format("{}: output {} differs", place, i));
    }
}

}  // namespace same_results

NNAPI_FUZZ_TARGET(same_results, CHOICES) {
    using namespace same_results;
    static const std::vector<Met> kDevices = devices();
    static const Served kServed;
    testing::Source source(bytes);
    const size_t all = kDevices.size() + 2, first = source.below(all);
    const auto isCompared = [&](size_t i) { return (i + all - first) % all < kCompared; };
    const Version level{.level = static_cast<Version::Level>(1 + source.below(8))};
    const Model model = testing::validModel(
            source,
            {.executable = true, .featureLevel = level, .unknownDimensions = source.oneIn(4)});
    // In a device, a loop ends at its timeout, which a busy machine may reach early.
    const auto isLoop = [](const Operation& o) { return o.type == OperationType::WHILE; };
    if (std::ranges::any_of(model.main.operations, isLoop)) return;

    Expected expected{.model = model};
    const auto inputs = source.coin() ? anyBits(source, model) : testing::anyInputs(source, model);
    const auto prepared = prepare(model, littleWork());
    if (!prepared.ok()) return;  // too much work
    const auto outputs = prepared->run(inputs);
    expected.values.inputs = inputs;
    if (!outputs.ok() &&
        errorStatus(outputs.status()) == ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT) {
        return;  // too much memory
    }
    if (outputs.ok()) {
        for (const Tensor& output : *outputs) expected.values.outputs.push_back({.value = output});
    } else {
        expected.failure = outputs.status();
        for (const uint32_t index : model.main.outputIndexes) {
            const Operand& operand = model.main.operands[index];
            Tensor output{.dimensions = operand.dimensions};
            output.data.resize(operandSize(operand).value_or(0));
            expected.values.outputs.push_back({.value = std::move(output)});
        }
    }
    // A request cannot represent a value without elements.
    const auto isEmpty = [](const Tensor& t) { return !t.hasNoValue && t.data.empty(); };
    if (std::ranges::any_of(inputs, isEmpty)) return;
    for (const auto& output : expected.values.outputs) {
        if (isEmpty(output.value)) return;
    }

    const auto path = testing::kExecutionPaths[source.below(testing::kExecutionPaths.size())];
    const bool mayBeFenced = testing::areOutputsSpecified(model);
    const auto check = [&](std::string_view name, Version level,
                           const GeneralResult<SharedPreparedModel>& made) {
        const std::string why = made.has_value() ? "" : made.error().message;
        expect(made.has_value(), fmt::format("{} refuses: {}", name, why));
        const bool hasFences = isCompliantVersion(kVersionFeatureLevel4, level);
        if (path == ExecutionPath::FENCED && !(mayBeFenced && hasFences)) return;
        compare(expected, name, **made, level, path);
    };
    const Version needed = validate(model).value();
    for (size_t i = 0; i < kDevices.size(); ++i) {
        const Met& each = kDevices[i];
        const Version level = each.device->getFeatureLevel();
        if (!isCompared(i) || !isCompliantVersion(needed, level)) continue;
        check(each.name, level, testing::prepareOn(*each.device, model));
    }
    if (isCompared(all - 2)) check("plan", kNewestVersion, prepareByPlan(source, model));
    if (isCompared(all - 1)) {
        check("server", kNewestVersion, testing::prepareOn(*kServed.device, model));
    }
}

}  // namespace nn::fuzz
