// Random models, interpreted and evaluated by the oracle: every operation must give the same
// results as the oracle for the same inputs. Half of the models are generated, half are test
// vectors; all have random data. NNAPI_ORACLE_CASES is their number, NNAPI_ORACLE_SEED the first
// seed: a failure names its seed, which alone gives the same model again.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "environment.h"
#include "nnapi/interpreter.h"
#include "nnapi/testing/compare.h"
#include "nnapi/testing/generate.h"
#include "nnapi/type_utils.h"
#include "oracle/cases.h"
#include "oracle/compare.h"
#include "oracle/oracle.h"
#include "vectors.h"
#include "written.h"

namespace nn::oracle {
namespace {

// Whether the criteria apply to this input. Sums of products in float32 are no better than their
// terms, so weights are up to 1, as random constants are; other numbers are up to 64. Results of
// EXP, DIV, POW or LOG may be anything.
bool isTame(OperationType operation, size_t input, OperandType type, const Tensor& tensor) {
    if (type != OperandType::TENSOR_FLOAT32 && type != OperandType::TENSOR_FLOAT16) return true;
    using enum OperationType;
    static const std::set<OperationType> kSums = {CONV_2D, DEPTHWISE_CONV_2D, GROUPED_CONV_2D,
                                                  TRANSPOSE_CONV_2D, FULLY_CONNECTED};
    const double most = input == 1 && kSums.contains(operation) ? 1 : 64;
    for (size_t i = 0; i < testing::elementCount(type, tensor); ++i) {
        if (!(std::fabs(testing::elementValue(type, tensor, i)) <= most)) return false;
    }
    return true;
}

// Whether an execution failed because of the values of a tensor. Otherwise it failed because of a
// parameter, which the oracle does not check.
bool isAboutTensors(const std::string& message) {
    static constexpr std::string_view kRules[] = {
            "[axis_aligned_bbox_transform.batch_index]",
            "[axis_aligned_bbox_transform.box]",
            "[box_with_nms_limit.batch_index]",
            "[box_with_nms_limit.box]",
            "[embedding_lookup.index]",
            "[gather.index]",
            "[generate_proposals.anchor]",
            "[heatmap_max_keypoint.box]",
            "[roi.batch_index]",
            "[roi.box]",
    };
    return std::ranges::any_of(kRules,
                               [&](std::string_view rule) { return message.ends_with(rule); });
}

struct Case {
    std::string name;
    Model model;
    std::vector<Tensor> inputs;
};

class RandomCases {
   public:
    RandomCases() {
        forEachVector([&](const TestCase& testCase) {
            if (testCase.expectFailure || bytesOfConstants(testCase.model) > 1 << 14) return;
            size_t bytes = 0;
            for (const Tensor& input : testCase.inputs) bytes += input.data.size();
            if (bytes > 1 << 14) return;
            for (const Operation& operation : testCase.model.main.operations) {
                mByOperation[operation.type].push_back(mVectors.size());
            }
            mVectors.push_back({testCase.name, testCase.model, testCase.inputs});
        });
        for (const auto& [type, vectors] : mByOperation) mOperations.push_back(type);
    }

    // Every operation comes up as often as any other.
    Case make(uint64_t seed) const {
        std::mt19937_64 random(seed);
        const OperationType type = mOperations[random() % mOperations.size()];
        Case made;
        if (seed % 2 == 0) {
            const std::vector<size_t>& vectors = mByOperation.at(type);
            made = mVectors[vectors[random() % vectors.size()]];
        } else {
            std::vector<uint8_t> bytes(4096);
            for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
            testing::Source source(bytes);
            const bool any = source.coin();
            made.name = "generated";
            made.model = testing::validModel(
                    source,
                    {.mostOperations = any ? size_t{6} : size_t{2},
                     .operations = any ? std::span<const OperationType>() : std::span(&type, 1),
                     .executable = true,
                     .featureLevel = kVersionFeatureLevel8,
                     .unknownDimensions = source.coin()});
            made.inputs = testing::anyInputs(source, made.model);
        }
        randomise(made.model, made.inputs, random);
        showTemporaries(made.model);
        return made;
    }

