// Names that trees of Android 12 and newer have: canonical types, and conversions around them.
#define LOG_TAG "names"

#include "names.h"

#include <AidlBufferTracker.h>
#include <AidlHalInterfaces.h>
#include <AidlHalUtils.h>
#include <AidlValidateHal.h>
#include <HalBufferTracker.h>
#include <HalInterfaces.h>
#include <LegacyHalUtils.h>
#include <LegacyUtils.h>
#include <OperationsUtils.h>
#include <ValidateHal.h>
#include <android-base/logging.h>
#include <nnapi/IBuffer.h>
#include <nnapi/IBurst.h>
#include <nnapi/IDevice.h>
#include <nnapi/IExecution.h>
#include <nnapi/IPreparedModel.h>
#include <nnapi/OperandTypes.h>
#include <nnapi/OperationTypes.h>
#include <nnapi/TypeUtils.h>
#include <nnapi/Types.h>
#include <nnapi/Validation.h>
#include <nnapi/hal/1.0/Burst.h>
#include <nnapi/hal/1.0/Callbacks.h>
#include <nnapi/hal/1.0/Conversions.h>
#include <nnapi/hal/1.0/Device.h>
#include <nnapi/hal/1.0/HandleError.h>
#include <nnapi/hal/1.0/PreparedModel.h>
#include <nnapi/hal/1.0/ProtectCallback.h>
#include <nnapi/hal/1.0/Utils.h>
#include <nnapi/hal/1.1/Conversions.h>
#include <nnapi/hal/1.1/Device.h>
#include <nnapi/hal/1.1/Utils.h>
#include <nnapi/hal/1.2/Burst.h>
#include <nnapi/hal/1.2/BurstUtils.h>
#include <nnapi/hal/1.2/Callbacks.h>
#include <nnapi/hal/1.2/Conversions.h>
#include <nnapi/hal/1.2/Device.h>
#include <nnapi/hal/1.2/PreparedModel.h>
#include <nnapi/hal/1.2/Utils.h>
#include <nnapi/hal/1.3/Buffer.h>
#include <nnapi/hal/1.3/Callbacks.h>
#include <nnapi/hal/1.3/Conversions.h>
#include <nnapi/hal/1.3/Device.h>
#include <nnapi/hal/1.3/PreparedModel.h>
#include <nnapi/hal/1.3/Utils.h>
#include <nnapi/hal/Adapter.h>
#include <nnapi/hal/CommonUtils.h>
#include <nnapi/hal/HandleError.h>
#include <nnapi/hal/InvalidBuffer.h>
#include <nnapi/hal/InvalidBurst.h>
#include <nnapi/hal/InvalidDevice.h>
#include <nnapi/hal/InvalidExecution.h>
#include <nnapi/hal/InvalidPreparedModel.h>
#include <nnapi/hal/ProtectCallback.h>
#include <nnapi/hal/ResilientBuffer.h>
#include <nnapi/hal/ResilientBurst.h>
#include <nnapi/hal/ResilientDevice.h>
#include <nnapi/hal/ResilientExecution.h>
#include <nnapi/hal/ResilientPreparedModel.h>
#include <nnapi/hal/TransferValue.h>
#include <nnapi/hal/aidl/Adapter.h>
#include <nnapi/hal/aidl/Buffer.h>
#include <nnapi/hal/aidl/BufferTracker.h>
#include <nnapi/hal/aidl/Callbacks.h>
#include <nnapi/hal/aidl/Conversions.h>
#include <nnapi/hal/aidl/Device.h>
#include <nnapi/hal/aidl/Execution.h>
#include <nnapi/hal/aidl/HalInterfaces.h>
#include <nnapi/hal/aidl/HalUtils.h>
#include <nnapi/hal/aidl/PreparedModel.h>
#include <nnapi/hal/aidl/ProtectCallback.h>
#include <nnapi/hal/aidl/Service.h>
#include <nnapi/hal/aidl/Utils.h>
#include <nnapi/hal/aidl/ValidateHal.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace android::hardware::neuralnetworks::utils {

