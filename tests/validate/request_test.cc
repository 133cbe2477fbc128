#include <functional>
#include <limits>

#include "nnapi/memory.h"
#include "validate/models.h"

namespace nn::request_test {
namespace {

using enum OperandType;
using ArgumentLife = Request::Argument::LifeTime;

constexpr Version V1_0 = kVersionFeatureLevel1, V1_2 = kVersionFeatureLevel3,
                  V1_3 = kVersionFeatureLevel4;
constexpr uint32_t kMax = std::numeric_limits<uint32_t>::max();

uint64_t theValues[8] = {};

// One input and one output of 24 bytes in a pool of 64, for softmaxModel().
Request legalRequest() {
    static const SharedMemory pool = *createSharedMemory(64);
    return {.inputs = {{.location = {.offset = 0, .length = 24}}},
            .outputs = {{.location = {.offset = 32, .length = 24}}},
            .pools = {pool}};
}

Request::Argument noValue() { return {.lifetime = ArgumentLife::NO_VALUE}; }

Request::Argument mutablePointer() {
    return {.lifetime = ArgumentLife::POINTER,
            .location = {.pointer = static_cast<void*>(theValues), .length = 24}};
}

Request::Argument constPointer() {
    Request::Argument argument = mutablePointer();
    argument.location.pointer = static_cast<const void*>(theValues);
    return argument;
}

struct Changed {
    const char* name;
    std::function<void(Request&)> change;
    Version needed;
};

TEST(ValidateRequest, NeedsTheLeastVersion) {
    const Changed kLegal[] = {
            {"Empty", [](Request& r) { r = {}; }, V1_0},
            {"Pool", [](Request&) {}, V1_0},
            {"Padding", [](Request& r) { r.outputs[0].location.padding = 8; }, V1_0},
            {"NoValue", [](Request& r) { r.inputs[0] = noValue(); }, V1_0},
            {"Pointer",
             [](Request& r) {
                 r.inputs[0] = constPointer();
                 r.outputs[0] = mutablePointer();
                 r.outputs[0].location.padding = 40;
             },
             V1_0},
            {"UnknownMemory",
             [](Request& r) {
                 r.pools.push_back(std::make_shared<const Memory>(Memory{Memory::Unknown{}}));
             },
             V1_2},
            {"Token",
             [](Request& r) {
                 r.pools[0] = MemoryDomainToken(1);
                 r.inputs[0].location = r.outputs[0].location = {};
             },
             V1_3},
    };
    for (const Changed& row : kLegal) {
        Request request = legalRequest();
        row.change(request);
        EXPECT_THAT(validate(request), Needs(row.needed)) << row.name;
    }
}

struct Broken {
    std::function<void(Request&)> change;
    const char* message;
};

TEST(ValidateRequest, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            {[](Request& r) { r.pools[0] = SharedMemory(); },
             "pools[0]: memory is null [memory.null]"},
            {[](Request& r) { r.pools[0] = MemoryDomainToken(0); },
             "pools[0]: token is 0, allowed 1 or more [request.pool]"},
            {[](Request& r) { r.pools[0] = SharedBuffer(); },
             "pools[0]: buffer is null [request.pool]"},
            {[](Request& r) { r.inputs[0].lifetime = static_cast<ArgumentLife>(3); },
             "inputs[0]: lifetime is 3, allowed 0 to 2 [request.lifetime]"},
            // POOL
            {[](Request& r) { r.inputs[0].location.pointer = static_cast<void*>(theValues); },
             "inputs[0]: location.pointer is set, allowed null for POOL [request.location]"},
            {[](Request& r) { r.outputs[0].location.poolIndex = 1; },
             "outputs[0]: location.poolIndex is 1, allowed below 1, the number of pools "
             "[request.location]"},
            {[](Request& r) {
                 r.inputs[0].location.poolIndex = 3;
                 r.pools.clear();
             },
             "inputs[0]: location.poolIndex is 3, but the request has no pools [request.location]"},
            {[](Request& r) { r.outputs[0].location.padding = 9; },
             "outputs[0]: offset 32 + length 24 + padding 9 is allowed up to 64, the size of the "
             "pool [request.location]"},
            {[](Request& r) {
                 r.inputs[0].location = {.offset = kMax, .length = kMax, .padding = kMax};
             },
             "inputs[0]: offset 4294967295 + length 4294967295 + padding 4294967295 is allowed up "
             "to 64, the size of the pool [request.location]"},
            {[](Request& r) { r.inputs[0].location.length = 0; },
             "inputs[0]: location.length is 0, allowed 1 or more [request.location]"},
            {[](Request& r) {
                 r.pools.push_back(MemoryDomainToken(1));
                 r.inputs[0].location = {.poolIndex = 1, .length = 24};
             },
             "inputs[0]: location.length is 24, allowed 0 for a driver's buffer "
             "[request.location]"},
            {[](Request& r) {
                 r.pools.push_back(MemoryDomainToken(1));
                 r.inputs[0].location = {.poolIndex = 1, .offset = 4};
             },
             "inputs[0]: location.offset is 4, allowed 0 for a driver's buffer [request.location]"},
            // NO_VALUE
            {[](Request& r) {
                 r.inputs[0] = noValue();
                 r.inputs[0].location.pointer = static_cast<const void*>(theValues);
             },
             "inputs[0]: location.pointer is set, allowed null for NO_VALUE [request.location]"},
            {[](Request& r) {
                 r.inputs[0] = noValue();
                 r.inputs[0].location.padding = 1;
             },
             "inputs[0]: location.padding is 1, allowed 0 for NO_VALUE [request.location]"},
            {[](Request& r) {
                 r.inputs[0] = noValue();
                 r.inputs[0].dimensions = {2, 3};
             },
             "inputs[0]: dimensions are [2, 3], allowed [] for NO_VALUE [request.dimensions]"},
            // POINTER
            {[](Request& r) {
                 r.inputs[0] = constPointer();
                 r.inputs[0].location.pointer = static_cast<const void*>(nullptr);
             },
             "inputs[0]: location.pointer is null, allowed any other for POINTER "
             "[request.location]"},
            {[](Request& r) {
                 r.inputs[0] = constPointer();
                 r.inputs[0].location.poolIndex = 1;
             },
             "inputs[0]: location.poolIndex is 1, allowed 0 for POINTER [request.location]"},
            {[](Request& r) {
                 r.inputs[0] = constPointer();
                 r.inputs[0].location.length = 0;
             },
             "inputs[0]: location.length is 0, allowed 1 or more [request.location]"},
            {[](Request& r) { r.outputs[0] = constPointer(); },
             "outputs[0]: location.pointer is a const void*, allowed void* for an output "
             "[request.location]"},
    };
    for (const Broken& row : kBroken) {
        Request request = legalRequest();
        row.change(request);
        EXPECT_THAT(validate(request), Refuses(row.message));
        EXPECT_THAT(validateRequestForModel(request, softmaxModel()), Refuses(row.message));
    }
}

struct Pair {
    Model model = softmaxModel();
    Request request = legalRequest();

