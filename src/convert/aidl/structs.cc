#include "convert/aidl/structs.h"

namespace nn::conversion {

Status translate(const DataLocation& location, aidl_hal::DataLocation& hal, const Where& where) {
    NNAPI_RETURN_IF_ERROR(carryNumber(location.poolIndex, hal.poolIndex, "poolIndex", where));
    hal.offset = location.offset;
    hal.length = location.length;
    hal.padding = location.padding;
    where.keeps("pointer", location.pointer, {}, "has no pointers");
    return {};
}

Status translate(const aidl_hal::DataLocation& hal, DataLocation& location, const Where& where) {
    location.pointer = {};
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.poolIndex, location.poolIndex, "poolIndex", where));
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.offset, location.offset, "offset", where));
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.length, location.length, "length", where));
    return carryNumber(hal.padding, location.padding, "padding", where);
}

Status translate(const Operand::ExtraParams& params, AidlExtraParams& hal, const Where& where) {
    using Tag = aidl_hal::OperandExtraParams::Tag;
    hal = std::nullopt;
    if (const auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&params)) {
        return translate(*quant, hal.emplace().get<Tag::channelQuant>(), where);
    }
    if (const auto* extension = std::get_if<Operand::ExtensionParams>(&params)) {
        hal.emplace().set<Tag::extension>(*extension);
    }
    return {};
}

Status translate(const AidlExtraParams& hal, Operand::ExtraParams& params, const Where& where) {
    using Tag = aidl_hal::OperandExtraParams::Tag;
    params = Operand::NoParams{};
    if (!hal) return {};
    switch (hal->getTag()) {
        case Tag::channelQuant:
            return translate(hal->get<Tag::channelQuant>(),
                             params.emplace<Operand::SymmPerChannelQuantParams>(), where);
        case Tag::extension:
            params = hal->get<Tag::extension>();
            return {};
    }
    return refuseUnion(where);
}

