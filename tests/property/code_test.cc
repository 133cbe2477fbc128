// The text that a failing property prints can be pasted into a test: compiled, it creates the
// object.
#include <gtest/gtest.h>

#include <limits>

#include "nnapi/generate/code.h"
#include "nnapi/generate/generate.h"
#include "nnapi/memory.h"

namespace nn::testing {
namespace {

std::string withoutSpace(std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
    return text;
}

// Both the value and the text of its code.
#define NNAPI_EXPECT_PASTES(...) \
    EXPECT_EQ(withoutSpace(code(__VA_ARGS__)), withoutSpace(#__VA_ARGS__))

TEST(Code, OfEveryKindOfFieldCompilesToTheSame) {
    NNAPI_EXPECT_PASTES(nn::OperandType::TENSOR_FLOAT32);
    NNAPI_EXPECT_PASTES(static_cast<nn::OperationType>(131073));
    NNAPI_EXPECT_PASTES(nn::Operation{});
    NNAPI_EXPECT_PASTES(nn::Operand{
            .type = nn::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
            .dimensions = {2, 3},
            .scale = 0.5f,
            .zeroPoint = -3,
            .lifetime = nn::Operand::LifeTime::CONSTANT_COPY,
            .location = {.offset = 4, .length = 4294967295},
            .extraParams = nn::Operand::SymmPerChannelQuantParams{.scales = {1.0f, 1e-05f}}});
    NNAPI_EXPECT_PASTES(nn::BufferRole{.probability = -std::numeric_limits<float>::infinity()});
    NNAPI_EXPECT_PASTES(nn::Timing{.timeOnDevice = nn::Duration(-9223372036854775807 - 1)});
    NNAPI_EXPECT_PASTES(nn::V1_2::Timing{.timeOnDevice = 18446744073709551615u});
    NNAPI_EXPECT_PASTES(nn::Extension{.name = "a\"\\\3771"});
    NNAPI_EXPECT_PASTES(
            nn::Model{.main = {.operations = {{.inputs = {0, 1}}, {}}, .inputIndexes = {0}},
                      .operandValues = nn::Model::OperandValues({1, 2}),
                      .relaxComputationFloat32toFloat16 = true,
                      .extensionNameToPrefix = {{.name = "x", .prefix = 1}}});
    NNAPI_EXPECT_PASTES(nn::Capabilities{
            .operandPerformance = *nn::Capabilities::OperandPerformanceTable::create(
                    {{.type = nn::OperandType::INT32, .info = {.execTime = 2.0f}}})});
    NNAPI_EXPECT_PASTES(aidl::android::hardware::neuralnetworks::DataLocation{.offset = -1});
    EXPECT_EQ(code(aidl_hal::RequestMemoryPool::make<aidl_hal::RequestMemoryPool::Tag::token>(7)),
              "aidl::android::hardware::neuralnetworks::RequestMemoryPool::make<static_cast<aidl::"
              "android::hardware::neuralnetworks::RequestMemoryPool::Tag>(1)>(7)");
    NNAPI_EXPECT_PASTES([] {
        nn::V1_3::Request::MemoryPool held;
        held.token(7);
        return held;
    }());
}

TEST(Code, OfMemoryHasItsBytes) {
    const SharedMemory memory = nn::testing::memoryOf({1, 2});
    EXPECT_EQ(code(memory), "nn::testing::memoryOf({1, 2})");
    EXPECT_EQ(map(memory)->data()[1], 2);
    EXPECT_EQ(code(createSharedMemory(100000).value()), "nn::createSharedMemory(100000).value()");
    EXPECT_EQ(code(SharedMemory()), "nn::SharedMemory()");
    NNAPI_EXPECT_PASTES(
            nn::Request{.pools = {nn::SharedMemory(), static_cast<nn::MemoryDomainToken>(3)}});
    EXPECT_EQ(code(hidl::hidl_memory("mine", {}, 5)), "nn::hidl::hidl_memory(\"mine\", {}, 5)");
}

}  // namespace
}  // namespace nn::testing
