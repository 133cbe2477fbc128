#include "driver/support_library/computation.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "driver/fences/deadlines.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::driver {
namespace {

// More dimensions than any tensor has.
constexpr uint32_t kMaxRank = 64;

// The number of bytes that the library may access. Padding behind an output of unknown size does
// not count: the library would use it for values.
size_t lengthOf(const Request::Argument& argument, const Operand& operand) {
    const DataLocation& location = argument.location;
    const Dimensions& dimensions =
            argument.dimensions.empty() ? operand.dimensions : argument.dimensions;
    if (hasUnspecifiedDimensions(operand.type, dimensions)) return location.length;
    return size_t{location.length} + location.padding;
}

}  // namespace

uint64_t nanosecondsOf(Duration duration) {
    return static_cast<uint64_t>(std::max<Duration::rep>(duration.count(), 1));
}

Request::MemoryDomainToken tokenOf(const Request::MemoryPool& pool) {
    const auto* buffer = std::get_if<SharedBuffer>(&pool);
    return buffer != nullptr ? (*buffer)->getToken() : std::get<Request::MemoryDomainToken>(pool);
}

GeneralResult<Computation> Computation::create(
        const std::shared_ptr<const LibraryCompilation>& compilation, const Request& request,
        const ExecutionConfig& config, bool isReusable) {
    const NnApiSLDriverImplFL5& api = compilation->library->api();
    NNAPI_ASSIGN_OR_RETURN(
            made, compilation->library->made("ANeuralNetworksExecution_create",
                                             api.ANeuralNetworksExecution_free,
                                             [&](ANeuralNetworksExecution** execution) {
                                                 return api.ANeuralNetworksExecution_create(
                                                         compilation->compilation.get(), execution);
                                             }));
    Computation computation;
    computation.mCompilation = compilation;
    computation.mMeasure = config.measureTiming;
    computation.mExecution = std::move(made);
    NNAPI_RETURN_IF_ERROR(computation.configure(config, isReusable));
    NNAPI_RETURN_IF_ERROR(computation.setArguments(request));
    return computation;
}

Status Computation::setDeadline(const OptionalTimePoint& deadline) const {
    if (!deadline) return {};
    return NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setTimeout, get(),
                         nanosecondsUntil(*deadline));
}

ExecutionResult<Executed> Computation::end(std::string_view function, int code,
                                           const std::vector<Request::Argument>& outputs) const {
    hal::utils::ExecutionReport report{.code = errorStatusOf(code)};
    if (report.code == ErrorStatus::NONE || report.code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
        report.outputShapes.emplace(shapes(outputs.size()));
    }
    if (report.code == ErrorStatus::NONE) report.timing = timing(false);
    auto executed = checkExecutionResult(std::move(report), {outputs, &mCompilation->outputs},
                                         mMeasure, function);
    if (executed.has_value()) return executed;
    const auto failure = executed.error();
    // The failure is more precise with its own code.
    if (code == ANEURALNETWORKS_NO_ERROR || failure.code != errorStatusOf(code)) {
        return executed;
    }
    return {library().statusOf(function, code), failure.outputShapes};
}

Timing Computation::timing(bool isFenced) const {
    if (mMeasure != MeasureTiming::YES) return {};
    return {.timeOnDevice = duration(isFenced ? ANEURALNETWORKS_FENCED_DURATION_ON_HARDWARE
                                              : ANEURALNETWORKS_DURATION_ON_HARDWARE),
            .timeInDriver = duration(isFenced ? ANEURALNETWORKS_FENCED_DURATION_IN_DRIVER
                                              : ANEURALNETWORKS_DURATION_IN_DRIVER)};
}

Status Computation::configure(const ExecutionConfig& config, bool isReusable) const {
    if (isReusable) {
        NNAPI_RETURN_IF_ERROR(
                NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setReusable, get(), true));
    }
    if (mMeasure == MeasureTiming::YES) {
        NNAPI_RETURN_IF_ERROR(
                NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setMeasureTiming, get(), true));
    }
    if (config.loopTimeoutDuration) {
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setLoopTimeout,
                                            get(), nanosecondsOf(*config.loopTimeoutDuration)));
    }
    return addHints(library(), config.executionHints, config.extensionNameToPrefix,
                    "ANeuralNetworksExecution_addExtensionAttribute",
                    [&](const NnApiSLDriverImplFL8& table, const ExtensionCode& code,
                        const std::vector<uint8_t>& value) {
                        return table.ANeuralNetworksExecution_addExtensionAttribute(
                                get(), code.name, code.code, value.data(), value.size());
                    });
}

const Operand& Computation::operandOf(size_t index, bool isInput) const {
    const Model::Subgraph& main = mCompilation->model->model.main;
    return main.operands[(isInput ? main.inputIndexes : main.outputIndexes)[index]];
}