struct Given {
    nn::Model model{};
    nn::Operand operand{};
    nn::Operation operation{};
    nn::Request request{};
    nn::SharedMemory memory{};
    nn::SharedDevice device{};
    nn::SharedPreparedModel preparedModel{};
    nn::SharedHandle handle{};
    aidl_hal::Model aidlModel{};
    aidl_hal::Request aidlRequest{};
    std::shared_ptr<aidl_hal::IDevice> aidlDevice{};
    std::shared_ptr<aidl_hal::IPreparedModel> aidlPreparedModel{};
    V1_3::Model halModel{};
    V1_3::Request halRequest{};
    sp<V1_3::IDevice> halDevice{};
    sp<V1_3::IPreparedModel> halPreparedModel{};
};
[[maybe_unused]] static Given given;

// ---- canonical types

NAME("nnapi/Types.h",
     "Model, Operand, Operation, Request, Capabilities, Extension, OutputShape, Timing, "
     "BufferDesc, "
     "BufferRole, TokenValuePair, ExtensionNameAndPrefix, CacheToken, Dimensions, MemoryPreference",
     "the types of nnapi/types.h; Memory::HardwareBuffer has a handle and a description", {
         nn::Operand operand = {.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = {1, 2}};
         given.model.main.operands.push_back(std::move(operand));
         given.model.operandValues.append("abcd", 4);
         CHECK_EQ((nn::MemoryPreference{.alignment = 64, .padding = 16}).padding, 16u);
     })
NAME("nnapi/Types.h",
     "Version, kVersionFeatureLevel1 to kVersionFeatureLevel8, kMinMemoryAlignment, "
     "kMinMemoryPadding, kLoopTimeoutDefault, kLoopTimeoutMaximum",
     "Version is the structure of Android 13, without the enumerators ANDROID_S and its like", {
         const nn::Version version = nn::kVersionFeatureLevel5;
         CHECK(version.level == nn::Version::Level::FEATURE_LEVEL_5);
         CHECK(nn::kLoopTimeoutDefault < nn::kLoopTimeoutMaximum);
     })
NAME("nnapi/Types.h",
     "Clock, TimePoint, Duration, OptionalTimePoint, OptionalDuration, SyncFence, SharedHandle, "
     "SharedMemory",
     "Handle is an nn::UniqueFd, which an android::base::unique_fd becomes when it is moved", {
         const nn::TimePoint deadline = nn::Clock::now() + nn::Duration(5);
         given.handle = std::make_shared<const nn::Handle>(base::unique_fd(3));
         const nn::Result<nn::SyncFence> fence = nn::SyncFence::create(given.handle);
         if (!fence.has_value()) LOG(ERROR) << fence.error().message;
         CHECK(nn::SyncFence::createAsSignaled().syncWait({}) ==
               nn::SyncFence::FenceState::SIGNALED);
         CHECK(deadline != nn::TimePoint{});
     })
NAME("nnapi/OperandTypes.h, nnapi/OperationTypes.h", "OperandType, OperationType", "", {
    CHECK(nn::OperationType::ADD < nn::OperationType::MUL);
    CHECK(nn::OperandType::FLOAT32 < nn::OperandType::TENSOR_FLOAT32);
})
NAME("nnapi/IDevice.h, nnapi/IPreparedModel.h, nnapi/IBurst.h, nnapi/IBuffer.h, nnapi/IExecution.h",
     "IDevice, IPreparedModel, IBurst, IBuffer, IExecution, SharedDevice, SharedPreparedModel, "
     "SharedBurst, SharedBuffer, SharedExecution",
     "", {
         const auto prepared = given.device->prepareModel(
                 given.model, nn::ExecutionPreference::DEFAULT, nn::Priority::DEFAULT,
                 /*deadline=*/{}, /*modelCache=*/{}, /*dataCache=*/{}, /*token=*/{},
                 /*hints=*/{}, /*extensionNameToPrefix=*/{});
         if (!prepared.has_value()) return;
         const nn::GeneralResult<nn::SharedBurst> burst =
                 prepared.value()->configureExecutionBurst();
         const nn::IBurst::OptionalCacheHold hold = burst.value()->cacheMemory(given.memory);
     })

// ---- results

TESTED("nnapi/Result.h",
       "Result, GeneralResult, ExecutionResult, GeneralError, ExecutionError, NN_ERROR, NN_TRY, "
       "error",
       "the error of a Result has message and code too, and converts to its message");

// ---- types and shapes

