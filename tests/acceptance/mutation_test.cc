// Every mutation of every model of tests/vectors, and of a request for it, is rejected by the rule
// that it violates. Uses a sample of the files by default; NNAPI_ALL_MUTANTS=1 uses all.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "convert/convert_test.h"
#include "model_generation/mutations.h"
#include "nnapi/convert.h"
#include "nnapi/memory.h"
#include "vectors.h"

namespace nn::mutation_test {
namespace {

using namespace mutants;

bool takesAll() { return std::getenv("NNAPI_ALL_MUTANTS") != nullptr; }

// Calls a function with every test case with a valid model, of all files or every thirty-second.
template <class Function>
void forEachLegal(Function function) {
    const auto files = vectorFiles();
    std::vector<std::filesystem::path> share;
    for (size_t i = 0; i < files.size(); i += takesAll() ? 1 : 32) share.push_back(files[i]);
    forEachVector(share, [&](const TestCase& testCase) {
        if (validate(testCase.model).ok()) function(testCase);
    });
}

// Counts mutants and keeps the first of those that are not rejected as expected.
struct Tally {
    size_t mutants = 0;
    size_t accepted = 0;
    size_t surprising = 0;
    std::map<std::string, std::string> examples{};

    void add(const Status& status, const std::string& kind, bool isExpectedRule,
             const std::string& where) {
        ++mutants;
        if (!status.ok() && isExpectedRule) return;
        ++(status.ok() ? accepted : surprising);
        examples.emplace((status.ok() ? "accepted: " : "other rule: ") + kind,
                         where + ": " + std::string(status.message()));
    }

    void expectAllRefused(size_t least) const {
        EXPECT_EQ(accepted, 0u);
        EXPECT_EQ(surprising, 0u);
        EXPECT_THAT(examples, testing::IsEmpty());
        EXPECT_GE(mutants, least);
    }
};

TEST(Mutation, OfModelsIsRefusedByTheRuleThatItBreaks) {
    Tally tally;
    forEachLegal([&](const TestCase& testCase) {
        forEachMutant(testCase.model, [&](const Model& mutant, const Mutation& mutation, size_t g,
                                          size_t place, size_t variant) {
            const Result<Version> result = validate(mutant);
            const auto found = diagnostic(result.status());
            tally.add(result.status(), mutation.name, found && isExpected(mutation, g, found->rule),
                      fmt::format("{} graph {} place {} variant {}", testCase.name, g, place,
                                  variant));
        });
    });
    tally.expectAllRefused(takesAll() ? 1000000 : 20000);
    fmt::print("{} mutants of models\n", tally.mutants);
}

// The numberOfConsumers of a HAL model, plus and minus one.
template <HalVersion V>
void countConsumersWrongly(const TestCase& testCase, Tally& tally) {
    auto versioned = convertTo<V>(testCase.model);
    if (!versioned.ok()) return;  // requires a later version
    const auto expectRefused = [&](auto& operands, std::string_view graph) {
        for (size_t i = 0; i < operands.size(); ++i) {
            const uint32_t count = operands[i].numberOfConsumers;
            for (const uint32_t wrong : {count + 1, count - 1}) {
                if (wrong > count + 1) continue;
                operands[i].numberOfConsumers = wrong;
                const Status status = convertFrom<V>(*versioned).status();
                const auto found = diagnostic(status);
                tally.add(status, "number of consumers",
                          found && found->rule == "convert.consumers",
                          fmt::format("{} {} {} operand {}", testCase.name, toString(V), graph, i));
            }
            operands[i].numberOfConsumers = count;
        }
    };
    if constexpr (V == HalVersion::V1_3) {
        expectRefused(versioned->main.operands, "main");
        for (auto& graph : versioned->referenced) expectRefused(graph.operands, "referenced");
    } else {
        expectRefused(versioned->operands, "main");
    }
}

TEST(Mutation, OfNumbersOfConsumersIsRefused) {
    Tally tally;
    forEachLegal([&](const TestCase& testCase) {
        countConsumersWrongly<HalVersion::V1_0>(testCase, tally);
        countConsumersWrongly<HalVersion::V1_1>(testCase, tally);
        countConsumersWrongly<HalVersion::V1_2>(testCase, tally);
        countConsumersWrongly<HalVersion::V1_3>(testCase, tally);
    });
    tally.expectAllRefused(takesAll() ? 100000 : 2000);
    fmt::print("{} mutants of numbers of consumers\n", tally.mutants);
}

// The preferences of a compilation, in every version that has them.
TEST(Mutation, OfPreferenceAndPriorityIsRefused) {
    for (const int32_t code : {-1, 3, 10000}) {
        const auto refused = [code](std::string_view type) {
            return IsInvalid(
                    fmt::format("{} is {}, allowed 0 to 2 [enumeration.value]", type, code));
        };
        EXPECT_THAT(V1_1::utils::validate(static_cast<V1_1::ExecutionPreference>(code)),
                    refused("ExecutionPreference"));
        EXPECT_THAT(V1_2::utils::validate(static_cast<V1_1::ExecutionPreference>(code)),
                    refused("ExecutionPreference"));
        EXPECT_THAT(V1_3::utils::validate(static_cast<V1_1::ExecutionPreference>(code)),
                    refused("ExecutionPreference"));
        EXPECT_THAT(V1_3::utils::validate(static_cast<V1_3::Priority>(code)), refused("Priority"));
        EXPECT_THAT(AIDL1::utils::validate(static_cast<aidl_hal::ExecutionPreference>(code)),
                    refused("ExecutionPreference"));
        EXPECT_THAT(AIDL4::utils::validate(static_cast<aidl_hal::Priority>(code)),
                    refused("Priority"));
    }
}

// A request with all arguments in one pool.
Request requestOf(const TestCase& testCase) {
    Request request;
    uint32_t end = 0;
    const auto add = [&](const Tensor& value, std::vector<Request::Argument>& arguments) {
        if (value.hasNoValue) {
            arguments.push_back({.lifetime = Request::Argument::LifeTime::NO_VALUE});
            return;
        }
        const auto length = static_cast<uint32_t>(value.data.size());
        arguments.push_back(
                {.location = {.offset = end, .length = length}, .dimensions = value.dimensions});
        end += length;
    };
    for (const Tensor& input : testCase.inputs) add(input, request.inputs);
    for (const TestCase::Output& output : testCase.outputs) add(output.value, request.outputs);
    request.pools.emplace_back(*createSharedMemory(std::max(end, 1u)));
    return request;
}

TEST(Mutation, OfRequestsIsRefusedByTheRuleThatItBreaks) {
    Tally tally;
    forEachLegal([&](const TestCase& testCase) {
        const Request legal = requestOf(testCase);
        if (!validateRequestForModel(legal, testCase.model).ok()) return;  // outputs without values
        forEachMutant(legal, [&](const Request& mutant, const char* kind, std::string_view rules) {
            const Status status = validateRequestForModel(mutant, testCase.model).status();
            const auto found = diagnostic(status);
            tally.add(status, kind, found && rules.find(found->rule) != rules.npos, testCase.name);
        });
    });
    tally.expectAllRefused(takesAll() ? 100000 : 2000);
    fmt::print("{} mutants of requests\n", tally.mutants);
}

}  // namespace
}  // namespace nn::mutation_test