Status Computation::setArguments(const Request& request) {
    const auto hasPadding = [](const Request::Argument& argument) {
        return argument.location.padding != 0;
    };
    if (absl::c_any_of(request.inputs, hasPadding) || absl::c_any_of(request.outputs, hasPadding)) {
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(
                library(), ANeuralNetworksExecution_enableInputAndOutputPadding, get(), true));
    }
    std::vector<ANeuralNetworksMemory*> memories;
    for (size_t i = 0; i < request.pools.size(); ++i) {
        NNAPI_ASSIGN_OR_RETURN(memory, memoryOf(request.pools[i], i));
        memories.push_back(memory.get());
        mMemories.push_back(std::move(memory));
    }
    for (size_t i = 0; i < request.inputs.size(); ++i) {
        NNAPI_RETURN_IF_ERROR(setArgument(request.inputs[i], i, true, memories));
    }
    for (size_t i = 0; i < request.outputs.size(); ++i) {
        NNAPI_RETURN_IF_ERROR(setArgument(request.outputs[i], i, false, memories));
    }
    return {};
}

GeneralResult<std::shared_ptr<ANeuralNetworksMemory>> Computation::memoryOf(
        const Request::MemoryPool& pool, size_t index) const {
    if (const auto* memory = std::get_if<SharedMemory>(&pool)) {
        return library().memoryOf(*memory);
    }
    const auto token = tokenOf(pool);
    const auto found = mCompilation->buffers->find(token);
    if (found == nullptr) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "pools[" << index << "]: the device has no buffer with token "
               << static_cast<uint32_t>(token);
    }
    return found->memory;
}

Status Computation::setArgument(const Request::Argument& argument, size_t index, bool isInput,
                                const std::vector<ANeuralNetworksMemory*>& memories) const {
    const Operand& operand = operandOf(index, isInput);
    const Dimensions& dimensions = argument.dimensions;
    const auto& extensionTypes = mCompilation->model->extensionTypes;
    const auto numbered = extensionTypes.find(operand.type);
    const ANeuralNetworksOperandType type{
            .type = numbered == extensionTypes.end() ? static_cast<int32_t>(operand.type)
                                                     : numbered->second,
            .dimensionCount = static_cast<uint32_t>(dimensions.size()),
            .dimensions = dimensions.data(),
            .scale = operand.scale,
            .zeroPoint = operand.zeroPoint};
    const auto* given = dimensions.empty() ? nullptr : &type;
    const auto number = static_cast<int32_t>(index);
    const DataLocation& location = argument.location;
    switch (argument.lifetime) {
        case Request::Argument::LifeTime::NO_VALUE:
            return isInput ? NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setInput, get(),
                                           number, nullptr, nullptr, 0)
                           : NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setOutput, get(),
                                           number, nullptr, nullptr, 0);
        case Request::Argument::LifeTime::POINTER: {
            const size_t length = lengthOf(argument, operand);
            if (isInput) {
                const void* data =
                        std::visit([](const void* each) { return each; }, location.pointer);
                return NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setInput, get(), number,
                                     given, data, length);
            }
            return NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setOutput, get(), number,
                                 given, std::get<void*>(location.pointer), length);
        }
        case Request::Argument::LifeTime::POOL: {
            const size_t length = lengthOf(argument, operand);
            auto* memory = memories[location.poolIndex];
            return isInput ? NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setInputFromMemory,
                                           get(), number, given, memory, location.offset, length)
                           : NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setOutputFromMemory,
                                           get(), number, given, memory, location.offset, length);
        }
    }
    return {};
}

Result<std::vector<OutputShape>> Computation::shapes(size_t count) const {
    std::vector<OutputShape> shapes(count);
    for (size_t i = 0; i < count; ++i) {
        const auto number = static_cast<int32_t>(i);
        uint32_t rank = 0;
        int code = api().ANeuralNetworksExecution_getOutputOperandRank(get(), number, &rank);
        shapes[i].isSufficient = code == ANEURALNETWORKS_NO_ERROR;
        if (code != ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE) {
            NNAPI_RETURN_IF_ERROR(
                    library().statusOf("ANeuralNetworksExecution_getOutputOperandRank", code));
        }
        if (rank > kMaxRank) {
            return Status(error() << "output " << i << " has " << rank << " dimensions, allowed "
                                  << kMaxRank);
        }
        if (rank == 0) continue;
        shapes[i].dimensions.resize(rank);
        code = api().ANeuralNetworksExecution_getOutputOperandDimensions(
                get(), number, shapes[i].dimensions.data());
        if (code == ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE && !shapes[i].isSufficient) {
            continue;
        }
        NNAPI_RETURN_IF_ERROR(
                library().statusOf("ANeuralNetworksExecution_getOutputOperandDimensions", code));
    }
    return shapes;
}

OptionalDuration Computation::duration(int32_t which) const {
    uint64_t time = std::numeric_limits<uint64_t>::max();
    const int code = api().ANeuralNetworksExecution_getDuration(get(), which, &time);
    return code == ANEURALNETWORKS_NO_ERROR ? timeOf(time) : std::nullopt;
}

}  // namespace nn::driver