NAME("nnapi/TypeUtils.h",
     "isExtension, isNonExtensionScalar, getNonExtensionSize, getExtensionPrefix, "
     "getTypeWithinExtension, combineDimensions, countNumberOfConsumers, getMemorySizes, roundUp, "
     "getAlignmentForLength, getOffsetFromInts, getIntsFromOffset",
     "", {
         CHECK(!nn::isExtension(given.operand.type));
         const std::optional<size_t> size = nn::getNonExtensionSize(given.operand);
         const nn::Result<nn::Dimensions> both = nn::combineDimensions({0, 2}, {3, 0});
         const auto consumers = nn::countNumberOfConsumers(1, given.model.main.operations);
         CHECK_EQ(nn::roundUp(size.value_or(0), nn::getAlignmentForLength(4)) % 4, 0u);
         CHECK(both.has_value() && consumers.has_value());
     })
NAME("nnapi/TypeUtils.h", "operator<< of canonical types to a std::ostream",
     "the text is that of nnapi/print.h", {
         LOG(INFO) << given.operand << given.operation.type << given.model.main
                   << nn::ErrorStatus::NONE << nn::kVersionFeatureLevel5;
     })
NAME("nnapi/TypeUtils.h, Utils.h",
     "NN_RET_CHECK, NN_RET_CHECK_EQ, NN_RET_CHECK_NE, NN_RET_CHECK_LT, NN_RET_CHECK_LE, "
     "NN_RET_CHECK_GT, NN_RET_CHECK_GE, NN_RET_CHECK_FAIL",
     "", {
         const auto check = [](size_t count) -> bool {
             NN_RET_CHECK(count != 0) << "nothing";
             NN_RET_CHECK_LE(count, 3u);
             return true;
         };
         CHECK(check(2));
     })
NAME("nnapi/Validation.h",
     "validate, validateRequestForModel, validateOperationButNotOperands, combineVersions, "
     "isCompliantVersion",
     "", {
         const nn::Result<nn::Version> needed = nn::validate(given.model);
         if (!needed.has_value()) LOG(ERROR) << needed.error().message;
         const auto valid = nn::validateRequestForModel(given.request, given.model,
                                                        /*allowUnspecifiedOutput=*/false);
         CHECK(nn::isCompliantVersion(valid.value(), needed.value()));
     })
TESTED("nnapi/Validation.h", "validateMemoryDesc, PreparedModelRole, IOType", "");

// ---- memory

TESTED("nnapi/SharedMemory.h",
       "createSharedMemory, createSharedMemoryFromFd, createSharedMemoryFromHidlMemory, "
       "createSharedMemoryFromAHWB, getSize, isAhwbBlob, dupFd, dupFds",
       "the memory of an AHardwareBuffer has its handle, and does not count for it");
TESTED("nnapi/SharedMemory.h", "map, flush, Mapping", "");
TESTED("nnapi/SharedMemory.h", "MutableMemoryBuilder, ConstantMemoryBuilder", "");
TESTED("nnapi/SharedMemory.h, nnapi/hal/CommonUtils.h",
       "flushDataFromPointerToShared, convertRequestFromPointerToShared, hasNoPointerData, "
       "RelocationTracker, RequestRelocation, InputRelocationTracker, OutputRelocationTracker",
       "in both headers, whose namespaces Android has had them in");
TESTED("CpuExecutor.h", "RunTimePoolInfo of canonical memory, CpuExecutor of canonical models", "");
TESTED("BufferTracker.h", "ManagedBuffer, BufferTracker, PreparedModelRole of canonical drivers",
       "");

// ---- helpers

NAME("LegacyUtils.h", "VLOG, initVLogMask, SHOW_IF_DEBUG, nnAssert, NN_RETURN_IF_ERROR",
     "the mask is the property debug.nn.vlog", {
         nn::initVLogMask();
         const auto check = []() -> int {
             NN_RETURN_IF_ERROR(ANEURALNETWORKS_NO_ERROR);
             return ANEURALNETWORKS_BAD_DATA;
         };
         VLOG(nn::DRIVER) << SHOW_IF_DEBUG(nn::toString(7u)) << check();
         nnAssert(check() != 0);
     })