   private:
    std::vector<Case> mVectors;
    std::map<OperationType, std::vector<size_t>> mByOperation;
    std::vector<OperationType> mOperations;
};

struct Tally {
    std::map<OperationType, size_t> compared;
    size_t wild = 0;           // not compared, see isTame
    size_t refused = 0;        // cases: by the interpreter, and
    size_t refusedByBoth = 0;  // of them, for what tensors hold
};

// Compares all operations of one case; the first failure, if any.
std::optional<std::string> check(const Case& made, Tally& tally) {
    const Model& model = made.model;
    const Result<PreparedModel> prepared = prepare(model);
    if (!prepared.ok()) return std::string(prepared.status().message());
    const auto outputs = prepared->run(made.inputs);
    if (!outputs.ok()) {
        ++tally.refused;
        if (!isAboutTensors(std::string(outputs.status().message()))) return std::nullopt;
        const Answer answer = evaluate(model, made.inputs);
        if (answer.kind == Answer::Kind::REFUSED) ++tally.refusedByBoth;
        if (answer.kind != Answer::Kind::VALUES) return std::nullopt;
        return fmt::format("fails: {}", std::string(outputs.status().message()));
    }
    if (std::string why = unwritten(*prepared, made.inputs); !why.empty()) return why;
    std::vector<Tensor> known(model.main.operands.size());
    for (size_t i = 0; i < made.inputs.size(); ++i) {
        known[model.main.inputIndexes[i]] = made.inputs[i];
    }
    for (size_t i = 0; i < outputs->size(); ++i) known[model.main.outputIndexes[i]] = (*outputs)[i];

    for (size_t o = 0; o < model.main.operations.size(); ++o) {
        const Operation& operation = model.main.operations[o];
        const auto typeOf = [&](uint32_t operand) { return model.main.operands[operand].type; };
        bool tame = true;
        for (size_t i = 0; i < operation.inputs.size(); ++i) {
            const uint32_t operand = operation.inputs[i];
            tame = tame && isTame(operation.type, i, typeOf(operand), known[operand]);
        }
        if (!tame && !isExact(operation.type)) {
            ++tally.wild;
            continue;
        }
        const Answer answer = evaluateOperation(model, operation, known);
        if (answer.kind == Answer::Kind::NOT_COVERED) continue;
        const std::string place = fmt::format("operation {} {}", o, toString(operation.type));
        if (answer.kind == Answer::Kind::REFUSED) {
            return fmt::format("{}: executes, expected a failure: {}", place, answer.why);
        }
        ++tally.compared[operation.type];
        for (size_t i = 0; i < operation.outputs.size(); ++i) {
            const uint32_t operand = operation.outputs[i];
            const auto differs = difference(typeOf(operand), answer.outputs[i], known[operand],
                                            toleranceOf(operation.type, typeOf(operand)));
            if (differs) {
                return fmt::format("{}, output {} {}, {}", place, i, toString(typeOf(operand)),
                                   *differs);
            }
        }
    }
    return std::nullopt;
}

TEST(Oracle, AgreesWithTheInterpreterOnRandomModels) {
    const RandomCases cases;
    const uint64_t first = fromEnvironment("NNAPI_ORACLE_SEED", 1);
    const uint64_t count = fromEnvironment("NNAPI_ORACLE_CASES", 50000);
    Tally tally;
    std::vector<std::string> failures;
    for (uint64_t seed = first; seed < first + count && failures.size() < 20; ++seed) {
        const Case made = cases.make(seed);
        const auto failure = check(made, tally);
        if (failure) failures.push_back(fmt::format("seed {} {}: {}", seed, made.name, *failure));
    }
    EXPECT_THAT(failures, ::testing::IsEmpty());

    size_t all = 0;
    std::vector<std::string> rare;
    for (const OperationTypeInfo& info : operationTypes()) {
        const size_t compared = tally.compared[info.type];
        all += compared;
        RecordProperty(std::string(info.name), static_cast<int>(compared));
        if (covers(info.type) && compared < count / 500) rare.emplace_back(info.name);
    }
    if (failures.empty()) {
        EXPECT_THAT(rare, ::testing::IsEmpty());
    }
    EXPECT_LT(tally.wild, all / 20);
    EXPECT_LT(tally.refused, count / 20);
    RecordProperty("all", static_cast<int>(all));
    RecordProperty("wild", static_cast<int>(tally.wild));
    RecordProperty("refused", static_cast<int>(tally.refused));
    RecordProperty("refusedByBoth", static_cast<int>(tally.refusedByBoth));
}

}  // namespace
}  // namespace nn::oracle
