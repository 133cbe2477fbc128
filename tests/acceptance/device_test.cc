// All test vectors through the reference device, by each way in which it executes: the bits are
// those of the interpreter, or the refusal is the one that the rules demand.
#include <cstring>
#include <map>

#include "nnapi/driver/reference.h"
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

TEST(Device, GivesTheBitsOfTheInterpreterByEachWay) {
    const SharedDevice device = referenceDevice();
    constexpr auto kNo = MeasureTiming::NO;
    const OptionalDuration loopTimeout = std::chrono::milliseconds(200);
    Counts counts;
    forEachVector([&](const TestCase& testCase) {
        const auto model = device->prepareModel(testCase.model, ExecutionPreference::DEFAULT,
                                                Priority::DEFAULT, {}, {}, {}, {}, {}, {});
        const auto reference = prepare(testCase.model);
        ASSERT_EQ(model.has_value(), reference.ok()) << testCase.name;
        if (!reference.ok()) {
            ++counts["not prepared"];
            EXPECT_TRUE(testCase.expectFailure) << testCase.name;
            return;
        }
        const auto results = reference->run(testCase.inputs, {.loopTimeout = loopTimeout});
        if (!results.ok()) {
            ++counts["not executed"];
            EXPECT_TRUE(testCase.expectFailure) << testCase.name;
            return;
        }

        Values values(testCase.inputs, *results);
        Tally tally(values, *results, counts);
        const Request& request = values.request;
        const auto& shared = *model;
        values.clear();
        tally.add("execute", testCase.name, shared->execute(request, kNo, {}, loopTimeout, {}, {}));

        const auto execution = shared->createReusableExecution(request, kNo, loopTimeout, {}, {});
        ASSERT_TRUE(execution.has_value()) << testCase.name << execution.error().message;
        for (const char* way : {"compute", "compute again"}) {
            values.clear();
            tally.add(way, testCase.name, (*execution)->compute({}));
        }

        const auto burst = shared->configureExecutionBurst();
        ASSERT_TRUE(burst.has_value()) << testCase.name;
        values.clear();
        tally.add("burst", testCase.name, (*burst)->execute(request, kNo, {}, loopTimeout, {}, {}));

        values.clear();
        tally.add("fenced", testCase.name,
                  shared->executeFenced(request, {}, kNo, {}, loopTimeout, {}, {}, {}));
        values.clear();
        tally.add("compute fenced", testCase.name, (*execution)->computeFenced({}, {}, {}));
    });
    // Fences take only outputs whose size the model and the request say, and which have elements.
    EXPECT_EQ(counts, (Counts{{"burst equal", 6573},
                              {"compute again equal", 6573},
                              {"compute equal", 6573},
                              {"compute fenced INVALID_ARGUMENT", 163},
                              {"compute fenced equal", 6410},
                              {"execute equal", 6573},
                              {"fenced INVALID_ARGUMENT", 163},
                              {"fenced equal", 6410},
                              {"not executed", 5},
                              {"not prepared", 45}}));
}

}  // namespace
}  // namespace nn::device_test