NAME("LegacyUtils.h", "makeDeadline, makeTimeoutDuration, hasDeadlinePassed", "", {
    const nn::TimePoint deadline = nn::makeDeadline(uint64_t{1000});
    const nn::OptionalTimePoint none = nn::makeDeadline(int64_t{-1});
    CHECK(nn::makeDeadline(nn::OptionalDuration(nn::Duration(5))).has_value());
    CHECK(!nn::hasDeadlinePassed(none) && !nn::hasDeadlinePassed(deadline));
    CHECK(nn::makeTimeoutDuration(UINT64_MAX) == nn::Duration::max());
})
NAME("LegacyUtils.h",
     "nonExtensionOperandSizeOfData, nonExtensionOperandSizeOfDataOverflowsUInt32, "
     "tensorHasUnspecifiedDimensions, isExtensionOperandType, isExtensionOperationType, "
     "nonExtensionOperandTypeIsScalar, alignBytesNeeded",
     "a size is 0 where Android's functions end the program", {
         CHECK(nn::nonExtensionOperandSizeOfData(given.operand) != 0 ||
               nn::tensorHasUnspecifiedDimensions(given.operand));
         CHECK(!nn::nonExtensionOperandSizeOfDataOverflowsUInt32(given.operand.type, {2, 2}));
         CHECK_EQ(nn::alignBytesNeeded(3, 4), 1u);
     })
NAME("LegacyUtils.h",
     "toString of numbers, vectors and pairs, logModelToInfo, getExecutionResult, "
     "convertResultCodeToErrorStatus, convertErrorStatusToResultCode",
     "", {
         LOG(INFO) << nn::toString(given.operand.dimensions) << nn::toString(given.operand.type);
         nn::logModelToInfo(given.model);
         const auto [code, shapes, timing] =
                 nn::getExecutionResult(nn::ErrorStatus::NONE, {}, nn::Timing{});
         CHECK_EQ(code, nn::convertErrorStatusToResultCode(nn::ErrorStatus::NONE));
         CHECK(shapes.empty() && !timing.timeInDriver.has_value());
     })
NAME("LegacyUtils.h", "syncWait, FenceState", "a fence is a descriptor that becomes readable", {
    if (nn::syncWait(/*fd=*/3, /*timeout=*/-1) != nn::FenceState::SIGNALED) return;
})
NAME("OperationsUtils.h", "Shape of canonical operands and its functions", "", {
    const nn::Shape input = {.type = given.operand.type, .dimensions = {2, 3}};
    nn::Shape output = input;
    CHECK(nn::calculateBroadcastedShape(input, input, &output));
    CHECK_EQ(nn::getNumberOfElements(output), 6u);
})
NAME("LegacyHalUtils.h",
     "convertToV1_0 to convertToV1_3, compliantWithV1_0 to compliantWithV1_3, uncheckedConvert, "
     "makeDeadline and hasDeadlinePassed of HAL 1.3",
     "convertToV1_X also takes other versions' objects; what a version cannot represent is a "
     "default",
     {
         const V1_3::Model newest = nn::convertToV1_3(given.model);
         const V1_2::Model older = nn::convertToV1_2(newest);
         CHECK(nn::compliantWithV1_0(older));
         given.model = nn::uncheckedConvert(newest);
         const nn::LegacyOptionalTimePoint deadline = nn::makeDeadline(V1_3::OptionalTimePoint());
         CHECK(!nn::hasDeadlinePassed(deadline));
     })
NAME("LegacyHalUtils.h",
     "nonExtensionOperandPerformance<HalVersion>, update, lookup, getOperationName, "
     "getOperandTypeName, convertResultCodeToHalErrorStatus, HalCacheToken",
     "", {
         auto performances =
                 nn::nonExtensionOperandPerformance<nn::HalVersion::V1_3>({.execTime = 1.0f});
         nn::update(&performances, V1_3::OperandType::TENSOR_FLOAT32, {.execTime = 0.5f});
         CHECK(nn::lookup(performances, V1_3::OperandType::TENSOR_FLOAT32).execTime < 1.0f);
         LOG(INFO) << nn::getOperationName(V1_3::OperationType::ADD) << sizeof(nn::HalCacheToken);
     })
NAME("HalInterfaces.h, ValidateHal.h",
     "V1_0 to V1_3 in android::nn, validateModel, validateRequest, validateExecutionPreference, "
     "validatePriority, validatePool, validOperandType, validOperationType, validateMemoryDesc, "
     "HalPreparedModelRole",
     "", {
         CHECK(nn::validateModel(given.halModel));
         CHECK(nn::validateRequest(given.halRequest, given.halModel));
         CHECK(nn::validatePriority(nn::V1_3::Priority::MEDIUM));
         CHECK(nn::validateExecutionPreference(V1_1::ExecutionPreference::LOW_POWER));
         std::set<nn::HalPreparedModelRole> roles;
         V1_3::Operand operand;
         CHECK(nn::validateMemoryDesc(
                 {}, {given.halPreparedModel}, {}, {},
                 [](const sp<V1_3::IPreparedModel>&) { return &given.halModel; }, &roles,
                 &operand));
     })
