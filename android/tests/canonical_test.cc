// Tests of the headers of Android 12 and later: memory, roles, results, callbacks, adapters.
#include <gtest/gtest.h>

#include <AidlBufferTracker.h>
#include <AidlHalUtils.h>
#include <CpuExecutor.h>
#include <LegacyHalUtils.h>
#include <nnapi/Result.h>
#include <nnapi/SharedMemory.h>
#include <nnapi/TypeUtils.h>
#include <nnapi/Validation.h>
#include <nnapi/hal/1.3/Callbacks.h>
#include <nnapi/hal/CommonUtils.h>
#include <nnapi/hal/ProtectCallback.h>
#include <nnapi/hal/aidl/Adapter.h>
#include <nnapi/hal/aidl/Callbacks.h>
#include <nnapi/hal/aidl/Conversions.h>
#include <nnapi/hal/aidl/Device.h>
#include <nnapi/hal/aidl/Utils.h>
#include <sys/mman.h>
#include <vndk/hardware_buffer.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "nnapi/driver/reference.h"

namespace android::nn {
namespace {

namespace utils = ::android::hardware::neuralnetworks::utils;
namespace aidl_utils = ::aidl::android::hardware::neuralnetworks::utils;

std::vector<uint8_t> bytesOf(const SharedMemory& memory) {
    std::vector<uint8_t> bytes(getSize(memory));
    EXPECT_TRUE(::nn::readMemory(memory, 0, bytes).ok());
    return bytes;
}

// c = a + b, of two floats each.
Model addModel() {
    Model model;
    for (const auto lifetime :
         {Operand::LifeTime::SUBGRAPH_INPUT, Operand::LifeTime::SUBGRAPH_INPUT,
          Operand::LifeTime::CONSTANT_COPY, Operand::LifeTime::SUBGRAPH_OUTPUT}) {
        model.main.operands.push_back(
                {.type = OperandType::TENSOR_FLOAT32, .dimensions = {2}, .lifetime = lifetime});
    }
    Operand& activation = model.main.operands[2];
    activation.type = OperandType::INT32;
    activation.dimensions = {};
    const int32_t none = 0;
    activation.location = *model.operandValues.append(&none, sizeof(none));
    model.main.operations = {{OperationType::ADD, {0, 1, 2}, {3}}};
    model.main.inputIndexes = {0, 1};
    model.main.outputIndexes = {3};
    return model;
}

Request::Argument behind(void* data, uint32_t length) {
    return {.lifetime = Request::Argument::LifeTime::POINTER,
            .location = {.pointer = data, .length = length}};
}

// ---- memory

struct AppendRow {
    const char* name;
    size_t length, alignment, padding;
    DataLocation expected;
};

TEST(MutableMemoryBuilder, PlacesValuesBehindEachOther) {
    const AppendRow rows[] = {
            {"first", 5, 4, 1, {.poolIndex = 3, .offset = 0, .length = 5}},
            {"aligned", 3, 4, 1, {.poolIndex = 3, .offset = 8, .length = 3}},
            {"padded", 2, 1, 8, {.poolIndex = 3, .offset = 11, .length = 2, .padding = 6}},
            {"both", 1, 16, 4, {.poolIndex = 3, .offset = 32, .length = 1, .padding = 3}},
    };
    MutableMemoryBuilder builder(3);
    EXPECT_TRUE(builder.empty());
    for (const AppendRow& row : rows) {
        EXPECT_EQ(builder.append(row.length, row.alignment, row.padding), row.expected) << row.name;
    }
    EXPECT_FALSE(builder.empty());
    EXPECT_EQ(getSize(builder.finish().value()), 36u);
}

TEST(MutableMemoryBuilder, RefusesWhatNoPoolHolds) {
    struct Row {
        const char* name;
        size_t length, alignment, padding;
    };
    const Row rows[] = {{"nothing", 0, 1, 1},
                        {"too long", size_t{1} << 32, 1, 1},
                        {"too long with its padding", (size_t{1} << 32) - 1, 1, 2},
                        {"alignment", 8, 3, 1},
                        {"padding", 8, 1, 0}};
    for (const Row& row : rows) {
        MutableMemoryBuilder builder(0);
        builder.append(row.length, row.alignment, row.padding);
        EXPECT_FALSE(builder.finish().has_value()) << row.name;
    }
    MutableMemoryBuilder twice(0);
    twice.append((size_t{1} << 31) + 5, 1, 1);
    twice.append((size_t{1} << 31) + 5, 1, 1);
    EXPECT_FALSE(twice.finish().has_value());
}

TEST(ConstantMemoryBuilder, CopiesValues) {
    ConstantMemoryBuilder builder(0);
    const std::string first = "abc", second = "de";
    EXPECT_EQ(builder.append(first.data(), 3).offset, 0u);
    const DataLocation place = builder.append(second.data(), 2);
    EXPECT_EQ(place.offset % kMinMemoryAlignment, 0u);
    const std::vector<uint8_t> bytes = bytesOf(builder.finish().value());
    EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 3), first);
    EXPECT_EQ(std::string(bytes.begin() + place.offset, bytes.begin() + place.offset + 2), second);
}

