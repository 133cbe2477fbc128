#include "nnapi/limits.h"

#include "validate/models.h"

namespace nn {
namespace {

using enum OperandType;

MATCHER_P(Exceeds, message, "exceeds a limit with " + testing::PrintToString(message)) {
    *result_listener << std::string(arg.status().message());
    return errorStatus(arg.status()) == ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT &&
           std::string(arg.status().message()) == message;
}

Model extensionOfName(size_t bytes) {
    Model model = softmaxModel();
    model.extensionNameToPrefix = {{.name = "a." + std::string(bytes - 2, 'b'), .prefix = 1}};
    return model;
}

Model poolOfName(size_t bytes) {
    Model model = softmaxModel();
    model.pools = {std::make_shared<const Memory>(
            Memory{Memory::Unknown{.handle = {}, .size = 1, .name = std::string(bytes, 'x')}})};
    return model;
}

Model inputOfRank(size_t rank) {
    return modelReading(
            operandOf(TENSOR_FLOAT32, std::vector<uint32_t>(rank, 1), LifeTime::SUBGRAPH_INPUT));
}

// The model passes with this limit, and is rejected with one less.
struct Row {
    Limit limit;
    uint64_t allowed;
    Model model;
    const char* message;
};

TEST(ValidateLimits, RefuseOneMore) {
    const Row kRows[] = {
            {&Limits::operands, 13, ifModel(),
             "referenced[1]: has 13 operands, allowed 12 [limits.operands]"},
            {&Limits::operands, 4, softmaxModel(),
             "main: has 4 operands, allowed 3 [limits.operands]"},
            {&Limits::operations, 5, ifModel(),
             "referenced[1]: has 5 operations, allowed 4 [limits.operations]"},
            {&Limits::subgraphs, 2, ifModel(),
             "referenced: has 2 referenced graphs, allowed 1 [limits.subgraphs]"},
            {&Limits::nesting, 2, whileModel(),
             "main: has 2 graphs inside each other, allowed 1 [limits.nesting]"},
            {&Limits::rank, 64, inputOfRank(64),
             "main.operands[0]: has 64 dimensions, allowed 63 [limits.rank]"},
            {&Limits::nameBytes, 100, extensionOfName(100),
             "extensionNameToPrefix[0]: has 100 bytes, allowed 99 [limits.name_bytes]"},
            {&Limits::nameBytes, 20, poolOfName(20),
             "pools[0]: has 20 bytes, allowed 19 [limits.name_bytes]"},
            {&Limits::constantBytes, 4, softmaxModel(),
             "operandValues: has 4 bytes, allowed 3 [limits.constant_bytes]"},
    };
    for (const Row& row : kRows) {
        Limits limits;
        limits.*row.limit = row.allowed;
        EXPECT_TRUE(validate(row.model, limits).ok()) << row.message;
        limits.*row.limit = row.allowed - 1;
        EXPECT_THAT(validate(row.model, limits), Exceeds(row.message));
        const Findings findings = validateAll(row.model, {.limits = limits});
        EXPECT_THAT(textsOf(findings.errors), testing::ElementsAre(row.message));
    }
}

// An object that is too large is not checked further.
TEST(ValidateLimits, OfSizesComeFirstAndAlone) {
    const struct {
        Limits limits;
        const char* message;
    } kRows[] = {
            {{.operands = 4}, "main: has 5 operands, allowed 4 [limits.operands]"},
            {{.operands = 5}, "referenced[0]: has 9 operands, allowed 5 [limits.operands]"},
            {{.operations = 0}, "main: has 1 operation, allowed 0 [limits.operations]"},
            {{.operations = 1}, "referenced[0]: has 3 operations, allowed 1 [limits.operations]"},
            {{.subgraphs = 0}, "referenced: has 2 referenced graphs, allowed 0 [limits.subgraphs]"},
            {{.subgraphs = 0, .constantBytes = 0},
             "operandValues: has 4 bytes, allowed 0 [limits.constant_bytes]"},
    };
    Model model = ifModel();
    for (Operand& operand : model.main.operands) operand.zeroPoint = 1;
    for (const auto& row : kRows) {
        EXPECT_THAT(textsOf(validateAll(model, {.limits = row.limits}).errors),
                    testing::ElementsAre(row.message));
    }
}

// Graphs that both branches share count once, and the deepest path counts.
TEST(ValidateLimits, OfNestingFollowTheDeepestWay) {
    Model model = ifModel();
    const Model::Subgraph& leaf = model.referenced[0];
    model.referenced = {leaf, leaf, leaf, leaf};
    const auto refer = [&](size_t from, uint32_t to) {
        model.referenced[from].operands.push_back(subgraphOperand(to));
    };
    refer(0, 3);
    refer(1, 3);
    refer(1, 2);
    refer(2, 3);  // main, 1, 2, 3
    EXPECT_TRUE(validate(model, {.nesting = 4}).ok());
    EXPECT_THAT(validate(model, {.nesting = 3}),
                Exceeds("main: has 4 graphs inside each other, allowed 3 [limits.nesting]"));
    refer(3, 1);  // with a cycle there is no deepest path; the cycle is reported
    EXPECT_THAT(textsOf(validateAll(model, {.limits = {.nesting = 1}}).errors),
                testing::ElementsAre("referenced[1].operands[4]: refers to referenced[3], which "
                                     "leads back here, allowed no cycles [model.cycle]",
                                     "referenced[2].operands[4]: refers to referenced[3], which "
                                     "leads back here, allowed no cycles [model.cycle]"));
}

TEST(ValidateLimits, OfObjectsThatAreNoModels) {
    EXPECT_THAT(validate(BufferDesc{.dimensions = std::vector<uint32_t>(65, 1)}),
                Exceeds("has 65 dimensions, allowed 64 [limits.rank]"));
    const Request::Argument argument{.lifetime = Request::Argument::LifeTime::NO_VALUE,
                                     .dimensions = std::vector<uint32_t>(65, 1)};
    EXPECT_THAT(validate(Request{.inputs = {argument}}),
                Exceeds("inputs[0]: has 65 dimensions, allowed 64 [limits.rank]"));
    EXPECT_THAT(validate(Extension{.name = std::string(10 << 20, 'A')}),
                Exceeds("has 10485760 bytes, allowed 4096 [limits.name_bytes]"));
}

}  // namespace
}  // namespace nn