NAME("HalBufferTracker.h", "HalManagedBuffer, HalBufferTracker", "", {
    const auto tracker = nn::HalBufferTracker::create();
    CHECK(tracker->get(1) == nullptr);
})

// ---- AIDL

NAME("AidlHalInterfaces.h, nnapi/hal/aidl/HalInterfaces.h",
     "aidl_hal in android::nn, kDefaultPriorityAidl", "",
     { CHECK(nn::kDefaultPriorityAidl == nn::aidl_hal::Priority::MEDIUM); })
NAME("AidlHalUtils.h, nnapi/hal/aidl/HalUtils.h",
     "nonExtensionOperandPerformance, update, isExtensionOperandType, isNonExtensionScalar, "
     "convertResultCodeToAidlErrorStatus, convertErrorStatusToResultCode",
     "", {
         auto performances = nn::nonExtensionOperandPerformance(
                 aidl_hal::PerformanceInfo{.execTime = 1.0f, .powerUsage = 1.0f});
         nn::update(&performances, aidl_hal::OperandType::TENSOR_FLOAT32, {0.5f, 0.5f});
         CHECK(nn::convertResultCodeToAidlErrorStatus(ANEURALNETWORKS_NO_ERROR) ==
               aidl_hal::ErrorStatus::NONE);
         CHECK(nn::isNonExtensionScalar(aidl_hal::OperandType::INT32));
     })
NAME("AidlValidateHal.h, AidlBufferTracker.h, nnapi/hal/aidl/BufferTracker.h",
     "AidlHalPreparedModelRole, validateMemoryDesc, AidlManagedBuffer, AidlBufferTracker", "", {
         std::set<nn::AidlHalPreparedModelRole> roles;
         aidl_hal::Operand operand;
         const auto getModel =
                 [](const std::shared_ptr<aidl_hal::IPreparedModel>&) -> const aidl_hal::Model* {
             return &given.aidlModel;
         };
         CHECK(nn::validateMemoryDesc(aidl_hal::BufferDesc{}, {given.aidlPreparedModel},
                                      std::vector<aidl_hal::BufferRole>{}, {}, getModel, &roles,
                                      &operand));
         const auto tracker = nn::AidlBufferTracker::create();
         auto buffer = nn::AidlManagedBuffer::create(8, std::move(roles),
                                                     nn::unvalidatedConvert(operand).value());
         CHECK(buffer->validateRequest(0, given.request, given.aidlPreparedModel.get()) ==
               nn::ErrorStatus::NONE);
         buffer->setInitialized(true);
         CHECK(buffer->getPointer() != nullptr && buffer->getSize() == 8);
         const std::unique_ptr<nn::AidlBufferTracker::Token> token = tracker->add(buffer);
     })
NAME("nnapi/hal/aidl/Conversions.h",
     "android::nn::convert, android::nn::unvalidatedConvert, toUnsigned, and "
     "aidl::android::hardware::neuralnetworks::utils: convert, unvalidatedConvert, toSigned, toVec",
     "towards AIDL for the version that the driver is compiled for", {
         const nn::Model model = nn::convert(given.aidlModel).value();
         const auto back = aidl_hal::utils::convert(model);
         const auto measure = nn::unvalidatedConvert(true);
         const auto numbers = aidl_hal::utils::toSigned({1, 2});
         CHECK(nn::toUnsigned(numbers.value()).has_value() && back.has_value());
         CHECK(measure.value() == nn::MeasureTiming::YES);
         CHECK(aidl_hal::utils::unvalidatedConvert(nn::OptionalDuration()).value() == -1);
     })
