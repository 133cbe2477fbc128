// All test vectors through the reference device, and through drivers of each version that are made
// of it, by each way in which they execute: the bits are those of the interpreter, or the refusal
// is the one that the rules demand.
#include <cstring>
#include <map>

#include "driver/models.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/wrap.h"
#include "vectors.h"

namespace nn::device_test {
namespace {

// The values of an execution: inputs as given, and room for outputs of these dimensions.
struct Values {
    std::vector<std::vector<uint8_t>> inputs{}, outputs{};
    Request request{};

    Values(const std::vector<Tensor>& given, const std::vector<Tensor>& results) {
        for (const Tensor& tensor : given) {
            inputs.push_back(tensor.data);
            request.inputs.push_back(argument(tensor, inputs.back()));
        }
        for (const Tensor& tensor : results) {
            outputs.emplace_back(tensor.data.size());
            request.outputs.push_back(argument(tensor, outputs.back()));
            request.outputs.back().dimensions.clear();
        }
    }

    // One byte for what has none, since a place has a length.
    static Request::Argument argument(const Tensor& tensor, std::vector<uint8_t>& bytes) {
        using LifeTime = Request::Argument::LifeTime;
        if (tensor.hasNoValue) return {.lifetime = LifeTime::NO_VALUE};
        if (bytes.empty()) bytes.resize(1);
        return {.lifetime = LifeTime::POINTER,
                .location = {.pointer = static_cast<void*>(bytes.data()),
                             .length = static_cast<uint32_t>(bytes.size())},
                .dimensions = tensor.dimensions};
    }

    void clear() {
        for (auto& bytes : outputs) std::fill(bytes.begin(), bytes.end(), uint8_t{0xa5});
    }
    bool holds(const std::vector<Tensor>& results) const {
        for (size_t i = 0; i < results.size(); ++i) {
            const auto& bytes = results[i].data;
            if (!std::equal(bytes.begin(), bytes.end(), outputs[i].begin())) return false;
        }
        return true;
    }
};

using Counts = std::map<std::string, int>;

// How often each way ended how.
class Tally {
   public:
    explicit Tally(const Values& values, const std::vector<Tensor>& results, Counts& counts)
        : mValues(values), mResults(results), mCounts(counts) {}

    template <class Answer>
    void add(const std::string& way, const std::string& name, const Answer& answer) {
        if (!answer.has_value()) {
            ++mCounts[way + " " + toString(answer.error().code)];
        } else if (mValues.holds(mResults)) {
            ++mCounts[way + " equal"];
        } else {
            ADD_FAILURE() << way << " " << name << " differs from the interpreter";
        }
    }

   private:
    const Values& mValues;
    const std::vector<Tensor>& mResults;
    Counts& mCounts;
};

// A device, and which models it takes.
struct Way {
    std::string name;
    Version carries;
    SharedDevice device;
};

std::vector<Way> devices() {
    const SharedDevice reference = referenceDevice();
    const hidl::sp<V1_3::IDevice> driver = hal::adapter::adapt(reference).value();
    const auto wrapped = [](const GeneralResult<SharedDevice>& device) { return device.value(); };
    return {{"canonical", kNewestVersion, reference},
            {"1.0", kVersionFeatureLevel1, wrapped(V1_0::utils::Device::create("1.0", driver))},
            {"1.1", kVersionFeatureLevel2, wrapped(V1_1::utils::Device::create("1.1", driver))},
            {"1.2", kVersionFeatureLevel3, wrapped(V1_2::utils::Device::create("1.2", driver))},
            {"1.3", kVersionFeatureLevel4, wrapped(V1_3::utils::Device::create("1.3", driver))}};
}

void executeByEachWay(const Way& way, const TestCase& testCase, const std::vector<Tensor>& results,
                      const OptionalDuration& loopTimeout, Counts& counts) {
    constexpr auto kNo = MeasureTiming::NO;
    const auto model = way.device->prepareModel(testCase.model, ExecutionPreference::DEFAULT,
                                                Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    ASSERT_TRUE(model.has_value()) << way.name << " " << testCase.name << model.error().message;
    Values values(testCase.inputs, results);
    Tally tally(values, results, counts);
    const Request& request = values.request;
    const auto& shared = *model;
    const auto add = [&](const std::string& path, const auto& execute) {
        values.clear();
        tally.add(way.name + " " + path, testCase.name, execute());
    };
    add("execute", [&] { return shared->execute(request, kNo, {}, loopTimeout, {}, {}); });

    const auto execution = shared->createReusableExecution(request, kNo, loopTimeout, {}, {});
    ASSERT_TRUE(execution.has_value()) << way.name << testCase.name << execution.error().message;
    add("compute", [&] { return (*execution)->compute({}); });
    add("compute again", [&] { return (*execution)->compute({}); });

    const auto burst = shared->configureExecutionBurst();
    ASSERT_TRUE(burst.has_value()) << way.name << testCase.name << burst.error().message;
    add("burst", [&] { return (*burst)->execute(request, kNo, {}, loopTimeout, {}, {}); });

    add("fenced",
        [&] { return shared->executeFenced(request, {}, kNo, {}, loopTimeout, {}, {}, {}); });
    add("compute fenced", [&] { return (*execution)->computeFenced({}, {}, {}); });
}

// Rules 13, 83, 84, 92, 97, 98, 122.
TEST(Device, GivesTheBitsOfTheInterpreterByEachWayInEachVersion) {
    const OptionalDuration loopTimeout = std::chrono::milliseconds(200);
    const std::vector<Way> ways = devices();
    Counts counts;
    forEachVector([&](const TestCase& testCase) {
        const auto reference = prepare(testCase.model);
        const auto results = reference.ok()
                                     ? reference->run(testCase.inputs, {.loopTimeout = loopTimeout})
                                     : Result<std::vector<Tensor>>(reference.status());
        for (const Way& way : ways) {
            if (!reference.ok() || !validateFor(testCase.model, way.carries).ok()) {
                // Neither validation nor the interpreter lets it pass, or the version lacks it.
                ++counts[way.name + " not prepared"];
                EXPECT_EQ(prepareOn(*way.device, testCase.model).error().code,
                          ErrorStatus::INVALID_ARGUMENT)
                        << way.name << " " << testCase.name;
            } else if (!results.ok()) {
                ++counts[way.name + " not executed"];
                EXPECT_TRUE(testCase.expectFailure) << testCase.name;
            } else {
                executeByEachWay(way, testCase, *results, loopTimeout, counts);
            }
        }
    });
    // Fences are of HAL 1.3, and take only outputs whose size the model and the request say, and
    // which have elements.
    EXPECT_EQ(counts, (Counts{{"canonical burst equal", 6573},
                              {"canonical compute again equal", 6573},
                              {"canonical compute equal", 6573},
                              {"canonical compute fenced INVALID_ARGUMENT", 163},
                              {"canonical compute fenced equal", 6410},
                              {"canonical execute equal", 6573},
                              {"canonical fenced INVALID_ARGUMENT", 163},
                              {"canonical fenced equal", 6410},
                              {"canonical not executed", 5},
                              {"canonical not prepared", 45}}));
}

}  // namespace
}  // namespace nn::device_test
