#include "convert/aidl/structs.h"

namespace nn::conversion {

Status translate(const DataLocation& location, aidl_hal::DataLocation& hal,
                 const Context& context) {
    NNAPI_RETURN_IF_ERROR(carryNumber(location.poolIndex, hal.poolIndex, "poolIndex", context));
    hal.offset = location.offset;
    hal.length = location.length;
    hal.padding = location.padding;
    context.keeps("pointer", location.pointer, {}, "has no pointers");
    return {};
}

Status translate(const aidl_hal::DataLocation& hal, DataLocation& location,
                 const Context& context) {
    location.pointer = {};
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.poolIndex, location.poolIndex, "poolIndex", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.offset, location.offset, "offset", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.length, location.length, "length", context));
    return carryNumber(hal.padding, location.padding, "padding", context);
}

Status translate(const Operand::ExtraParams& params, AidlExtraParams& hal, const Context& context) {
    using Tag = aidl_hal::OperandExtraParams::Tag;
    hal = std::nullopt;
    if (const auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&params)) {
        return translate(*quant, hal.emplace().get<Tag::channelQuant>(), context);
    }
    if (const auto* extension = std::get_if<Operand::ExtensionParams>(&params)) {
        hal.emplace().set<Tag::extension>(*extension);
    }
    return {};
}

Status translate(const AidlExtraParams& hal, Operand::ExtraParams& params, const Context& context) {
    using Tag = aidl_hal::OperandExtraParams::Tag;
    params = Operand::NoParams{};
    if (!hal) return {};
    switch (hal->getTag()) {
        case Tag::channelQuant:
            return translate(hal->get<Tag::channelQuant>(),
                             params.emplace<Operand::SymmPerChannelQuantParams>(), context);
        case Tag::extension:
            params = hal->get<Tag::extension>();
            return {};
    }
    return refuseUnion(context);
}