TEST(ConstantMemoryBuilder, RefusesNull) {
    ConstantMemoryBuilder builder(0);
    builder.append(nullptr, 4);
    EXPECT_EQ(builder.finish().error().message, "a constant has bytes but no data");
}

TEST(Map, SharesBytes) {
    const SharedMemory memory = createSharedMemory(4).value();
    const Mapping mapping = map(memory).value();
    ASSERT_TRUE(std::holds_alternative<void*>(mapping.pointer));
    *static_cast<uint8_t*>(std::get<void*>(mapping.pointer)) = 7;
    EXPECT_TRUE(flush(mapping));
    EXPECT_EQ(bytesOf(memory), (std::vector<uint8_t>{7, 0, 0, 0}));
    EXPECT_FALSE(map(SharedMemory()).has_value());
    EXPECT_FALSE(flush(Mapping()));
}

TEST(Map, ReadOnlyMemoryHasAConstPointer) {
    const SharedMemory whole = createSharedMemory(16).value();
    const int fd = std::get<Memory::Ashmem>(whole->handle).fd.get();
    const SharedMemory memory = createSharedMemoryFromFd(16, PROT_READ, fd, 0).value();
    EXPECT_TRUE(std::holds_alternative<const void*>(map(memory).value().pointer));
}

TEST(Map, BlobsOfHardwareBuffers) {
    const AHardwareBuffer_Desc description = {
            .width = 8,
            .height = 1,
            .layers = 1,
            .format = AHARDWAREBUFFER_FORMAT_BLOB,
            .usage = AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN | AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN,
            .stride = 0,
            .rfu0 = 0,
            .rfu1 = 0};
    AHardwareBuffer* buffer = nullptr;
    ASSERT_EQ(AHardwareBuffer_allocate(&description, &buffer), 0);
    const SharedMemory memory = createSharedMemoryFromAHWB(buffer, /*takeOwnership=*/false).value();
    EXPECT_TRUE(isAhwbBlob(memory));
    EXPECT_EQ(getSize(memory), 8u);
    const Mapping mapping = map(memory).value();
    static_cast<uint8_t*>(std::get<void*>(mapping.pointer))[7] = 5;
    void* locked = nullptr;
    ASSERT_EQ(AHardwareBuffer_lock(buffer, AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN, -1, nullptr,
                                   &locked),
              0);
    EXPECT_EQ(static_cast<uint8_t*>(locked)[7], 5);
    AHardwareBuffer_unlock(buffer, nullptr);
    AHardwareBuffer_release(buffer);
    EXPECT_FALSE(createSharedMemoryFromAHWB(nullptr, /*takeOwnership=*/true).has_value());
}

TEST(DupFds, StopsAtTheFirstThatIsNotOpen) {
    const SharedMemory memory = createSharedMemory(1).value();
    const int open = std::get<Memory::Ashmem>(memory->handle).fd.get();
    const std::vector<int> good = {open, open}, bad = {open, -1};
    EXPECT_EQ(dupFds(good.begin(), good.end()).value().size(), 2u);
    EXPECT_EQ(dupFds(bad.begin(), bad.end()).error().message,
              "the descriptor -1 cannot be duplicated");
}

// ---- pointers