NAME("nnapi/hal/aidl/Utils.h",
     "kVersion, kDefaultPriority, valid, validate, compliantVersion, "
     "convertFromNonCanonical, clone",
     "", {
         CHECK(aidl_hal::utils::valid(given.aidlRequest));
         CHECK(aidl_hal::utils::compliantVersion(given.model).ok());
         const auto copy = aidl_hal::utils::clone(given.aidlModel);
         if (!copy.has_value()) LOG(ERROR) << copy.error().message;
         CHECK(nn::isCompliantVersion(nn::kVersionFeatureLevel5, aidl_hal::utils::kVersion));
     })
NAME("nnapi/hal/aidl/Utils.h", "HANDLE_ASTATUS, HANDLE_STATUS_AIDL, handleTransportError", "", {
    const auto typeOf = []() -> nn::GeneralResult<aidl_hal::DeviceType> {
        aidl_hal::DeviceType type;
        const auto ret = given.aidlDevice->getType(&type);
        HANDLE_ASTATUS(ret) << "getType failed";
        HANDLE_STATUS_AIDL(aidl_hal::ErrorStatus::NONE) << "no type";
        return type;
    };
    CHECK(typeOf().has_value());
})
NAME("nnapi/hal/aidl/Device.h, nnapi/hal/aidl/PreparedModel.h, nnapi/hal/aidl/Buffer.h, "
     "nnapi/hal/aidl/Execution.h, nnapi/hal/aidl/Service.h",
     "Device::create, PreparedModel::create, Buffer::create, Execution::create, getDevice",
     "they return SharedDevice and its like, also where Android returns a Device", {
         const nn::GeneralResult<nn::SharedDevice> device =
                 aidl_hal::utils::Device::create("npu", given.aidlDevice);
         const auto service = aidl_hal::utils::getDevice("npu");
         const auto buffer = aidl_hal::utils::Buffer::create(
                 nullptr, static_cast<nn::Request::MemoryDomainToken>(1));
         CHECK(device.has_value() && service.has_value() && buffer.has_value());
     })
NAME("nnapi/hal/aidl/Adapter.h", "adapt, Executor, Task",
     "null for a device that the version cannot represent; the default executor has threads", {
         const std::shared_ptr<aidl_hal::BnDevice> device = aidl_hal::adapter::adapt(given.device);
         const aidl_hal::adapter::Executor executor = [](aidl_hal::adapter::Task task,
                                                         nn::OptionalTimePoint) { task(); };
         CHECK(aidl_hal::adapter::adapt(given.device, executor) != nullptr);
     })

// ---- HIDL

NAME("nnapi/hal/1.0/Conversions.h to nnapi/hal/1.3/Conversions.h, nnapi/hal/1.X/Utils.h",
     "V1_X::utils: convert, unvalidatedConvert, kVersion, valid, validate, compliantVersion, "
     "convertFromNonCanonical, kDefaultMesaureTiming, kNoTiming, kDefaultPriority",
     "", {
         const auto older = V1_0::utils::convert(given.model);
         const auto newer = V1_3::utils::convertFromNonCanonical(older.value());
         CHECK(V1_3::utils::valid(newer.value()));
         CHECK(nn::convert(newer.value()).has_value());
         CHECK(V1_1::utils::compliantVersion(given.model).ok());
         CHECK(V1_2::utils::kNoTiming.timeOnDevice == UINT64_MAX);
         CHECK(V1_3::utils::kDefaultPriority == V1_3::Priority::MEDIUM);
     })
NAME("nnapi/hal/1.0/Device.h to nnapi/hal/1.3/Device.h, nnapi/hal/1.X/PreparedModel.h, "
     "nnapi/hal/1.3/Buffer.h, nnapi/hal/1.0/Burst.h, nnapi/hal/1.2/Burst.h",
     "V1_X::utils: Device::create, PreparedModel::create, Buffer::create, Burst::create",
     "they return SharedDevice and its like, also where Android returns a Device", {
         const nn::GeneralResult<nn::SharedDevice> device =
                 V1_3::utils::Device::create("npu", given.halDevice);
         const auto prepared = V1_3::utils::PreparedModel::create(given.halPreparedModel,
                                                                  /*executeSynchronously=*/true);
         const auto burst = V1_0::utils::Burst::create(prepared.value());
         CHECK(device.has_value() && burst.has_value());
     })
NAME("nnapi/hal/1.2/BurstUtils.h",
     "serialize, deserialize, getBurstControllerPollingTimeWindow, "
     "getBurstServerPollingTimeWindow",
     "deserialize returns structures", {
         const auto packet = V1_2::utils::serialize(V1_0::Request(), V1_2::MeasureTiming::NO, {});
         CHECK(V1_2::utils::deserialize(packet).has_value());
         CHECK(V1_2::utils::getBurstServerPollingTimeWindow().count() >= 0);
     })
