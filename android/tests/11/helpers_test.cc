// Tests of the helper functions of Android 11.
#include <gtest/gtest.h>

#include <array>
#include <cfloat>
#include <cstring>
#include <vector>

#include "BufferTracker.h"
#include "GraphDump.h"
#include "MemoryUtils.h"
#include "OperationsUtils.h"
#include "TokenHasher.h"
#include "Utils.h"

namespace {

using namespace android::nn;
using namespace android::nn::hal;
using android::sp;

// ---------------------------------------------------------------------------------------------
// Paddings and shapes

struct PaddingRow {
    int32_t size, stride, dilation, filter, scheme;
    bool isTransposed;
    int32_t head, tail;
};

TEST(OperationsUtils, Paddings) {
    constexpr PaddingRow kRows[] = {
            {5, 1, 1, 3, kPaddingSame, false, 1, 1},  {10, 2, 1, 3, kPaddingSame, false, 0, 1},
            {7, 1, 2, 3, kPaddingSame, false, 2, 2},  {4, 4, 1, 1, kPaddingSame, false, 0, 0},
            {7, 1, 1, 3, kPaddingValid, false, 0, 0}, {7, 0, 1, 3, kPaddingSame, false, 0, 0},
            {-7, 1, 1, 3, kPaddingSame, false, 0, 0}, {5, 2, 1, 3, kPaddingSame, true, 1, 1},
            {6, 3, 1, 1, kPaddingSame, true, 0, -2},
    };
    for (const PaddingRow& row : kRows) {
        int32_t head = -1, tail = -1;
        calculateExplicitPaddingImpl(row.size, row.stride, row.dilation, row.filter, row.scheme,
                                     row.isTransposed, &head, &tail);
        EXPECT_EQ(std::pair(head, tail), std::pair(row.head, row.tail))
                << row.size << " " << row.stride << " " << row.filter << " " << row.scheme;
    }
    EXPECT_EQ(getPaddingScheme(5, 10, 1, 2, 3, 3, 1, 1, 0, 1), kPaddingSame);
    EXPECT_EQ(getPaddingScheme(5, 10, 1, 2, 3, 3, 0, 0, 0, 0), kPaddingValid);
    EXPECT_EQ(getPaddingScheme(5, 10, 1, 2, 3, 3, 2, 1, 0, 1), kPaddingUnknown);
    EXPECT_EQ(getPaddingScheme(5, 10, 1, 2, 3, 3, 1, 1, 1, 1), kPaddingUnknown);
    EXPECT_EQ(getPaddingScheme(5, 10, 1, 2, 3, 3, 0, 0, 0, 1), kPaddingUnknown);
    int32_t head = -1, tail = -1;
    calculateExplicitPadding(7, 1, 2, 3, kPaddingSame, &head, &tail);
    EXPECT_EQ(std::pair(head, tail), std::pair(2, 2));
    calculateExplicitPadding(10, 2, 3, kPaddingSame, &head, &tail);
    EXPECT_EQ(std::pair(head, tail), std::pair(0, 1));
    calculateExplicitPaddingTransposeConv(6, 3, 1, kPaddingSame, &head, &tail);
    EXPECT_EQ(std::pair(head, tail), std::pair(0, -2));
    EXPECT_EQ(computeOutSize(7, 3, 2, 0, 0), 3);
    EXPECT_EQ(computeOutSize(7, 3, 1, 2, 2, 2), 7);
    EXPECT_EQ(computeOutSizeTransposeConv(5, 3, 2, 1, 1), 9);
}

TEST(OperationsUtils, Indexes) {
    const struct {
        int32_t index;
        bool isForwards;
        int32_t clamped;
    } kRows[] = {{-1, true, 4},  {-9, true, 0},   {3, true, 3},  {9, true, 5},
                 {-1, false, 4}, {-9, false, -1}, {3, false, 3}, {9, false, 4}};
    for (const auto& row : kRows) {
        EXPECT_EQ(ClampedIndex(row.index, 5, row.isForwards), row.clamped)
                << row.index << " " << row.isForwards;
    }
    EXPECT_EQ(ReverseMaskBits(0b0011, 4), 0b1100);
    EXPECT_EQ(PositiveRemainder(-1, 5), 4);
    EXPECT_EQ(PositiveRemainder(7, 5), 2);
}

struct ReshapeRow {
    std::vector<uint32_t> input;
    std::vector<int32_t> target;
    std::vector<uint32_t> result;  // empty if rejected
};

TEST(OperationsUtils, Reshape) {
    const ReshapeRow rows[] = {
            {{2, 6}, {3, 4}, {3, 4}},   {{2, 6}, {-1, 4}, {3, 4}}, {{2, 6}, {12}, {12}},
            {{2, 6}, {-1, -1, 12}, {}}, {{2, 6}, {5, -1}, {}},     {{2, 6}, {3, 5}, {}},
            {{2, 6}, {0, 12}, {}},      {{2, 6}, {-2, -6}, {}},
    };
    for (const ReshapeRow& row : rows) {
        const Shape input{.type = OperandType::TENSOR_FLOAT32, .dimensions = row.input};
        Shape output;
        const bool isReshaped = reshapePrepare(input, row.target.data(),
                                               static_cast<int32_t>(row.target.size()), &output);
        EXPECT_EQ(isReshaped, !row.result.empty());
        EXPECT_EQ(output.dimensions, row.result);
    }
}

TEST(OperationsUtils, Shapes) {
    const Shape image{.type = OperandType::TENSOR_FLOAT32, .dimensions = {1, 4, 6, 8}};
    Shape out;
    ASSERT_TRUE(depthToSpacePrepare(image, 2, &out));
    EXPECT_EQ(out.dimensions, (std::vector<uint32_t>{1, 8, 12, 2}));
    ASSERT_TRUE(spaceToDepthPrepare(image, 2, &out));
    EXPECT_EQ(out.dimensions, (std::vector<uint32_t>{1, 2, 3, 32}));
    EXPECT_FALSE(spaceToDepthPrepare(image, 4, &out));
    EXPECT_FALSE(depthToSpacePrepare(image, 0, &out));
    const int32_t axes[] = {-1, 1};
    const Shape ofAxes{.type = OperandType::TENSOR_INT32, .dimensions = {2}};
    ASSERT_TRUE(meanPrepare(image, axes, ofAxes, false, &out));
    EXPECT_EQ(out.dimensions, (std::vector<uint32_t>{1, 6}));
    ASSERT_TRUE(meanPrepare(image, axes, ofAxes, true, &out));
    EXPECT_EQ(out.dimensions, (std::vector<uint32_t>{1, 1, 6, 1}));
    const Shape row{.type = OperandType::TENSOR_FLOAT32, .dimensions = {6, 1}};
    ASSERT_TRUE(calculateBroadcastedShape(image, row, &out));
    EXPECT_EQ(out.dimensions, image.dimensions);
    EXPECT_FALSE(calculateBroadcastedShape(
            image, {.type = OperandType::TENSOR_FLOAT32, .dimensions = {3}}, &out));
    int32_t axis = -5;
    EXPECT_FALSE(handleNegativeAxis(image, &axis));
    axis = 4;
    EXPECT_FALSE(handleNegativeAxis(image, &axis));
    axis = -1;
    ASSERT_TRUE(handleNegativeAxis(image, &axis));
    EXPECT_EQ(axis, 3);
    ASSERT_TRUE(argMinMaxPrepare(image, -1, &out));
    EXPECT_EQ(out.dimensions, (std::vector<uint32_t>{1, 4, 6}));
    EXPECT_EQ(out.type, OperandType::TENSOR_INT32);
    EXPECT_FALSE(argMinMaxPrepare(image, 4, &out));
    EXPECT_FALSE(SetShape(image, &out)) << "it has another type";
    EXPECT_FALSE(SameShape(image, out));
    EXPECT_TRUE(SameShape(image, image));
    out.type = image.type;
    ASSERT_TRUE(floorPrepare(image, &out));
    EXPECT_TRUE(SameShape(image, out));
    std::vector<Shape> parts(4);
    ASSERT_TRUE(splitPrepare(image, -1, 4, &parts));
    EXPECT_EQ(parts[3].dimensions, (std::vector<uint32_t>{1, 4, 6, 2}));
    EXPECT_FALSE(splitPrepare(image, 2, 4, &parts));
    EXPECT_FALSE(splitPrepare(image, 2, 0, &parts));
    EXPECT_FALSE(splitPrepare(image, 4, 4, &parts));
    EXPECT_EQ(getSizeOfDimension(image, 2), 6u);
    EXPECT_EQ(getSizeOfDimension(image, 4), 0u);
    EXPECT_TRUE(hasKnownRank(image));
    EXPECT_FALSE(hasKnownRank(Shape()));
    EXPECT_EQ(getNumberOfElements({.dimensions = {UINT32_MAX, UINT32_MAX, UINT32_MAX}}),
              UINT32_MAX);
    EXPECT_EQ(getNumberOfElements(image, 1, 3), 24u);
}

TEST(OperationsUtils, QuantizedValues) {
    int32_t multiplier = 0, shift = 0;
    ASSERT_TRUE(QuantizeMultiplier(0.75, &multiplier, &shift));
    EXPECT_EQ(std::ldexp(multiplier, shift - 31), 0.75);
    ASSERT_TRUE(QuantizeMultiplierSmallerThanOne(0.1875, &multiplier, &shift));
    EXPECT_EQ(std::ldexp(multiplier, -shift - 31), 0.1875);
    EXPECT_FALSE(QuantizeMultiplierSmallerThanOne(1.5, &multiplier, &shift));
    EXPECT_FALSE(QuantizeMultiplierSmallerThanOne(0, &multiplier, &shift));
    EXPECT_FALSE(QuantizeMultiplierGreaterThanOne(0.5, &multiplier, &shift));
    ASSERT_TRUE(QuantizeMultiplierGreaterThanOne(2.5, &multiplier, &shift));
    EXPECT_EQ(std::ldexp(multiplier, shift - 31), 2.5);
    double factor = 0;
    ASSERT_TRUE(GetQuantizedConvolutionMultipler({.scale = 0.5f}, {.scale = 0.25f},
                                                 {.scale = 0.125f}, {.scale = 0.0625f}, &factor));
    EXPECT_EQ(factor, 2);
    EXPECT_FALSE(GetQuantizedConvolutionMultipler({.scale = 0.5f}, {.scale = 0.25f},
                                                  {.scale = 0.25f}, {.scale = 0.0625f}, &factor));
    const Shape quantized{.type = OperandType::TENSOR_QUANT8_ASYMM, .scale = 0.5f, .offset = 100};
    int32_t least = 0, most = 0;
    CalculateActivationRangeUint8(ANEURALNETWORKS_FUSED_RELU6, quantized, &least, &most);
    EXPECT_EQ(std::pair(least, most), std::pair(100, 112));
    CalculateActivationRangeUint8(ANEURALNETWORKS_FUSED_NONE, quantized, &least, &most);
    EXPECT_EQ(std::pair(least, most), std::pair(0, 255));
    CalculateActivationRangeInt8(ANEURALNETWORKS_FUSED_RELU1, {.scale = 0.5f, .offset = -28},
                                 &least, &most);
    EXPECT_EQ(std::pair(least, most), std::pair(-30, -26));
    float from = -1, to = -1;
    CalculateActivationRangeFloat(ANEURALNETWORKS_FUSED_RELU6, &from, &to);
    EXPECT_EQ(std::pair(from, to), std::pair(0.0f, 6.0f));
    EXPECT_EQ(saturateCast<uint8_t>(300), 255);
    EXPECT_EQ(saturateCast<int8_t>(-300), -128);
    EXPECT_EQ(requantize<uint8_t>(104, quantized, {.scale = 0.25f, .offset = 3}), 11);
}

// ---------------------------------------------------------------------------------------------
// Sizes, codes, deadlines

struct SizeRow {
    OperandType type;
    std::vector<uint32_t> dimensions;
    uint32_t size;
    bool overflows;
};

TEST(Utils, Sizes) {
    const SizeRow rows[] = {
            {OperandType::TENSOR_FLOAT32, {2, 3}, 24, false},
            {OperandType::TENSOR_QUANT8_ASYMM, {5}, 5, false},
            {OperandType::INT32, {}, 4, false},
            {OperandType::TENSOR_FLOAT32, {}, 0, false},
            {OperandType::TENSOR_FLOAT32, {2, 0}, 0, false},
            {OperandType::TENSOR_FLOAT32, {1u << 30}, 0, true},
            {OperandType::TENSOR_FLOAT32, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, 0, true},
            {static_cast<OperandType>(1 << 16), {2}, 0, false},
    };
    for (const SizeRow& row : rows) {
        EXPECT_EQ(nonExtensionOperandSizeOfData(row.type, row.dimensions), row.size);
        EXPECT_EQ(nonExtensionOperandSizeOfDataOverflowsUInt32(row.type, row.dimensions),
                  row.overflows);
    }
    Operand operand{.type = OperandType::TENSOR_FLOAT32};
    V1_2::Operand older{.type = V1_2::OperandType::TENSOR_FLOAT32};
    V1_0::Operand oldest{.type = V1_0::OperandType::TENSOR_FLOAT32};
    operand.dimensions = older.dimensions = oldest.dimensions = {2, 3};
    EXPECT_EQ(nonExtensionOperandSizeOfData(operand), 24u);
    EXPECT_EQ(nonExtensionOperandSizeOfData(older), 24u);
    EXPECT_EQ(nonExtensionOperandSizeOfData(oldest), 24u);
    EXPECT_FALSE(tensorHasUnspecifiedDimensions(operand));
    operand.dimensions = {2, 0};
    EXPECT_TRUE(tensorHasUnspecifiedDimensions(operand));
    const uint32_t dimensions[] = {2, 0};
    const ANeuralNetworksOperandType type{ANEURALNETWORKS_TENSOR_FLOAT32, 2, dimensions, 0, 0};
    EXPECT_TRUE(tensorHasUnspecifiedDimensions(&type));
    EXPECT_TRUE(nonExtensionOperandTypeIsScalar(ANEURALNETWORKS_FLOAT32));
    EXPECT_FALSE(nonExtensionOperandTypeIsScalar(ANEURALNETWORKS_TENSOR_FLOAT32));
    EXPECT_EQ(sizeOfTensorData(3, {2, 2}), 12u);
    EXPECT_TRUE(sizeOfTensorDataOverflowsUInt32(8, {1u << 29}));
    EXPECT_EQ(alignBytesNeeded(5, 1), 0u);
    EXPECT_EQ(alignBytesNeeded(5, 2), 1u);
    EXPECT_EQ(alignBytesNeeded(5, 16), 3u);
}

TEST(Utils, Codes) {
    constexpr std::pair<ErrorStatus, int> kRows[] = {
            {ErrorStatus::NONE, ANEURALNETWORKS_NO_ERROR},
            {ErrorStatus::INVALID_ARGUMENT, ANEURALNETWORKS_BAD_DATA},
            {ErrorStatus::GENERAL_FAILURE, ANEURALNETWORKS_OP_FAILED},
            {ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE},
            {ErrorStatus::MISSED_DEADLINE_PERSISTENT, ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT},
    };
    for (const auto& [status, code] : kRows) {
        EXPECT_EQ(convertErrorStatusToResultCode(status), code);
        EXPECT_EQ(convertResultCodeToErrorStatus(code), status);
    }
    EXPECT_EQ(convertResultCodeToErrorStatus(ANEURALNETWORKS_UNEXPECTED_NULL),
              ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(convertResultCodeToErrorStatus(-5), ErrorStatus::GENERAL_FAILURE);
    EXPECT_EQ(convertToHalPriority(ANEURALNETWORKS_PRIORITY_LOW), Priority::LOW);
    EXPECT_EQ(convertToHalPriority(ANEURALNETWORKS_PRIORITY_MEDIUM), Priority::MEDIUM);
    EXPECT_EQ(convertToHalPriority(ANEURALNETWORKS_PRIORITY_HIGH), Priority::HIGH);
    EXPECT_EQ(convertToHalPriority(9), Priority::MEDIUM);
    const struct {
        uint32_t code;
        bool isValid;
    } kCodes[] = {{9, true}, {10, false}, {9999, false}, {10000, true}, {10002, false}};
    for (const auto& row : kCodes) EXPECT_EQ(validCode(10, 2, row.code), row.isValid) << row.code;
    EXPECT_TRUE(isExtensionOperationType(static_cast<OperationType>(1 << 16)));
    EXPECT_FALSE(isExtensionOperationType(OperationType::ADD));
    EXPECT_EQ(getSizeFromInts(-1, 1), 0x1FFFFFFFFu);
    EXPECT_EQ(convertToV1_0(ErrorStatus::MISSED_DEADLINE_TRANSIENT),
              V1_0::ErrorStatus::GENERAL_FAILURE);
}

TEST(Utils, Texts) {
    EXPECT_EQ(getOperationName(OperationType::RELU), "RELU");
    EXPECT_EQ(getOperandTypeName(OperandType::INT32), "INT32");
    EXPECT_EQ(android::nn::toString(HalVersion::UNKNOWN), "UNKNOWN HAL version");
    EXPECT_EQ(android::nn::toString(HalVersion::V1_2), "HAL version 1.2");
    EXPECT_EQ(android::nn::toString(std::vector<uint32_t>{1, 2}), "[1, 2]");
    EXPECT_EQ(android::nn::toString(std::pair(1u, 2u)), "(1, 2)");
}

TEST(Utils, Deadlines) {
    EXPECT_EQ(makeDeadline(std::optional<uint64_t>()), std::nullopt);
    EXPECT_EQ(makeDeadline(std::optional<uint64_t>(UINT64_MAX)), Deadline::max());
    EXPECT_EQ(makeTimePoint(std::nullopt), OptionalTimePoint());
    EXPECT_EQ(makeTimePoint(Deadline(std::chrono::nanoseconds(-5))).nanosecondsSinceEpoch(), 0u);
    EXPECT_FALSE(hasDeadlinePassed(std::nullopt));
    EXPECT_EQ(makeDeadline(UINT64_MAX), Deadline::max());
    EXPECT_TRUE(hasDeadlinePassed(Deadline()));
    OptionalTimePoint timePoint;
    EXPECT_FALSE(makeDeadline(timePoint).has_value());
    timePoint.nanosecondsSinceEpoch(UINT64_MAX);
    EXPECT_EQ(makeDeadline(timePoint), Deadline::max());
    timePoint.nanosecondsSinceEpoch(12345);
    EXPECT_EQ(makeTimePoint(makeDeadline(timePoint)), timePoint);
}

TEST(Utils, Performance) {
    auto table = nonExtensionOperandPerformance<HalVersion::V1_3>({.execTime = 1.0f});
    update(&table, OperandType::TENSOR_FLOAT32, {.execTime = 0.5f, .powerUsage = 0.25f});
    EXPECT_EQ(lookup(table, OperandType::TENSOR_FLOAT32).powerUsage, 0.25f);
    EXPECT_EQ(lookup(table, OperandType::TENSOR_INT32).execTime, 1.0f);
    update(&table, OperandType::SUBGRAPH, {.execTime = 0.5f, .powerUsage = 0.25f});
    EXPECT_EQ(lookup(table, OperandType::SUBGRAPH).execTime, FLT_MAX);
    auto older = nonExtensionOperandPerformance({.execTime = 1.0f});
    update(&older, V1_2::OperandType::TENSOR_FLOAT32, {.execTime = 0.5f, .powerUsage = 0.25f});
    EXPECT_EQ(lookup(older, V1_2::OperandType::TENSOR_FLOAT32).execTime, 0.5f);
    update(&older, static_cast<V1_2::OperandType>(99), {.execTime = 0.5f, .powerUsage = 0.25f});
    EXPECT_EQ(lookup(older, static_cast<V1_2::OperandType>(99)).execTime, FLT_MAX);
    EXPECT_EQ(nonExtensionOperandPerformance({}).size() + 1, table.size());
}

// ---------------------------------------------------------------------------------------------
// Conversions between versions

Model reluModel() {
    Model model;
    model.main.operands = {{.type = OperandType::TENSOR_FLOAT32,
                            .dimensions = {2},
                            .numberOfConsumers = 1,
                            .lifetime = OperandLifeTime::SUBGRAPH_INPUT},
                           {.type = OperandType::TENSOR_FLOAT32,
                            .dimensions = {2},
                            .lifetime = OperandLifeTime::SUBGRAPH_OUTPUT}};
    model.main.operations = {{.type = OperationType::RELU, .inputs = {0}, .outputs = {1}}};
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {1};
    return model;
}

TEST(Utils, ModelsKeepTheirFields) {
    Model model = reluModel();
    model.operandValues = {1, 2, 3};
    model.relaxComputationFloat32toFloat16 = true;
    EXPECT_EQ(convertToV1_3(convertToV1_1(model)), model);
    EXPECT_EQ(convertToV1_3(convertToV1_2(model)), model);
    // Invalid fields are kept unchanged.
    model.main.operands[0].numberOfConsumers = 77;
    model.main.operations[0].outputs = {900};
    EXPECT_EQ(convertToV1_3(convertToV1_2(model)), model);
    EXPECT_FALSE(validateModel(model));
    model.relaxComputationFloat32toFloat16 = false;
    EXPECT_EQ(convertToV1_3(convertToV1_0(model)), model);
}

TEST(Utils, RequestsKeepTheirPools) {
    V1_0::Request request;
    request.inputs = {{.location = {.poolIndex = 0, .offset = 4, .length = 8}, .dimensions = {2}}};
    request.pools = {allocateSharedMemory(16)};
    ASSERT_EQ(request.pools[0].size(), 16u);
    EXPECT_EQ(convertToV1_0(convertToV1_3(request)), request);
    EXPECT_TRUE(validatePool(convertToV1_3(request).pools[0]));
}

TEST(Utils, Compliance) {
    Model model = reluModel();
    std::set<uint32_t> operations;
    EXPECT_TRUE(compliantWithV1_0(model, &operations));
    EXPECT_TRUE(operations.empty());
    model.main.operations[0].type = OperationType::HARD_SWISH;
    EXPECT_FALSE(compliantWithV1_2(model, &operations));
    EXPECT_EQ(operations, std::set<uint32_t>{0});
}

TEST(Utils, Validation) {
    const Model model = reluModel();
    EXPECT_TRUE(validateModel(model));
    Request request;
    request.pools.resize(1);
    request.pools[0].hidlMemory(allocateSharedMemory(16));
    request.inputs = {{.location = {.poolIndex = 0, .offset = 0, .length = 8}}};
    request.outputs = {{.location = {.poolIndex = 0, .offset = 8, .length = 8}}};
    EXPECT_TRUE(validateRequest(request, model));
    request.outputs[0].location.length = 4;
    EXPECT_FALSE(validateRequest(request, model));
    request.outputs = {};
    EXPECT_FALSE(validateRequest(request, model));
    EXPECT_FALSE(validatePriority(static_cast<Priority>(9)));
    EXPECT_FALSE(validateExecutionPreference(static_cast<ExecutionPreference>(9)));
    EXPECT_FALSE(validOperationType(static_cast<V1_0::OperationType>(94)));
}

// Partial models, as an application may send.
TEST(Utils, PartsOfModels) {
    const uint32_t dimensions[] = {2, 0};
    const struct {
        int32_t type;
        uint32_t dimensionCount;
        const uint32_t* dimensions;
        bool allowPartial;
        int code;
    } kTypes[] = {
            {ANEURALNETWORKS_TENSOR_FLOAT32, 1, dimensions, false, ANEURALNETWORKS_NO_ERROR},
            {ANEURALNETWORKS_TENSOR_FLOAT32, 2, dimensions, true, ANEURALNETWORKS_NO_ERROR},
            {ANEURALNETWORKS_TENSOR_FLOAT32, 2, dimensions, false, ANEURALNETWORKS_BAD_DATA},
            {4711, 0, nullptr, true, ANEURALNETWORKS_BAD_DATA},
            {ANEURALNETWORKS_TENSOR_FLOAT32, 1, nullptr, true, ANEURALNETWORKS_UNEXPECTED_NULL},
    };
    for (const auto& row : kTypes) {
        const ANeuralNetworksOperandType type{row.type, row.dimensionCount, row.dimensions, 0, 0};
        EXPECT_EQ(validateOperandType(type, nullptr, "test", row.allowPartial), row.code)
                << row.type << " of " << row.dimensionCount << " dimensions";
    }
    const Extension::OperandTypeInformation ofExtension{
            .type = 1, .isTensor = false, .byteSize = 4};
    EXPECT_EQ(validateOperandType({0x10001, 0, nullptr, 0, 0}, &ofExtension, "test", false),
              ANEURALNETWORKS_NO_ERROR);

    const uint32_t list[] = {0, 3};
    EXPECT_EQ(validateOperandList(2, list, 4, "test"), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(validateOperandList(2, list, 3, "test"), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(validateOperandList(2, nullptr, 3, "test"), ANEURALNETWORKS_UNEXPECTED_NULL);
    EXPECT_EQ(validateOperandList(0, nullptr, 3, "test"), ANEURALNETWORKS_NO_ERROR);

    Operand operand{.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL};
    operand.dimensions = {2, 3};
    const float scales[] = {1, 2, 3};
    EXPECT_TRUE(validateOperandSymmPerChannelQuantParams(operand, {1, 3, scales}, "test"));
    EXPECT_FALSE(validateOperandSymmPerChannelQuantParams(operand, {0, 3, scales}, "test"));
    EXPECT_FALSE(validateOperandSymmPerChannelQuantParams(operand, {1, 3, nullptr}, "test"));
}

TEST(OperationsUtils, ShapesThatCannotBe) {
    const Shape image{.type = OperandType::TENSOR_FLOAT32, .dimensions = {1, 4, 6, 8}};
    const Shape row{.type = OperandType::TENSOR_FLOAT32, .dimensions = {6}};
    const Shape huge{.type = OperandType::TENSOR_FLOAT32, .dimensions = {1, 1u << 31, 2, 1u << 31}};
    Shape out;
    EXPECT_FALSE(depthToSpacePrepare(row, 2, &out));
    EXPECT_FALSE(spaceToDepthPrepare(row, 2, &out));
    EXPECT_FALSE(depthToSpacePrepare(image, 1 << 20, &out));
    EXPECT_FALSE(depthToSpacePrepare(image, 3, &out));
    EXPECT_FALSE(spaceToDepthPrepare(image, -1, &out));
    EXPECT_FALSE(spaceToDepthPrepare(image, 1 << 20, &out));
    EXPECT_FALSE(spaceToDepthPrepare(huge, 2, &out));
    const int32_t whole[] = {-1};
    ASSERT_FALSE(reshapePrepare(huge, whole, 1, &out));

    const int32_t paddings[] = {0, 0, 1, 2, 0, 3, 0, 0};
    const Shape ofPaddings{.type = OperandType::TENSOR_INT32, .dimensions = {4, 2}};
    ASSERT_TRUE(padPrepare(image, paddings, ofPaddings, &out));
    EXPECT_EQ(out.dimensions, (std::vector<uint32_t>{1, 7, 9, 8}));
    EXPECT_FALSE(padPrepare(row, paddings, ofPaddings, &out));
    const int32_t negative[] = {-1, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_FALSE(padPrepare(image, negative, ofPaddings, &out));

    const Shape ofAxis{.type = OperandType::TENSOR_INT32, .dimensions = {1}};
    const int32_t before[] = {-2}, behind[] = {1}, only[] = {0};
    EXPECT_FALSE(meanPrepare(row, before, ofAxis, false, &out));
    EXPECT_FALSE(meanPrepare(row, behind, ofAxis, false, &out));
    ASSERT_TRUE(meanPrepare(row, only, ofAxis, false, &out));
    EXPECT_EQ(out.dimensions, (std::vector<uint32_t>{1}));
}

// ---------------------------------------------------------------------------------------------
// Device memory

// Only its address counts.
const IPreparedModel* someModel() {
    static const int object = 0;
    return reinterpret_cast<const IPreparedModel*>(&object);
}

Request requestWith(uint32_t inputs, uint32_t outputs) {
    Request request;
    request.pools.resize(1);
    request.pools[0].token(1);
    request.inputs.resize(inputs);
    request.outputs.resize(outputs);
    return request;
}

TEST(BufferTracker, Requests) {
    const auto buffer = ManagedBuffer::create(
            8, {{someModel(), IOType::INPUT, 0}, {someModel(), IOType::OUTPUT, 0}},
            {.type = OperandType::TENSOR_FLOAT32, .dimensions = {2}});
    ASSERT_NE(buffer, nullptr);
    const auto validate = [&](uint32_t inputs, uint32_t outputs, const IPreparedModel* model) {
        return buffer->validateRequest(0, requestWith(inputs, outputs), model);
    };
    EXPECT_EQ(validate(1, 0, someModel()), ErrorStatus::GENERAL_FAILURE);
    EXPECT_EQ(validate(0, 1, someModel()), ErrorStatus::NONE);
    EXPECT_EQ(validate(0, 1, nullptr), ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(validate(0, 2, someModel()), ErrorStatus::INVALID_ARGUMENT);
    buffer->setInitialized(true);
    EXPECT_EQ(validate(1, 0, someModel()), ErrorStatus::NONE);
    EXPECT_EQ(validate(1, 1, someModel()), ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(buffer->validateRequest(1, requestWith(1, 0), someModel()),
              ErrorStatus::INVALID_ARGUMENT);
    Request other = requestWith(1, 0);
    other.inputs[0].dimensions = {3};
    EXPECT_EQ(buffer->validateRequest(0, other, someModel()), ErrorStatus::INVALID_ARGUMENT);
}

TEST(BufferTracker, Copies) {
    const auto buffer =
            ManagedBuffer::create(8, {}, {.type = OperandType::TENSOR_FLOAT32, .dimensions = {0}});
    const auto from = [&](const std::vector<uint32_t>& dimensions, uint32_t size) {
        return buffer->validateCopyFrom(dimensions, size);
    };
    EXPECT_EQ(from({2}, 8), ErrorStatus::NONE);
    EXPECT_EQ(from({2}, 4), ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(from({}, 8), ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(from({1, 2}, 8), ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(buffer->validateCopyTo(8), ErrorStatus::GENERAL_FAILURE);
    EXPECT_FALSE(buffer->updateDimensions(std::vector<uint32_t>{1, 2}));
    EXPECT_TRUE(buffer->updateDimensions(std::vector<uint32_t>{2}));
    buffer->setInitialized(true);
    EXPECT_EQ(buffer->validateCopyTo(8), ErrorStatus::NONE);
    EXPECT_EQ(buffer->validateCopyTo(4), ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(buffer->createRunTimePoolInfo().getSize(), 8u);
    EXPECT_EQ(ManagedBuffer::create(8, {}, {.type = static_cast<OperandType>(1 << 16)}), nullptr);
}

TEST(BufferTracker, Tokens) {
    const auto tracker = BufferTracker::create();
    const auto make = [] { return ManagedBuffer::create(4, {}, {.type = OperandType::INT32}); };
    const auto first = make();
    auto one = tracker->add(first);
    const auto two = tracker->add(make());
    EXPECT_EQ(one->get(), 1u);
    EXPECT_EQ(two->get(), 2u);
    EXPECT_EQ(tracker->get(1), first);
    EXPECT_EQ(tracker->get(0), nullptr);
    one.reset();
    EXPECT_EQ(tracker->get(1), nullptr);
    EXPECT_EQ(tracker->add(make())->get(), 1u);
    EXPECT_EQ(tracker->add(nullptr), nullptr);
}

// ---------------------------------------------------------------------------------------------
// Tokens of caches, graphs

TEST(TokenHasher, DependsOnAllBytes) {
    const auto hash = [](uint8_t first, const char* text) {
        const std::array<uint8_t, 32> token = {first};
        TokenHasher hasher(token.data());
        EXPECT_TRUE(hasher.updateFromString(text));
        EXPECT_EQ(hasher.getCacheToken(), nullptr);
        EXPECT_TRUE(hasher.finish());
        return std::vector<uint8_t>(hasher.getCacheToken(), hasher.getCacheToken() + 32);
    };
    EXPECT_EQ(hash(1, "npu"), hash(1, "npu"));
    EXPECT_NE(hash(1, "npu"), hash(2, "npu"));
    EXPECT_NE(hash(1, "npu"), hash(1, "npu2"));
    TokenHasher none(nullptr);
    EXPECT_FALSE(none.ok());
    EXPECT_FALSE(none.update("a", 1) || none.finish());
}

TEST(GraphDump, IsGraphviz) {
    std::ostringstream text;
    graphDump("small", reluModel(), &text);
    EXPECT_EQ(text.str().rfind("digraph", 0), 0u);
    EXPECT_NE(text.str().find("RELU"), std::string::npos);
}

}  // namespace