TEST(FlushDataFromPointerToShared, CopiesOnlyWhereThereAreSome) {
    Model model = addModel();
    std::optional<Model> copy;
    EXPECT_EQ(&flushDataFromPointerToShared(&model, &copy).value().get(), &model);
    EXPECT_FALSE(copy.has_value());

    const int32_t none = 0;
    model.main.operands[2].lifetime = Operand::LifeTime::POINTER;
    model.main.operands[2].location = {.pointer = static_cast<const void*>(&none), .length = 4};
    EXPECT_FALSE(hasNoPointerData(model));
    const Model& shared = flushDataFromPointerToShared(&model, &copy).value();
    EXPECT_EQ(&shared, &*copy);
    EXPECT_TRUE(utils::hasNoPointerData(shared));
    EXPECT_TRUE(validate(shared).ok());
    EXPECT_FALSE(flushDataFromPointerToShared(nullptr, &copy).has_value());
}

TEST(ConvertRequestFromPointerToShared, CopiesInAndOut) {
    uint8_t in[] = {1, 2, 3}, more[] = {4}, out[] = {0, 0};
    Request request{.inputs = {behind(in, 3), behind(more, 1)}, .outputs = {behind(out, 2)}};
    std::optional<Request> shared;
    RequestRelocation relocation;
    const Request& converted =
            convertRequestFromPointerToShared(&request, 16, 8, &shared, &relocation).value();
    ASSERT_EQ(converted.pools.size(), 2u);
    EXPECT_EQ(converted.inputs[1].location,
              (DataLocation{.poolIndex = 0, .offset = 16, .length = 1, .padding = 7}));
    EXPECT_EQ(converted.outputs[0].location.poolIndex, 1u);
    EXPECT_TRUE(hasNoPointerData(converted));

    const auto& inputs = std::get<SharedMemory>(converted.pools[0]);
    EXPECT_EQ(bytesOf(inputs)[0], 0);
    relocation.input->flush();
    EXPECT_EQ(bytesOf(inputs)[2], 3);
    EXPECT_EQ(bytesOf(inputs)[16], 4);
    const std::vector<uint8_t> results = {8, 9};
    ASSERT_TRUE(::nn::writeMemory(std::get<SharedMemory>(converted.pools[1]), 0, results).ok());
    relocation.output->flush();
    EXPECT_EQ(out[1], 9);
}

TEST(ConvertRequestFromPointerToShared, RefusesNull) {
    Request request{.inputs = {behind(nullptr, 3)}};
    std::optional<Request> shared;
    RequestRelocation relocation;
    const auto converted = convertRequestFromPointerToShared(&request, 1, 1, &shared, &relocation);
    EXPECT_EQ(converted.error().message, "inputs[0]: pointer to 3 bytes is null [relocation.null]");
    EXPECT_FALSE(shared.has_value());
}

TEST(RelocationTracker, StaysWithinItsPool) {
    const SharedMemory memory = createSharedMemory(8).value();
    uint8_t byte = 0;
    EXPECT_TRUE(OutputRelocationTracker::create({{&byte, 1, 7}}, memory).has_value());
    EXPECT_FALSE(OutputRelocationTracker::create({{&byte, 1, 8}}, memory).has_value());
    EXPECT_FALSE(OutputRelocationTracker::create({{&byte, 2, SIZE_MAX}}, memory).has_value());
}

// ---- results

Result<void> positive(int number) {
    if (number > 0) return {};
    return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << number << " is not positive";
}
GeneralResult<int> twice(int number) {
    NN_TRY(positive(number));
    return 2 * number;
}
ExecutionResult<int> fourTimes(int number) {
    if (number > 100) {
        return NN_ERROR(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, {{.dimensions = {1}}}) << "large";
    }
    return NN_TRY(twice(NN_TRY(twice(number))));
}
ExecutionResult<std::string> text(int number) { return std::to_string(NN_TRY(fourTimes(number))); }