    Operand& input() { return model.main.operands[0]; }
    Operand& output() { return model.main.operands[3]; }
};

struct ChangedPair {
    const char* name;
    std::function<void(Pair&)> change;
    Version needed;
};

TEST(ValidateRequestForModel, NeedsTheLeastVersion) {
    const ChangedPair kLegal[] = {
            {"Plain", [](Pair&) {}, V1_0},
            {"DimensionsRepeated",
             [](Pair& p) { p.request.inputs[0].dimensions = p.input().dimensions; }, V1_0},
            {"DimensionCompleted",
             [](Pair& p) {
                 p.input().dimensions = {0, 3};
                 p.request.inputs[0].dimensions = {2, 3};
             },
             V1_0},
            {"RankCompleted",
             [](Pair& p) {
                 p.input().dimensions = {};
                 p.request.inputs[0].dimensions = {6};
             },
             V1_0},
            {"Omitted",
             [](Pair& p) {
                 p.input().dimensions = {};
                 p.request.inputs[0] = noValue();
             },
             V1_0},
            {"OutputOfUnknownRank", [](Pair& p) { p.output().dimensions = {}; }, V1_2},
            {"OutputOfUnknownDimension", [](Pair& p) { p.output().dimensions[1] = 0; }, V1_2},
            {"OutputLeftOpen", [](Pair& p) { p.request.outputs[0].dimensions.resize(2); }, V1_2},
            {"OutputOfAnyLength",
             [](Pair& p) {
                 p.output().dimensions = {2, 0};
                 p.request.outputs[0].location.length = 7;
             },
             V1_2},
            {"Token",
             [](Pair& p) {
                 p.request.pools.push_back(MemoryDomainToken(1));
                 p.request.inputs[0].location = {.poolIndex = 1};
             },
             V1_3},
            {"ExtensionOfAnyLength",
             [](Pair& p) {
                 p.model = extensionModel();
                 p.request.inputs[0].location.length = 7;
                 p.request.outputs[0].location.length = 1;
             },
             V1_0},
    };
    for (const ChangedPair& row : kLegal) {
        Pair pair;
        row.change(pair);
        EXPECT_THAT(validateRequestForModel(pair.request, pair.model), Needs(row.needed))
                << row.name;
    }
}

struct BrokenPair {
    std::function<void(Pair&)> change;
    const char* message;
};

TEST(ValidateRequestForModel, SaysWhyItRefuses) {
    const BrokenPair kBroken[] = {
            {[](Pair& p) { p.request.inputs.clear(); },
             "0 inputs given, allowed 1 as in the model [request.arguments]"},
            {[](Pair& p) { p.request.inputs.resize(1000, p.request.inputs[0]); },
             "1000 inputs given, allowed 1 as in the model [request.arguments]"},
            {[](Pair& p) { p.request.outputs.clear(); },
             "0 outputs given, allowed 1 as in the model [request.arguments]"},
            {[](Pair& p) { p.request.inputs[0].lifetime = static_cast<ArgumentLife>(3); },
             "inputs[0]: lifetime is 3, allowed 0 to 2 [request.lifetime]"},
            {[](Pair& p) { p.model.main.inputIndexes[0] = 9; },
             "inputs[0]: operand 9 does not exist, allowed below 4, the number of operands "
             "[graph.inputs]"},
            {[](Pair& p) {
                 p.request.inputs[0].dimensions = {2, 4};
             },
             "inputs[0]: dimensions are [2, 4], allowed [2, 3] as in the model "
             "[request.dimensions]"},
            {[](Pair& p) { p.request.inputs[0].dimensions = {6}; },
             "inputs[0]: dimensions are [6], allowed [2, 3] as in the model [request.dimensions]"},
            {[](Pair& p) {
                 p.input() = operandOf(FLOAT32, {});
                 p.request.inputs[0].dimensions = {1};
             },
             "inputs[0]: dimensions are [1], allowed [] for FLOAT32 [request.dimensions]"},
            {[](Pair& p) {
                 p.input() = operandOf(FLOAT32, {2, 3});
                 p.request.inputs[0].dimensions = {2, 3};
             },
             "inputs[0]: dimensions are [2, 3], allowed [] for FLOAT32 [request.dimensions]"},
            {[](Pair& p) { p.input().dimensions[0] = 0; },
             "inputs[0]: dimensions are [] and in the model [0, 3], allowed only known ones "
             "[request.dimensions]"},
            {[](Pair& p) { p.input().dimensions = {}; },
             "inputs[0]: dimensions are [] and in the model [], allowed only known ones "
             "[request.dimensions]"},
            {[](Pair& p) {
                 p.request.inputs[0].dimensions = {0, 3};
             },
             "inputs[0]: dimensions are [0, 3] and in the model [2, 3], allowed only known ones "
             "[request.dimensions]"},
            {[](Pair& p) { p.request.inputs[0].location.length = 20; },
             "inputs[0]: location.length is 20, allowed 24 for TENSOR_FLOAT32[2, 3] "
             "[request.length]"},
            {[](Pair& p) { p.request.outputs[0].location.length = 25; },
             "outputs[0]: location.length is 25, allowed 24 for TENSOR_FLOAT32[2, 3] "
             "[request.length]"},
            {[](Pair& p) {
                 p.output().dimensions = {0, 0, 0};
                 p.request.outputs[0].dimensions = {kMax, kMax, kMax};
             },
             "outputs[0]: dimensions are [4294967295, 4294967295, 4294967295], the size of such a "
             "TENSOR_FLOAT32 does not fit 64 bits [request.length]"},
    };
    for (const BrokenPair& row : kBroken) {
        Pair pair;
        row.change(pair);
        EXPECT_THAT(validateRequestForModel(pair.request, pair.model), Refuses(row.message));
    }
}

TEST(ValidateRequestForModel, CanDemandKnownOutputs) {
    Pair pair;
    EXPECT_THAT(validateRequestForModel(pair.request, pair.model, false), Needs(V1_0));
    pair.output().dimensions = {2, 0};
    EXPECT_THAT(validateRequestForModel(pair.request, pair.model, false),
                Refuses("outputs[0]: dimensions are [] and in the model [2, 0], allowed only known "
                        "ones [request.dimensions]"));
    pair.request.outputs[0].dimensions = {2, 3};
    EXPECT_THAT(validateRequestForModel(pair.request, pair.model, false), Needs(V1_0));
}

}  // namespace
}  // namespace nn::request_test