NAME("nnapi/hal/HandleError.h, nnapi/hal/1.0/HandleError.h",
     "HANDLE_TRANSPORT_FAILURE, HANDLE_STATUS_HIDL, HANDLE_HAL_STATUS, handleTransportError, "
     "makeGeneralFailure, makeExecutionFailure",
     "", {
         const auto wait = []() -> nn::GeneralResult<void> {
             const auto ret = given.halDevice->ping();
             HANDLE_TRANSPORT_FAILURE(ret);
             HANDLE_STATUS_HIDL(V1_3::ErrorStatus::NONE) << "it does not reply";
             HANDLE_HAL_STATUS(V1_0::ErrorStatus::NONE) << "nor now";
             return {};
         };
         CHECK(makeExecutionFailure(wait()).has_value());
         CHECK(makeGeneralFailure(nn::validate(given.model), nn::ErrorStatus::INVALID_ARGUMENT)
                       .has_value());
     })
NAME("nnapi/hal/Adapter.h", "adapt, Executor, Task",
     "null for null; an executor has no user's number", {
         const sp<V1_3::IDevice> device = adapter::adapt(given.device);
         CHECK(device != nullptr);
     })

// ---- what all versions share

NAME("nnapi/hal/CommonUtils.h",
     "hal, aidl_hal, makeQuantized8PerformanceConsistentWithP, createHidlMemory, "
     "hidlHandleFromSharedHandle, sharedHandleFromNativeHandle, convertSyncFences",
     "", {
         const nn::Capabilities::OperandPerformanceTable table =
                 makeQuantized8PerformanceConsistentWithP({.execTime = 1.0f}, {.execTime = 0.5f});
         const auto handle = hidlHandleFromSharedHandle(given.handle);
         CHECK(sharedHandleFromNativeHandle(handle.value().getNativeHandle()).has_value());
         CHECK(createHidlMemory(given.memory).has_value() && !table.asVector().empty());
     })
NAME("nnapi/hal/ProtectCallback.h, nnapi/hal/TransferValue.h",
     "IProtectedCallback, DeathHandler, TransferValue", "", {
         struct Callback : IProtectedCallback {
             void notifyAsDeadObject() override { value.put(1); }
             TransferValue<int> value{};
         };
         Callback callback;
         const auto handler = DeathHandler::create(given.halDevice);
         const auto guard = handler.value().protectCallback(&callback);
         CHECK_EQ(callback.value.take(), 1);
     })
NAME("nnapi/hal/1.0/Callbacks.h, nnapi/hal/1.2/Callbacks.h, nnapi/hal/1.3/Callbacks.h, "
     "nnapi/hal/aidl/Callbacks.h",
     "PreparedModelCallback, ExecutionCallback", "get() waits for five minutes at most", {
         const auto prepared = sp<V1_3::utils::PreparedModelCallback>::make();
         const auto handler = DeathHandler::create(given.halDevice);
         const auto guard = handler.value().protectCallback(prepared.get());
         const auto executed = sp<V1_2::utils::ExecutionCallback>::make();
         const auto aidl = ndk::SharedRefBase::make<aidl_hal::utils::PreparedModelCallback>();
         CHECK(prepared->get().has_value() && executed->get().has_value());
         CHECK(aidl->get().has_value());
     })
NAME("nnapi/hal/InvalidDevice.h, InvalidPreparedModel.h and its like", "objects that always fail",
     "", {
         given.preparedModel = std::make_shared<const InvalidPreparedModel>();
         (void)std::make_shared<const InvalidBurst>();
         (void)std::make_shared<const InvalidBuffer>();
         (void)std::make_shared<const InvalidExecution>();
     })
NAME("nnapi/hal/ResilientDevice.h, ResilientPreparedModel.h and its like",
     "objects that recover with their driver",
     "objects of a ResilientDevice are resilient only on request", {
         const auto device = ResilientDevice::create(
                 [](bool /*blocking*/) -> nn::GeneralResult<nn::SharedDevice> {
                     return given.device;
                 });
         if (device.has_value()) given.device = device.value();
     })

}  // namespace android::hardware::neuralnetworks::utils