TEST(NnTry, ReturnsValuesAndErrors) {
    EXPECT_EQ(text(3).value(), "12");
    EXPECT_EQ(text(0).error().message, "0 is not positive");
    EXPECT_EQ(text(0).error().code, ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(text(101).error().outputShapes.size(), 1u);
}

TEST(Unexpected, BecomesAFailureOfAnyResult) {
    const GeneralError error{.message = "busy", .code = ErrorStatus::DEVICE_UNAVAILABLE};
    const ExecutionError tooSmall("small", ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, {OutputShape{}});
    const auto general = [&]() -> GeneralResult<int> { return base::unexpected(error); }();
    EXPECT_EQ(general.error(), error);
    const GeneralResult<void> nothing = base::unexpected(tooSmall);
    EXPECT_EQ(nothing.error().code, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    const ExecutionResult<int> executed = base::unexpected(tooSmall);
    EXPECT_EQ(executed.error(), tooSmall);
    const ExecutionResult<void> alike = base::unexpected(error);
    EXPECT_EQ(alike.error().code, error.code);
    const auto text = []() -> Result<int> { return base::unexpected("none"); }();
    EXPECT_EQ(text.error().message, "none");
    const Result<void> nothingElse = base::unexpected(std::string("void"));
    std::ostringstream printed;
    printed << nothingElse.error() << '/' << general.error();
    EXPECT_EQ(printed.str(), "void/busy");
}

// ---- types

TEST(TypeUtils, Sizes) {
    EXPECT_EQ(getNonExtensionSize(OperandType::TENSOR_FLOAT32, {2, 3}), 24u);
    EXPECT_EQ(getNonExtensionSize(OperandType::TENSOR_FLOAT32, {2, 0}), 0u);
    EXPECT_EQ(getNonExtensionSize(OperandType::TENSOR_FLOAT32, Dimensions(3, 1u << 31)),
              std::nullopt);
    EXPECT_EQ(roundUp(5, 4), 8u);
    const size_t offset = (size_t{7} << 32) + (size_t{1} << 31);
    const auto [lower, higher] = getIntsFromOffset(offset);
    EXPECT_EQ(getOffsetFromInts(lower, higher), offset);
}

TEST(TypeUtils, Consumers) {
    EXPECT_EQ(countNumberOfConsumers(4, addModel().main.operations).value(),
              (std::vector<uint32_t>{1, 1, 1, 0}));
    EXPECT_FALSE(countNumberOfConsumers(2, addModel().main.operations).has_value());
}

TEST(TypeUtils, Prints) {
    std::ostringstream out;
    out << SyncFence::FenceState::SIGNALED << ' ' << OptionalDuration() << ' ' << Duration(3) << ' '
        << MemoryPreference{.alignment = 4, .padding = 1};
    using enum SyncFence::FenceState;
    for (const auto state : {ACTIVE, ERROR, UNKNOWN, SyncFence::FenceState{77}}) {
        out << ' ' << state;
    }
    EXPECT_EQ(out.str(),
              "SIGNALED none 3 ns {alignment = 4, padding = 1} ACTIVE ERROR UNKNOWN "
              "FenceState{77}");
}

TEST(TypeUtils, SizesOfMemories) {
    Model model = addModel();
    model.pools = {::nn::createSharedMemory(8).value(), ::nn::createSharedMemory(24).value()};
    const auto [values, pools] = getMemorySizes(model);
    EXPECT_EQ(values, 4u);
    EXPECT_EQ(pools, (std::vector<size_t>{8, 24}));
    EXPECT_EQ(getNonExtensionSize(model.main.operands[0]), 8u);
}

TEST(TypeUtils, CombinesDimensions) {
    EXPECT_EQ(combineDimensions({2, 0}, {0, 3}).value(), (Dimensions{2, 3}));
    EXPECT_EQ(combineDimensions({2, 1}, {3, 1}).error().code, ErrorStatus::INVALID_ARGUMENT);
}

// What kernels of a driver compute with.
TEST(CpuExecutorParts, FindOperandsAndTheirShapes) {
    const Operation operation{OperationType::ADD, {0, 1}, {2}};
    std::vector<RunTimeOperandInfo> operands(3, {.type = OperandType::TENSOR_FLOAT32});
    operands[0].dimensions = {2, 1};
    operands[1].dimensions = {3};
    RunTimeOperandInfo* output = GetOutput(operation, operands.data(), 0);
    EXPECT_TRUE(tensorHasUnspecifiedDimensions(output->type, output->dimensions));
    Shape shape = output->shape();
    ASSERT_TRUE(SetShape(GetInput(operation, operands.data(), 0)->shape(), &shape));
    ASSERT_TRUE(calculateBroadcastedShape(operands[0].shape(), operands[1].shape(), &shape));
    EXPECT_EQ(getNumberOfElements(shape), 6u);
    output->dimensions = shape.dimensions;
    EXPECT_FALSE(output->isSufficient());
    output->length = 6 * sizeof(float);
    EXPECT_TRUE(operands[2].isSufficient());
}

TEST(CommonUtils, HandlesAndMemoriesOfHidl) {
    const auto memory = ::nn::createSharedMemory(8).value();
    const auto hidlMemory = utils::createHidlMemory(memory);
    ASSERT_TRUE(hidlMemory.has_value());
    EXPECT_EQ(hidlMemory->size(), 8u);
    const auto table =
            utils::makeQuantized8PerformanceConsistentWithP({.execTime = 1}, {.execTime = 2});
    EXPECT_EQ(table.lookup(OperandType::TENSOR_FLOAT32).execTime, 1);
    EXPECT_EQ(table.lookup(OperandType::TENSOR_QUANT8_ASYMM).execTime, 2);
}

TEST(LegacyUtils, Deadlines) {
    EXPECT_EQ(makeDeadline(int64_t{-1}), std::nullopt);
    EXPECT_TRUE(hasDeadlinePassed(makeDeadline(uint64_t{0})));
    EXPECT_EQ(makeDeadline(UINT64_MAX), TimePoint::max());
    V1_3::OptionalTimePoint past;
    past.nanosecondsSinceEpoch(1);
    EXPECT_TRUE(hasDeadlinePassed(makeDeadline(past)));
    EXPECT_FALSE(hasDeadlinePassed(makeDeadline(V1_3::OptionalTimePoint())));
}

TEST(LegacyUtils, ExecutionResultsHaveWhatBelongsToTheirCode) {
    const std::vector<OutputShape> shapes(1);
    const Timing timing{.timeInDriver = Duration(1)};
    const auto failed = getExecutionResult(ErrorStatus::GENERAL_FAILURE, shapes, timing);
    EXPECT_EQ(failed, std::make_tuple(int{ANEURALNETWORKS_OP_FAILED}, std::vector<OutputShape>(),
                                      Timing()));
    EXPECT_EQ(std::get<1>(getExecutionResult(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, shapes, {})),
              shapes);
}

// ---- AIDL

TEST(AidlHelpers, Signs) {
    EXPECT_EQ(toUnsigned({1, 2}).value(), (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(toUnsigned({1, -2}).error().message, "the number -2 at 1 is negative");
    EXPECT_EQ(aidl_utils::toSigned({5}).value(), std::vector<int32_t>{5});
    EXPECT_EQ(aidl_utils::toSigned({1u << 31}).error().code, ErrorStatus::INVALID_ARGUMENT);
}

TEST(AidlHelpers, Performances) {
    auto table = nonExtensionOperandPerformance(aidl_hal::PerformanceInfo{1.0f, 2.0f});
    EXPECT_TRUE(std::is_sorted(table.begin(), table.end(),
                               [](const auto& a, const auto& b) { return a.type < b.type; }));
    EXPECT_TRUE(std::none_of(table.begin(), table.end(), [](const auto& entry) {
        return entry.type == aidl_hal::OperandType::SUBGRAPH;
    }));
    update(&table, aidl_hal::OperandType::BOOL, {3.0f, 4.0f});
    const auto changed = std::count_if(table.begin(), table.end(), [](const auto& entry) {
        return entry.info.execTime == 3.0f && entry.type == aidl_hal::OperandType::BOOL;
    });
    EXPECT_EQ(changed, 1);
    EXPECT_EQ(convertResultCodeToAidlErrorStatus(ANEURALNETWORKS_BAD_DATA),
              aidl_hal::ErrorStatus::INVALID_ARGUMENT);
}

GeneralResult<void> handled(const ndk::ScopedAStatus& status) {
    HANDLE_ASTATUS(status) << "prepareModel";
    return {};
}

TEST(HandleAStatus, ReturnsCodeAndText) {
    EXPECT_TRUE(handled(ndk::ScopedAStatus::ok()).has_value());
    const auto failed = handled(ndk::ScopedAStatus::fromServiceSpecificErrorWithMessage(
            static_cast<int32_t>(aidl_hal::ErrorStatus::DEVICE_UNAVAILABLE), "busy"));
    EXPECT_EQ(failed.error().code, ErrorStatus::DEVICE_UNAVAILABLE);
    EXPECT_NE(failed.error().message.find("busy"), std::string::npos);
    EXPECT_NE(failed.error().message.find(": prepareModel"), std::string::npos);
}

TEST(Adapter, OffersADeviceOfTheVersion) {
    const auto adapted =
            ::aidl::android::hardware::neuralnetworks::adapter::adapt(::nn::referenceDevice());
    ASSERT_NE(adapted, nullptr);
    int32_t version = 0;
    EXPECT_TRUE(adapted->getInterfaceVersion(&version).isOk());
    EXPECT_EQ(version, NNAPI_AIDL_VERSION);

    const auto callback = ndk::SharedRefBase::make<aidl_utils::PreparedModelCallback>();
    const aidl_hal::Model model = aidl_utils::convert(addModel()).value();
    EXPECT_TRUE(adapted->prepareModel(model, aidl_hal::ExecutionPreference::LOW_POWER,
                                      aidl_hal::Priority::MEDIUM, -1, {}, {},
                                      std::vector<uint8_t>(32), callback)
                        .isOk());
    EXPECT_TRUE(callback->get().has_value());
    EXPECT_EQ(::aidl::android::hardware::neuralnetworks::adapter::adapt(nullptr), nullptr);
}

// ---- callbacks and deaths

TEST(Callbacks, FailWithTheCodeOfTheDriver) {
    const auto callback =
            sp<::android::hardware::neuralnetworks::V1_3::utils::PreparedModelCallback>::make();
    EXPECT_TRUE(callback->notify_1_3(V1_3::ErrorStatus::MISSED_DEADLINE_TRANSIENT, nullptr).isOk());
    EXPECT_EQ(callback->get().error().code, ErrorStatus::MISSED_DEADLINE_TRANSIENT);
}

TEST(Callbacks, EndWithADeath) {
    const auto callback =
            sp<::android::hardware::neuralnetworks::V1_3::utils::ExecutionCallback>::make();
    callback->notifyAsDeadObject();
    EXPECT_EQ(callback->get().error().code, ErrorStatus::DEAD_OBJECT);
}

TEST(Callbacks, HaveShapesAndTimes) {
    const auto callback =
            sp<::android::hardware::neuralnetworks::V1_3::utils::ExecutionCallback>::make();
    const hardware::hidl_vec<V1_2::OutputShape> shapes = {{.dimensions = {2}}};
    EXPECT_TRUE(callback->notify_1_3(V1_3::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, shapes,
                                     {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX})
                        .isOk());
    const ExecutionError error = callback->get().error();
    EXPECT_EQ(error.code, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    EXPECT_EQ(error.outputShapes, (std::vector<OutputShape>{{.dimensions = {2}}}));
}

// An object whose death the test reports.
class Mortal : public ::nn::hidl::IBase {
   public:
    ::nn::hidl::Return<bool> linkToDeath(const sp<::nn::hidl::hidl_death_recipient>& recipient,
                                         uint64_t) override {
        mRecipient = recipient;
        return true;
    }
    void die() { mRecipient->serviceDied(0, nullptr); }

   private:
    sp<::nn::hidl::hidl_death_recipient> mRecipient{};
};
struct Counted : utils::IProtectedCallback {
    void notifyAsDeadObject() override {
        ++deaths;
        if (onDeath) onDeath();
    }
    int deaths = 0;
    std::function<void()> onDeath{};
};

TEST(DeathHandler, NotifiesWhatIsProtected) {
    const auto object = sp<Mortal>::make();
    const auto handler = utils::DeathHandler::create(object);
    ASSERT_TRUE(handler.has_value());
    Counted held, released, late;
    const auto guard = handler.value().protectCallback(&held);
    { const auto gone = handler.value().protectCallback(&released); }
    object->die();
    const auto lateGuard = handler.value().protectCallback(&late);
    EXPECT_EQ(held.deaths, 1);
    EXPECT_EQ(released.deaths, 0);
    EXPECT_EQ(late.deaths, 1);
}

TEST(DeathHandler, ACallbackMayReleaseItself) {
    const auto object = sp<Mortal>::make();
    const auto handler = utils::DeathHandler::create(object);
    Counted callback;
    auto guard = std::make_unique<base::ScopeGuard<utils::DeathHandler::Cleanup>>(
            handler.value().protectCallback(&callback));
    callback.onDeath = [&guard] { guard.reset(); };
    object->die();
    EXPECT_EQ(callback.deaths, 1);
    EXPECT_EQ(guard, nullptr);
}

}  // namespace
}  // namespace android::nn
