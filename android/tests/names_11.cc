// Rows of the table of names that only Android 11 and older have, or have with HIDL types; names.h
// describes a row.
#include "android/tests/names.h"

#include "BufferTracker.h"
#include "CpuExecutor.h"
#include "ExecutionBurstController.h"
#include "ExecutionBurstServer.h"
#include "GraphDump.h"
#include "HalInterfaces.h"
#include "MemoryUtils.h"
#include "NeuralNetworks.h"
#include "NeuralNetworksOEM.h"
#include "OperationsUtils.h"
#include "TokenHasher.h"
#include "Tracing.h"
#include "Utils.h"
#include "ValidateHal.h"

namespace android::nn {
namespace {

using namespace hal;

// ---------------------------------------------------------------------------------------------
// HalInterfaces.h

TESTED("HalInterfaces.h",
       "in android::nn::hal the newest type of each name: Model, Operand, Operation, Request, "
       "Capabilities, ErrorStatus, OperandLifeTime and their like",
       "");
NAME("HalInterfaces.h",
     "in android::nn::hal V1_0, V1_1, V1_2, V1_3, and the newest interfaces: IDevice, "
     "IPreparedModel, IPreparedModelCallback, IExecutionCallback, IFencedExecutionCallback, "
     "IBuffer",
     "", {
         sp<IDevice> device;
         sp<V1_2::IDevice> older = device;
         sp<IPreparedModel> preparedModel;
         sp<V1_0::IPreparedModel> oldest = preparedModel;
         sp<IPreparedModelCallback> prepared;
         sp<IExecutionCallback> executed;
         sp<IFencedExecutionCallback> fenced;
         sp<IBuffer> buffer;
     })
NAME("HalInterfaces.h",
     "sp, hidl_vec, hidl_memory, hidl_handle, hidl_string, hidl_array, hidl_death_recipient, "
     "Return, Void, IMemory in android::nn::hal",
     "", {
         hidl_vec<hidl_handle> handles;
         hidl_vec<hidl_memory> pools;
         const hidl_string name = "npu";
         const auto done = []() -> Return<void> { return Void(); };
         static_cast<void>(done().isOk());
         sp<hal::IMemory> memory;
     })
NAME("HalInterfaces.h",
     "CacheToken, ExtensionNameAndPrefix, ExtensionTypeEncoding, OperandExtraParams, "
     "DeviceFactory, "
     "ModelFactory, kDefaultPriority",
     "CacheToken is a type of its own where hidl_array is a std::array", {
         CacheToken token;
         static_cast<void>(token.data());
         OperandExtraParams params;
         params.channelQuant({.scales = {0.5f}, .channelDim = 0});
         ExtensionNameAndPrefix extension{.name = "com.example", .prefix = 1};
         const auto bits = static_cast<uint8_t>(ExtensionTypeEncoding::LOW_BITS_TYPE);
         DeviceFactory factory = [](bool) { return sp<V1_0::IDevice>(); };
         ModelFactory models = [] { return Model(); };
         const Priority priority = kDefaultPriority;
         static_cast<void>(std::tuple(bits, priority, extension.prefix));
     })

// ---------------------------------------------------------------------------------------------
// Utils.h

NAME("Utils.h",
     "convertToV1_0, convertToV1_1, convertToV1_2, convertToV1_3 of models, requests, "
     "capabilities, operands, lists of operands, ErrorStatus, OperandLifeTime",
     "capabilities that do not convert become default ones", {
         const V1_0::Model old;
         const Model model = convertToV1_3(old);
         const V1_1::Model older = convertToV1_1(model);
         const V1_2::Model old2 = convertToV1_2(older);
         const V1_0::Request request = convertToV1_0(Request());
         const Request newest = convertToV1_3(request);
         const V1_0::Operand operand = convertToV1_0(Operand());
         const hidl_vec<Operand> operands = convertToV1_3(hidl_vec<V1_2::Operand>());
         const V1_0::ErrorStatus status = convertToV1_0(ErrorStatus::MISSED_DEADLINE_TRANSIENT);
         const OperandLifeTime lifetime = convertToV1_3(V1_0::OperandLifeTime::MODEL_INPUT);
         static_cast<void>(std::tuple(status, lifetime, convertToV1_0(Capabilities())));
     })
NAME("Utils.h", "uncheckedConvertToV1_0, uncheckedConvertToV1_1, uncheckedConvertToV1_2", "", {
    static_cast<void>(uncheckedConvertToV1_0(OperationType::ADD));
    static_cast<void>(uncheckedConvertToV1_1(OperationType::ADD));
    static_cast<void>(uncheckedConvertToV1_2(OperationType::ADD));
})
NAME("Utils.h",
     "compliantWithV1_0, compliantWithV1_1, compliantWithV1_2, compliantWithV1_3, with the "
     "operations that do not comply",
     "a model that is not legal complies with no version", {
         std::set<uint32_t> operations;
         static_cast<void>(compliantWithV1_0(Model(), &operations));
         static_cast<void>(compliantWithV1_1(V1_2::Model()));
         static_cast<void>(compliantWithV1_2(Request()));
         static_cast<void>(compliantWithV1_3(V1_0::Capabilities()));
     })
NAME("Utils.h",
     "nonExtensionOperandPerformance<HalVersion>, update, lookup, VersionedOperandPerformance",
     "update of a type without an entry does nothing; nonExtensionOperandPerformance without a "
     "version has HAL 1.2, as in Android 10",
     {
         const PerformanceInfo perf{.execTime = 0.5f, .powerUsage = 0.5f};
         auto newest = nonExtensionOperandPerformance<HalVersion::V1_3>(perf);
         update(&newest, OperandType::TENSOR_FLOAT32, perf);
         auto older = nonExtensionOperandPerformance<HalVersion::V1_2>({1.0f, 1.0f});
         update(&older, V1_2::OperandType::TENSOR_FLOAT32, {.execTime = 0.1f, .powerUsage = 0.1f});
         hidl_vec<V1_2::Capabilities::OperandPerformance> android10 =
                 nonExtensionOperandPerformance({1.0f, 1.0f});
         static_cast<void>(lookup(newest, OperandType::FLOAT32).execTime);
     })
NAME("Utils.h", "Deadline, makeDeadline, hasDeadlinePassed, makeTimePoint, makeTimeoutDuration", "",
     {
         const std::optional<Deadline> deadline = makeDeadline(OptionalTimePoint());
         const Deadline soon = makeDeadline(uint64_t{1'000'000});
         static_cast<void>(hasDeadlinePassed(deadline) || hasDeadlinePassed(soon));
         static_cast<void>(makeTimePoint(soon) == OptionalTimePoint());
         static_cast<void>(makeTimeoutDuration(uint64_t{5}).count());
     })
NAME("Utils.h", "syncWait, FenceState",
     "fences are the reading ends of pipes and other descriptors that become readable",
     { static_cast<void>(syncWait(-1, /*timeout=*/0) == FenceState::UNKNOWN); })
NAME("Utils.h",
     "isExtensionOperandType, isExtensionOperationType, nonExtensionOperandSizeOfData, "
     "nonExtensionOperandSizeOfDataOverflowsUInt32, nonExtensionOperandTypeIsScalar, "
     "sizeOfTensorData, sizeOfTensorDataOverflowsUInt32",
     "0 for a size that overflows or that only an extension defines, where Android ends the "
     "program",
     {
         static_cast<void>(isExtensionOperandType(OperandType::FLOAT32));
         static_cast<void>(isExtensionOperationType(OperationType::ADD));
         const std::vector<uint32_t> dimensions = {2, 3};
         static_cast<void>(nonExtensionOperandSizeOfData(OperandType::TENSOR_INT32, dimensions));
         static_cast<void>(nonExtensionOperandSizeOfData(Operand()));
         static_cast<void>(nonExtensionOperandSizeOfDataOverflowsUInt32(OperandType::TENSOR_INT32,
                                                                        dimensions));
         static_cast<void>(nonExtensionOperandTypeIsScalar(0));
         static_cast<void>(sizeOfTensorData(4, dimensions));
         static_cast<void>(sizeOfTensorDataOverflowsUInt32(4, dimensions));
     })
NAME("Utils.h", "tensorHasUnspecifiedDimensions, combineDimensions, alignBytesNeeded", "", {
    static_cast<void>(tensorHasUnspecifiedDimensions(Operand()));
    static_cast<void>(tensorHasUnspecifiedDimensions(OperandType::TENSOR_FLOAT32, {1, 0}));
    static_cast<void>(combineDimensions({1, 0}, {0, 2}));
    static_cast<void>(alignBytesNeeded(5, sizeof(float)));
})
NAME("Utils.h",
     "convertResultCodeToErrorStatus, convertErrorStatusToResultCode, convertToHalPriority", "", {
         static_cast<void>(convertResultCodeToErrorStatus(ANEURALNETWORKS_BAD_DATA));
         static_cast<void>(convertErrorStatusToResultCode(ErrorStatus::NONE));
         static_cast<void>(convertToHalPriority(ANEURALNETWORKS_PRIORITY_HIGH));
     })
NAME("Utils.h",
     "validateOperandType, validateOperandList, validateOperandSymmPerChannelQuantParams", "", {
         const ANeuralNetworksOperandType type{};
         static_cast<void>(validateOperandType(type, nullptr, "operand", false));
         static_cast<void>(validateOperandList(0, nullptr, 0, "inputs"));
         static_cast<void>(validateOperandSymmPerChannelQuantParams(Operand(), {}, "operand"));
     })
NAME("Utils.h",
     "getOperationName, getOperandTypeName, toString of HalVersion, std::vector and std::pair, "
     "logModelToInfo",
     "logModelToInfo writes only with VLOG(MODEL), and another text", {
         static_cast<void>(getOperationName(OperationType::ADD));
         static_cast<void>(getOperandTypeName(OperandType::FLOAT32));
         static_cast<void>(android::nn::toString(std::vector<uint32_t>{1, 2}));
         static_cast<void>(android::nn::toString(HalVersion::LATEST));
         logModelToInfo(Model());
     })
NAME("Utils.h", "NN_RET_CHECK, NN_RET_CHECK_EQ and its like, NN_RET_CHECK_FAIL, NN_RETURN_IF_ERROR",
     "", {
         const auto check = [](size_t size) -> bool {
             NN_RET_CHECK(size != 0) << "nothing";
             NN_RET_CHECK_LE(size, 4u);
             if (size == 3) NN_RET_CHECK_FAIL() << "three";
             return true;
         };
         const auto code = [](int result) -> int {
             NN_RETURN_IF_ERROR(result);
             return ANEURALNETWORKS_NO_ERROR;
         };
         static_cast<void>(std::tuple(check(1), code(0)));
     })
NAME("Utils.h", "VLOG, VLOG_IS_ON, initVLogMask, nnAssert, SHOW_IF_DEBUG", "", {
    initVLogMask();
    VLOG(DRIVER) << "prepareModel";
    if (VLOG_IS_ON(EXECUTION)) nnAssert(true);
    static_cast<void>(SHOW_IF_DEBUG("text"));
})

// ---------------------------------------------------------------------------------------------
// ValidateHal.h

NAME("ValidateHal.h", "HalVersion, IOType, PreparedModelRole, ValidationMode",
     "both modes validate the same", {
         const PreparedModelRole role(nullptr, IOType::INPUT, 0);
         static_cast<void>(std::tuple(role, HalVersion::UNKNOWN, ValidationMode::DRIVER));
     })
NAME("ValidateHal.h", "validateModel, validateRequest", "", {
    static_cast<void>(validateModel(V1_0::Model()));
    static_cast<void>(validateModel(Model(), ValidationMode::RUNTIME));
    static_cast<void>(validateRequest(Request(), Model(), /*allowUnspecifiedOutput=*/false));
    static_cast<void>(validateRequest(V1_0::Request(), V1_2::Model()));
})
NAME("ValidateHal.h",
     "validateExecutionPreference, validatePriority, validatePool, validOperandType, "
     "validOperationType",
     "validatePool ignores the version", {
         static_cast<void>(validateExecutionPreference(ExecutionPreference::LOW_POWER));
         static_cast<void>(validatePriority(Priority::LOW));
         static_cast<void>(validatePool(hidl_memory(), HalVersion::V1_0));
         static_cast<void>(validOperandType(V1_0::OperandType::FLOAT32));
         static_cast<void>(validOperationType(V1_2::OperationType::ADD));
     })
NAME("ValidateHal.h", "validateMemoryDesc", "", {
    std::set<PreparedModelRole> roles;
    Operand operand;
    const auto getModel = [](const sp<V1_3::IPreparedModel>&) -> const Model* { return nullptr; };
    static_cast<void>(validateMemoryDesc({}, {}, {}, {}, getModel, &roles, &operand));
})

// ---------------------------------------------------------------------------------------------
// The helpers that newer trees have, too: with HIDL types

NAME("CpuExecutor.h",
     "RunTimePoolInfo: createFromHidlMemory, createFromExistingBuffer, getBuffer, getSize, flush, "
     "getHidlMemory; set, update, buffer and the constructor with a flag of Android 8 and 9; "
     "setRunTimePoolInfosFromHidlMemories, setRunTimePoolInfosFromMemoryPools",
     "a pool that is a token stays unmapped; `buffer` is read, not written", {
         std::vector<RunTimePoolInfo> pools;
         static_cast<void>(setRunTimePoolInfosFromHidlMemories(&pools, hidl_vec<hidl_memory>()));
         static_cast<void>(
                 setRunTimePoolInfosFromMemoryPools(&pools, hidl_vec<Request::MemoryPool>()));
         const std::optional<RunTimePoolInfo> pool =
                 RunTimePoolInfo::createFromHidlMemory(hidl_memory());
         if (pool) static_cast<void>(pool->getHidlMemory().size());
         uint8_t byte = 0;
         const RunTimePoolInfo own = RunTimePoolInfo::createFromExistingBuffer(&byte, 1);
         static_cast<void>(std::tuple(own.getBuffer(), own.getSize(), own.flush()));
         bool fail = false;
         pools.emplace_back(hidl_memory(), &fail);
         static_cast<void>(pools[0].set(hidl_memory()) && pools[0].update());
         static_cast<void>(pools[0].buffer + 0);
     })
NAME("CpuExecutor.h", "CpuExecutor: run, getOutputShapes, setDeadline, setLoopTimeout",
     "executes with the interpreter, and only with the operations of BuiltinOperationResolver", {
         CpuExecutor executor(BuiltinOperationResolver::get());
         executor.setLoopTimeout(operation_while::kTimeoutNsDefault);
     })
NAME("CpuExecutor.h",
     "RunTimeOperandInfo, getScalarData, getScalarDataWithDefault, IsNullInput, "
     "NumInputsWithValues, NumOutputs, NumDimensions, SizeOfDimension, GetInput, GetOutput",
     "", {
         RunTimeOperandInfo operand{.type = OperandType::TENSOR_FLOAT32, .dimensions = {2}};
         const Operation operation{.type = OperationType::RELU, .inputs = {0}, .outputs = {0}};
         const Shape shape = operand.shape();
         static_cast<void>(getScalarDataWithDefault<int32_t>(operand, 1));
         static_cast<void>(std::tuple(operand.isSufficient(), IsNullInput(&operand),
                                      NumInputsWithValues(operation, &operand),
                                      NumOutputs(operation), NumDimensions(&operand),
                                      SizeOfDimension(&operand, 0)));
         static_cast<void>(GetInput(operation, &operand, 0) == GetOutput(operation, &operand, 0));
     })
NAME("OperationsUtils.h",
     "PaddingScheme, kPaddingUnknown, kPaddingSame, kPaddingValid, calculateExplicitPadding, "
     "calculateExplicitPaddingTransposeConv, calculateExplicitPaddingImpl, getPaddingScheme, "
     "computeOutSize, computeOutSizeTransposeConv",
     "paddings of windows that are not legal are 0", {
         int32_t head = 0, tail = 0;
         calculateExplicitPadding(10, 2, 3, kPaddingSame, &head, &tail);
         calculateExplicitPadding(10, 2, 2, 3, kPaddingSame, &head, &tail);
         calculateExplicitPaddingTransposeConv(10, 2, 3, kPaddingSame, &head, &tail);
         const PaddingScheme scheme = getPaddingScheme(10, 10, 1, 1, 3, 3, 1, 1, 1, 1);
         static_cast<void>(std::tuple(scheme, computeOutSize(10, 3, 2, head, tail),
                                      computeOutSizeTransposeConv(10, 3, 2, head, tail)));
     })
NAME("OperationsUtils.h",
     "Shape, SameShape, SetShape, getNumberOfElements, getNumberOfDimensions, getSizeOfDimension, "
     "hasKnownRank, handleNegativeAxis, calculateBroadcastedShape",
     "getNumberOfElements saturates, and getSizeOfDimension is 0 beyond the rank", {
         const Operand operand;
         const Shape a{.type = operand.type,
                       .dimensions = operand.dimensions,
                       .scale = operand.scale,
                       .offset = operand.zeroPoint};
         const bool isOld = a.type == V1_2::OperandType::TENSOR_BOOL8;
         switch (a.type) {
             case OperandType::TENSOR_FLOAT32:
                 return;
             default:
                 if (isOld || a.type == OperandType::TENSOR_INT32) return;
         }
         Shape out = a;
         int32_t axis = -1;
         static_cast<void>(SameShape(a, out) && SetShape(a, &out) &&
                           calculateBroadcastedShape(a, a, &out) && handleNegativeAxis(a, &axis));
         static_cast<void>(getNumberOfElements(a) + getNumberOfElements(a, 0, 1) +
                           getNumberOfDimensions(a) + getSizeOfDimension(a, 0) + hasKnownRank(a));
     })
NAME("OperationsUtils.h",
     "genericActivationPrepare, floorPrepare, reshapePrepare, depthToSpacePrepare, "
     "spaceToDepthPrepare, padPrepare, meanPrepare, argMinMaxPrepare, splitPrepare",
     "", {
         const Shape image{.type = OperandType::TENSOR_FLOAT32, .dimensions = {1, 4, 4, 4}};
         Shape out = image;
         const int32_t target[] = {-1, 8};
         const int32_t paddings[8] = {};
         const Shape ofPaddings{.type = OperandType::TENSOR_INT32, .dimensions = {4, 2}};
         std::vector<Shape> parts(2, image);
         static_cast<void>(genericActivationPrepare(image, &out) && floorPrepare(image, &out) &&
                           reshapePrepare(image, target, 2, &out) &&
                           depthToSpacePrepare(image, 2, &out) &&
                           spaceToDepthPrepare(image, 2, &out) &&
                           padPrepare(image, paddings, ofPaddings, &out) &&
                           meanPrepare(image, target, Shape(), true, &out) &&
                           argMinMaxPrepare(image, 1, &out) && splitPrepare(image, 3, 2, &parts));
     })
TESTED("OperationsUtils.h",
       "addMulPrepare, convPrepare, depthwiseConvPrepare, groupedConvPrepare, "
       "transposeConvPrepare, "
       "genericPoolingPrepare, fullyConnectedPrepare, concatenationPrepare, "
       "genericNormalizationPrepare, dequantizePrepare, quantizePrepare, resizeBilinearPrepare, "
       "resizeImagePrepare, batchToSpacePrepare, spaceToBatchPrepare, squeezePrepare, "
       "stridedSlicePrepare, transposePrepare, embeddingLookupPrepare, hashtableLookupPrepare",
       "only shapes are checked, not types");
NAME("OperationsUtils.h",
     "QuantizeMultiplier and its variants, GetQuantizedConvolutionMultipler, "
     "CalculateActivationRangeUint8, CalculateActivationRangeInt8, CalculateActivationRangeFloat, "
     "requantize, saturateCast",
     "saturateCast<uint8_t> saturates to 255; no CalculateInputRadius", {
         const Shape shape{.type = OperandType::TENSOR_QUANT8_ASYMM, .scale = 0.5f};
         int32_t multiplier = 0, shift = 0, least = 0, most = 0;
         float low = 0, high = 0;
         double product = 0;
         static_cast<void>(QuantizeMultiplier(0.25, &multiplier, &shift) &&
                           QuantizeMultiplierSmallerThanOne(0.25, &multiplier, &shift) &&
                           QuantizeMultiplierSmallerThanOneExp(0.25, &multiplier, &shift) &&
                           QuantizeMultiplierGreaterThanOne(2.5, &multiplier, &shift) &&
                           GetQuantizedConvolutionMultipler(shape, shape, shape, shape, &product));
         CalculateActivationRangeUint8(ANEURALNETWORKS_FUSED_RELU, shape, &least, &most);
         CalculateActivationRangeInt8(ANEURALNETWORKS_FUSED_RELU6, shape, &least, &most);
         CalculateActivationRangeFloat(ANEURALNETWORKS_FUSED_RELU1, &low, &high);
         static_cast<void>(saturateCast<uint8_t>(300) + requantize<uint8_t>(5, shape, shape));
     })
NAME("OperationsUtils.h",
     "ReverseMaskBits, PositiveRemainder, ClampedIndex, NN_CHECK, NN_OPS_CHECK",
     "no transposeFirstTwoDimensions, no mergeThirdDimension", {
         static_cast<void>(ReverseMaskBits(1, 3) + PositiveRemainder(-1, 3) +
                           ClampedIndex(-1, 3, true));
         const auto check = [](bool is) -> bool {
             NN_CHECK(is);
             NN_OPS_CHECK(is);
             NN_CHECK_EQ(is, true);
             return true;
         };
         static_cast<void>(check(true));
     })
TESTED("BufferTracker.h",
       "ManagedBuffer: create, createRunTimePoolInfo, validateRequest, validateCopyFrom, "
       "validateCopyTo, updateDimensions, setInitialized",
       "its only constructor is that of create; a pool other than a token is INVALID_ARGUMENT, "
       "where "
       "Android ends the program");
TESTED("BufferTracker.h", "BufferTracker: create, add, get; BufferTracker::Token", "");
NAME("ExecutionBurstServer.h",
     "ExecutionBurstServer: create with an IBurstExecutorWithCache or a prepared model, "
     "freeMemory; "
     "FmqRequestDescriptor, FmqResultDescriptor, serialize, deserialize",
     "no public constructor", {
         const sp<ExecutionBurstServer> burst = ExecutionBurstServer::create(
                 nullptr, FmqRequestDescriptor(), FmqResultDescriptor(),
                 static_cast<V1_2::IPreparedModel*>(nullptr), std::chrono::microseconds{10});
         const std::shared_ptr<ExecutionBurstServer::IBurstExecutorWithCache> executor;
         const sp<V1_2::IBurstContext> context = ExecutionBurstServer::create(
                 nullptr, FmqRequestDescriptor(), FmqResultDescriptor(), executor);
         static_cast<void>(serialize(V1_0::ErrorStatus::NONE, {}, Timing()));
         static_cast<void>(deserialize(std::vector<FmqRequestDatum>()));
     })
NAME("ExecutionBurstController.h",
     "ExecutionBurstController: create, compute, freeMemory; kExecutionBurstChannelLength, "
     "serialize, deserialize",
     "no public constructor", {
         const std::unique_ptr<ExecutionBurstController> burst =
                 ExecutionBurstController::create(nullptr, std::chrono::microseconds{0});
         if (burst != nullptr) {
             const auto [code, shapes, timing, fallback] =
                     burst->compute(V1_0::Request(), MeasureTiming::NO, {});
             static_cast<void>(std::tuple(code, timing.timeOnDevice, fallback));
             burst->freeMemory(0);
         }
         static_cast<void>(serialize(V1_0::Request(), MeasureTiming::NO, {}));
         static_cast<void>(deserialize(std::vector<FmqResultDatum>()));
         static_cast<void>(kExecutionBurstChannelLength);
     })
NAME("Tracing.h",
     "NNTRACE_FULL, NNTRACE_FULL_SWITCH, NNTRACE_FULL_SUBTRACT, NNTRACE_FULL_RAW, NNTRACE_APP, "
     "NNTRACE_RT, NNTRACE_CPU, NNTRACE_COMP, NNTRACE_TRANS, NNTRACE_PHASE_..., NNTRACE_LAYER_...",
     "arguments are checked, nothing is recorded", {
         NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "execute");
         NNTRACE_FULL_SWITCH(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPUTATION, "compute");
         {
             NNTRACE_FULL_SUBTRACT(NNTRACE_LAYER_IPC, NNTRACE_PHASE_RESULTS, "notify");
             NNTRACE_FULL_RAW(NNTRACE_LAYER_OTHER, NNTRACE_PHASE_UNSPECIFIED, "raw");
         }
         {
             NNTRACE_TRANS("transform");
             NNTRACE_COMP_SWITCH("compute");
         }
         { NNTRACE_APP(NNTRACE_PHASE_OVERALL, "main"); }
         { NNTRACE_RT(NNTRACE_PHASE_PREPARATION, "model"); }
         { NNTRACE_CPU(NNTRACE_PHASE_COMPUTATION, "operation"); }
         { NNTRACE_COMP("operation"); }
     })
NAME("TokenHasher.h", "TokenHasher: update, updateFromString, finish, getCacheToken, ok",
     "getCacheToken before finish is null", {
         const uint8_t token[32] = {};
         TokenHasher hasher(token);
         static_cast<void>(hasher.update("ab", 2) && hasher.updateFromString("c") &&
                           hasher.finish() && hasher.ok());
         static_cast<void>(hasher.getCacheToken());
     })
NAME("MemoryUtils.h", "allocateSharedMemory", "",
     { static_cast<void>(allocateSharedMemory(4096).size()); })
NAME("GraphDump.h", "graphDump", "colors and labels differ", { graphDump("model", Model()); })
NAME("NeuralNetworks.h", "NeuralNetworks.h, NeuralNetworksExtensions.h", "",
     { static_cast<void>(ANEURALNETWORKS_FLOAT32); })
NAME("NeuralNetworksOEM.h",
     "ANEURALNETWORKS_OEM_SCALAR, ANEURALNETWORKS_TENSOR_OEM_BYTE, ANEURALNETWORKS_OEM_OPERATION",
     "only HIDL drivers get them", {
         static_assert(ANEURALNETWORKS_OEM_SCALAR == 10000);
         static_assert(ANEURALNETWORKS_TENSOR_OEM_BYTE == 10001);
         static_assert(ANEURALNETWORKS_OEM_OPERATION == 10000);
     })

}  // namespace
}  // namespace android::nn
