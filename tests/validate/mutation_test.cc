// Every mutation of mutations.h, for a few small models. Those of all test vectors are in
// tests/acceptance/mutation_test.cc.
#include "model_generation/mutations.h"

#include <fmt/format.h>

#include <map>

#include "validate/models.h"

namespace nn::mutation_test {
namespace {

using namespace mutants;

Model quantizedModel() {
    Model model = softmaxModel();
    for (const size_t i : {0, 2, 3}) {
        model.main.operands[i].type = OperandType::TENSOR_QUANT8_ASYMM;
        model.main.operands[i].scale = 1.0f / 256;
    }
    return model;
}

struct Named {
    const char* name;
    Model model;
};

std::vector<Named> models() {
    return {{"softmax", softmaxModel()},
            {"quantized", quantizedModel()},
            {"if", ifModel()},
            {"while", whileModel()}};
}

TEST(Mutation, StartsFromLegalModels) {
    for (const auto& [name, model] : models()) EXPECT_TRUE(validate(model).ok()) << name;
}

TEST(Mutation, IsRefusedByTheRuleThatItBreaks) {
    std::map<std::string, size_t> counts;
    for (const auto& named : models()) {
        forEachMutant(named.model, [&](const Model& mutant, const Mutation& mutation, size_t graph,
                                       size_t place, size_t variant) {
            ++counts[mutation.name];
            const Result<Version> result = validate(mutant);
            const std::string where = fmt::format("{} of {}, graph {}, place {}, variant {}",
                                                  mutation.name, named.name, graph, place, variant);
            ASSERT_FALSE(result.ok()) << where;
            EXPECT_EQ(errorStatus(result.status()), ErrorStatus::INVALID_ARGUMENT) << where;
            const auto found = diagnostic(result.status());
            ASSERT_TRUE(found) << where;
            EXPECT_TRUE(isExpected(mutation, graph, found->rule))
                    << where << ": " << toString(*found);
        });
    }
    EXPECT_EQ(counts.size(), mutations().size()) << "some mutation is possible nowhere";
}

}  // namespace
}  // namespace nn::mutation_test