Status translateRare(const Operand& operand, aidl_hal::Operand& hal, const Context& context) {
    NNAPI_RETURN_IF_ERROR(translate(operand.type, hal.type, context.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(operand.dimensions, hal.dimensions, "dimensions", context));
    if (!has(context.version, operand.lifetime)) return refuseLifeTime(operand.lifetime, context);
    NNAPI_RETURN_IF_ERROR(translate(operand.location, hal.location, context.at("location")));
    return translate(operand.extraParams, hal.extraParams, context.at("extraParams"));
}

Status translateRare(const aidl_hal::Operand& hal, Operand& operand, const Context& context) {
    NNAPI_RETURN_IF_ERROR(translate(hal.type, operand.type, context.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(hal.dimensions, operand.dimensions, "dimensions", context));
    NNAPI_RETURN_IF_ERROR(translate(hal.lifetime, operand.lifetime, context.at("lifetime")));
    NNAPI_RETURN_IF_ERROR(translate(hal.location, operand.location, context.at("location")));
    return translate(hal.extraParams, operand.extraParams, context.at("extraParams"));
}

Status translateRare(const Operation& operation, aidl_hal::Operation& hal, const Context& context) {
    NNAPI_RETURN_IF_ERROR(translate(operation.type, hal.type, context.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(operation.inputs, hal.inputs, "inputs", context));
    return carryNumbers(operation.outputs, hal.outputs, "outputs", context);
}

Status translateRare(const aidl_hal::Operation& hal, Operation& operation, const Context& context) {
    NNAPI_RETURN_IF_ERROR(translate(hal.type, operation.type, context.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(hal.inputs, operation.inputs, "inputs", context));
    return carryNumbers(hal.outputs, operation.outputs, "outputs", context);
}

Status translate(const Request::MemoryPool& pool, aidl_hal::RequestMemoryPool& hal,
                 const Context& context) {
    using Tag = aidl_hal::RequestMemoryPool::Tag;
    if (const auto* token = std::get_if<MemoryDomainToken>(&pool)) {
        return carryNumber(static_cast<uint32_t>(*token), hal.get<Tag::token>(), "token", context);
    }
    const auto* memory = std::get_if<SharedMemory>(&pool);
    if (memory == nullptr) return refusePool(pool, context);
    return translate(*memory, hal.get<Tag::pool>(), context);
}

Status translate(const aidl_hal::RequestMemoryPool& hal, Request::MemoryPool& pool,
                 const Context& context) {
    using Tag = aidl_hal::RequestMemoryPool::Tag;
    switch (hal.getTag()) {
        case Tag::pool:
            return translate(hal.get<Tag::pool>(), pool.emplace<SharedMemory>(), context);
        case Tag::token: {
            uint32_t token = 0;
            NNAPI_RETURN_IF_ERROR(carryNumber(hal.get<Tag::token>(), token, "token", context));
            pool = static_cast<MemoryDomainToken>(token);
            return {};
        }
    }
    return refuseUnion(context);
}

Status translate(const MeasureTiming& measure, bool& hal, const Context& context) {
    hal = measure == MeasureTiming::YES;
    if (hal || measure == MeasureTiming::NO) return {};
    return refuseEnumerator(measure, context);
}

Status translate(const bool& hal, MeasureTiming& measure, const Context&) {
    measure = hal ? MeasureTiming::YES : MeasureTiming::NO;
    return {};
}

Status translate(const CacheToken& token, std::vector<uint8_t>& hal, const Context&) {
    hal.assign(token.begin(), token.end());
    return {};
}

Status translate(const std::vector<uint8_t>& hal, CacheToken& token, const Context& context) {
    if (hal.size() != token.size()) {
        return context.refuse("convert.cache_token",
                              fmt::format("the cache token has {}, allowed {}",
                                          Plural{hal.size(), "bytes"}, token.size()));
    }
    absl::c_copy(hal, token.begin());
    return {};
}

// Both ways. A token is that of an extension, so the sign is not part of it.
template <class From, class To>
Status translateHint(const From& from, To& to, const Context& context) {
    to.value = from.value;
    uint32_t token = 0;
    NNAPI_RETURN_IF_ERROR(carryNumber(from.token, token, "token", context));
    to.token = from.token;
    return {};
}

Status translate(const TokenValuePair& hint, aidl_hal::TokenValuePair& hal,
                 const Context& context) {
    return translateHint(hint, hal, context);
}

Status translate(const aidl_hal::TokenValuePair& hal, TokenValuePair& hint,
                 const Context& context) {
    return translateHint(hal, hint, context);
}

Status translate(const NumberOfCacheFiles& files, aidl_hal::NumberOfCacheFiles& hal,
                 const Context& context) {
    NNAPI_RETURN_IF_ERROR(carryNumber(files.first, hal.numModelCache, "numModelCache", context));
    return carryNumber(files.second, hal.numDataCache, "numDataCache", context);
}

Status translate(const aidl_hal::NumberOfCacheFiles& hal, NumberOfCacheFiles& files,
                 const Context& context) {
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.numModelCache, files.first, "numModelCache", context));
    return carryNumber(hal.numDataCache, files.second, "numDataCache", context);
}

Status translate(const Executed& executed, aidl_hal::ExecutionResult& hal, const Context& context) {
    const auto& [shapes, timing] = executed;
    hal.outputSufficientSize = true;
    NNAPI_RETURN_IF_ERROR(translateEach(shapes, hal.outputShapes, context, "outputShapes"));
    return translate(timing, hal.timing, context.at("timing"));
}

Status translate(const aidl_hal::ExecutionResult& hal, Executed& executed, const Context& context) {
    if (!hal.outputSufficientSize) {
        return context.refuse("convert.execution_result",
                              "outputs are too small, which is not how an execution succeeds");
    }
    auto& [shapes, timing] = executed;
    NNAPI_RETURN_IF_ERROR(translateEach(hal.outputShapes, shapes, context, "outputShapes"));
    return translate(hal.timing, timing, context.at("timing"));
}

namespace {

// Hints and the names of their extensions, which version 4 brought. `field` names the hints.
template <class Config, class Hal>
Status sendHints(const std::vector<TokenValuePair>& hints, const Config& config, Hal& hal,
                 std::vector<aidl_hal::TokenValuePair>& halHints, std::string_view field,
                 const Context& context) {
    if (context.version < HalVersion::AIDL4) {
        context.keeps(field, hints, {}, "has no hints");
        context.keeps("extensionNameToPrefix", config.extensionNameToPrefix, {}, "has no hints");
        return {};
    }
    NNAPI_RETURN_IF_ERROR(translateEach(hints, halHints, context, field));
    return translateEach(config.extensionNameToPrefix, hal.extensionNameToPrefix, context,
                         "extensionNameToPrefix");
}

}  // namespace

Status translate(const ExecutionConfig& config, aidl_hal::ExecutionConfig& hal,
                 const Context& context) {
    NNAPI_RETURN_IF_ERROR(
            translate(config.measureTiming, hal.measureTiming, context.at("measureTiming")));
    NNAPI_RETURN_IF_ERROR(translate(config.loopTimeoutDuration, hal.loopTimeoutDurationNs,
                                    context.at("loopTimeoutDuration")));
    return sendHints(config.executionHints, config, hal, hal.executionHints, "executionHints",
                     context);
}

Status translate(const aidl_hal::ExecutionConfig& hal, ExecutionConfig& config,
                 const Context& context) {
    NNAPI_RETURN_IF_ERROR(
            translate(hal.measureTiming, config.measureTiming, context.at("measureTiming")));
    NNAPI_RETURN_IF_ERROR(translate(hal.loopTimeoutDurationNs, config.loopTimeoutDuration,
                                    context.at("loopTimeoutDurationNs")));
    NNAPI_RETURN_IF_ERROR(
            translateEach(hal.executionHints, config.executionHints, context, "executionHints"));
    return translateEach(hal.extensionNameToPrefix, config.extensionNameToPrefix, context,
                         "extensionNameToPrefix");
}

Status translate(const PrepareModelConfig& config, aidl_hal::PrepareModelConfig& hal,
                 const Context& context) {
    NNAPI_RETURN_IF_ERROR(translate(config.preference, hal.preference, context.at("preference")));
    NNAPI_RETURN_IF_ERROR(translate(config.priority, hal.priority, context.at("priority")));
    NNAPI_RETURN_IF_ERROR(translate(config.deadline, hal.deadlineNs, context.at("deadline")));
    NNAPI_RETURN_IF_ERROR(translateEach(config.modelCache, hal.modelCache, context, "modelCache"));
    NNAPI_RETURN_IF_ERROR(translateEach(config.dataCache, hal.dataCache, context, "dataCache"));
    hal.cacheToken = config.cacheToken;
    return sendHints(config.compilationHints, config, hal, hal.compilationHints, "compilationHints",
                     context);
}

Status translate(const aidl_hal::PrepareModelConfig& hal, PrepareModelConfig& config,
                 const Context& context) {
    NNAPI_RETURN_IF_ERROR(translate(hal.preference, config.preference, context.at("preference")));
    NNAPI_RETURN_IF_ERROR(translate(hal.priority, config.priority, context.at("priority")));
    NNAPI_RETURN_IF_ERROR(translate(hal.deadlineNs, config.deadline, context.at("deadlineNs")));
    NNAPI_RETURN_IF_ERROR(translateEach(hal.modelCache, config.modelCache, context, "modelCache"));
    NNAPI_RETURN_IF_ERROR(translateEach(hal.dataCache, config.dataCache, context, "dataCache"));
    config.cacheToken = hal.cacheToken;
    NNAPI_RETURN_IF_ERROR(translateEach(hal.compilationHints, config.compilationHints, context,
                                        "compilationHints"));
    return translateEach(hal.extensionNameToPrefix, config.extensionNameToPrefix, context,
                         "extensionNameToPrefix");
}

}  // namespace nn::conversion