Status translateRare(const Operand& operand, aidl_hal::Operand& hal, const Where& where) {
    NNAPI_RETURN_IF_ERROR(translate(operand.type, hal.type, where.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(operand.dimensions, hal.dimensions, "dimensions", where));
    if (!has(where.version, operand.lifetime)) return refuseLifeTime(operand.lifetime, where);
    NNAPI_RETURN_IF_ERROR(translate(operand.location, hal.location, where.at("location")));
    return translate(operand.extraParams, hal.extraParams, where.at("extraParams"));
}

Status translateRare(const aidl_hal::Operand& hal, Operand& operand, const Where& where) {
    NNAPI_RETURN_IF_ERROR(translate(hal.type, operand.type, where.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(hal.dimensions, operand.dimensions, "dimensions", where));
    NNAPI_RETURN_IF_ERROR(translate(hal.lifetime, operand.lifetime, where.at("lifetime")));
    NNAPI_RETURN_IF_ERROR(translate(hal.location, operand.location, where.at("location")));
    return translate(hal.extraParams, operand.extraParams, where.at("extraParams"));
}

Status translateRare(const Operation& operation, aidl_hal::Operation& hal, const Where& where) {
    NNAPI_RETURN_IF_ERROR(translate(operation.type, hal.type, where.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(operation.inputs, hal.inputs, "inputs", where));
    return carryNumbers(operation.outputs, hal.outputs, "outputs", where);
}

Status translateRare(const aidl_hal::Operation& hal, Operation& operation, const Where& where) {
    NNAPI_RETURN_IF_ERROR(translate(hal.type, operation.type, where.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(hal.inputs, operation.inputs, "inputs", where));
    return carryNumbers(hal.outputs, operation.outputs, "outputs", where);
}

Status translate(const Request::MemoryPool& pool, aidl_hal::RequestMemoryPool& hal,
                 const Where& where) {
    using Tag = aidl_hal::RequestMemoryPool::Tag;
    if (const auto* token = std::get_if<MemoryDomainToken>(&pool)) {
        return carryNumber(static_cast<uint32_t>(*token), hal.get<Tag::token>(), "token", where);
    }
    const auto* memory = std::get_if<SharedMemory>(&pool);
    if (memory == nullptr) return refusePool(pool, where);
    return translate(*memory, hal.get<Tag::pool>(), where);
}

Status translate(const aidl_hal::RequestMemoryPool& hal, Request::MemoryPool& pool,
                 const Where& where) {
    using Tag = aidl_hal::RequestMemoryPool::Tag;
    switch (hal.getTag()) {
        case Tag::pool:
            return translate(hal.get<Tag::pool>(), pool.emplace<SharedMemory>(), where);
        case Tag::token: {
            uint32_t token = 0;
            NNAPI_RETURN_IF_ERROR(carryNumber(hal.get<Tag::token>(), token, "token", where));
            pool = static_cast<MemoryDomainToken>(token);
            return {};
        }
    }
    return refuseUnion(where);
}

Status translate(const MeasureTiming& measure, bool& hal, const Where& where) {
    hal = measure == MeasureTiming::YES;
    if (hal || measure == MeasureTiming::NO) return {};
    return refuseEnumerator(measure, where);
}

Status translate(const bool& hal, MeasureTiming& measure, const Where&) {
    measure = hal ? MeasureTiming::YES : MeasureTiming::NO;
    return {};
}

Status translate(const CacheToken& token, std::vector<uint8_t>& hal, const Where&) {
    hal.assign(token.begin(), token.end());
    return {};
}

Status translate(const std::vector<uint8_t>& hal, CacheToken& token, const Where& where) {
    if (hal.size() != token.size()) {
        return where.refuse("convert.cache_token",
                            fmt::format("the cache token has {}, allowed {}",
                                        Counted{hal.size(), "bytes"}, token.size()));
    }
    absl::c_copy(hal, token.begin());
    return {};
}

// Both ways. A token is that of an extension, so the sign is not part of it.
template <class From, class To>
Status translateHint(const From& from, To& to, const Where& where) {
    to.value = from.value;
    uint32_t token = 0;
    NNAPI_RETURN_IF_ERROR(carryNumber(from.token, token, "token", where));
    to.token = from.token;
    return {};
}

Status translate(const TokenValuePair& hint, aidl_hal::TokenValuePair& hal, const Where& where) {
    return translateHint(hint, hal, where);
}

Status translate(const aidl_hal::TokenValuePair& hal, TokenValuePair& hint, const Where& where) {
    return translateHint(hal, hint, where);
}

Status translate(const NumberOfCacheFiles& files, aidl_hal::NumberOfCacheFiles& hal,
                 const Where& where) {
    NNAPI_RETURN_IF_ERROR(carryNumber(files.first, hal.numModelCache, "numModelCache", where));
    return carryNumber(files.second, hal.numDataCache, "numDataCache", where);
}

Status translate(const aidl_hal::NumberOfCacheFiles& hal, NumberOfCacheFiles& files,
                 const Where& where) {
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.numModelCache, files.first, "numModelCache", where));
    return carryNumber(hal.numDataCache, files.second, "numDataCache", where);
}

Status translate(const Executed& executed, aidl_hal::ExecutionResult& hal, const Where& where) {
    const auto& [shapes, timing] = executed;
    hal.outputSufficientSize = true;
    NNAPI_RETURN_IF_ERROR(translateEach(shapes, hal.outputShapes, where, "outputShapes"));
    return translate(timing, hal.timing, where.at("timing"));
}

Status translate(const aidl_hal::ExecutionResult& hal, Executed& executed, const Where& where) {
    if (!hal.outputSufficientSize) {
        return where.refuse("convert.execution_result",
                            "outputs are too small, which is not how an execution succeeds");
    }
    auto& [shapes, timing] = executed;
    NNAPI_RETURN_IF_ERROR(translateEach(hal.outputShapes, shapes, where, "outputShapes"));
    return translate(hal.timing, timing, where.at("timing"));
}

namespace {

// Hints and the names of their extensions, which version 4 brought. `field` names the hints.
template <class Config, class Hal>
Status sendHints(const std::vector<TokenValuePair>& hints, const Config& config, Hal& hal,
                 std::vector<aidl_hal::TokenValuePair>& halHints, std::string_view field,
                 const Where& where) {
    if (where.version < HalVersion::AIDL4) {
        where.keeps(field, hints, {}, "has no hints");
        where.keeps("extensionNameToPrefix", config.extensionNameToPrefix, {}, "has no hints");
        return {};
    }
    NNAPI_RETURN_IF_ERROR(translateEach(hints, halHints, where, field));
    return translateEach(config.extensionNameToPrefix, hal.extensionNameToPrefix, where,
                         "extensionNameToPrefix");
}

}  // namespace

Status translate(const ExecutionConfig& config, aidl_hal::ExecutionConfig& hal,
                 const Where& where) {
    NNAPI_RETURN_IF_ERROR(
            translate(config.measureTiming, hal.measureTiming, where.at("measureTiming")));
    NNAPI_RETURN_IF_ERROR(translate(config.loopTimeoutDuration, hal.loopTimeoutDurationNs,
                                    where.at("loopTimeoutDuration")));
    return sendHints(config.executionHints, config, hal, hal.executionHints, "executionHints",
                     where);
}

Status translate(const aidl_hal::ExecutionConfig& hal, ExecutionConfig& config,
                 const Where& where) {
    NNAPI_RETURN_IF_ERROR(
            translate(hal.measureTiming, config.measureTiming, where.at("measureTiming")));
    NNAPI_RETURN_IF_ERROR(translate(hal.loopTimeoutDurationNs, config.loopTimeoutDuration,
                                    where.at("loopTimeoutDurationNs")));
    NNAPI_RETURN_IF_ERROR(
            translateEach(hal.executionHints, config.executionHints, where, "executionHints"));
    return translateEach(hal.extensionNameToPrefix, config.extensionNameToPrefix, where,
                         "extensionNameToPrefix");
}

Status translate(const PrepareModelConfig& config, aidl_hal::PrepareModelConfig& hal,
                 const Where& where) {
    NNAPI_RETURN_IF_ERROR(translate(config.preference, hal.preference, where.at("preference")));
    NNAPI_RETURN_IF_ERROR(translate(config.priority, hal.priority, where.at("priority")));
    NNAPI_RETURN_IF_ERROR(translate(config.deadline, hal.deadlineNs, where.at("deadline")));
    NNAPI_RETURN_IF_ERROR(translateEach(config.modelCache, hal.modelCache, where, "modelCache"));
    NNAPI_RETURN_IF_ERROR(translateEach(config.dataCache, hal.dataCache, where, "dataCache"));
    hal.cacheToken = config.cacheToken;
    return sendHints(config.compilationHints, config, hal, hal.compilationHints, "compilationHints",
                     where);
}

Status translate(const aidl_hal::PrepareModelConfig& hal, PrepareModelConfig& config,
                 const Where& where) {
    NNAPI_RETURN_IF_ERROR(translate(hal.preference, config.preference, where.at("preference")));
    NNAPI_RETURN_IF_ERROR(translate(hal.priority, config.priority, where.at("priority")));
    NNAPI_RETURN_IF_ERROR(translate(hal.deadlineNs, config.deadline, where.at("deadlineNs")));
    NNAPI_RETURN_IF_ERROR(translateEach(hal.modelCache, config.modelCache, where, "modelCache"));
    NNAPI_RETURN_IF_ERROR(translateEach(hal.dataCache, config.dataCache, where, "dataCache"));
    config.cacheToken = hal.cacheToken;
    NNAPI_RETURN_IF_ERROR(translateEach(hal.compilationHints, config.compilationHints, where,
                                        "compilationHints"));
    return translateEach(hal.extensionNameToPrefix, config.extensionNameToPrefix, where,
                         "extensionNameToPrefix");
}

}  // namespace nn::conversion
