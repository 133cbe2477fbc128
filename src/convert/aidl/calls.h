// Conversion of the arguments and results of AIDL calls other than models: request pools, times,
// tokens, results, and the configurations of version 4. Structs that both families share are in
// common/structs.h.
#pragma once

#include <fmt/core.h>

#include <string_view>
#include <vector>

#include "convert/aidl/memory.h"
#include "convert/aidl/time.h"
#include "convert/common/structs.h"

namespace nn NNAPI_BINDING::conversion {

// ---------------------------------------------------------------------------------------------
// Request pools, cache tokens and files

inline Status translate(const Request::MemoryPool& pool, aidl_hal::RequestMemoryPool& hal,
                        const Context& context) {
    using Tag = aidl_hal::RequestMemoryPool::Tag;
    if (const auto* token = std::get_if<MemoryDomainToken>(&pool)) {
        int32_t to = 0;
        NNAPI_RETURN_IF_ERROR(carryNumber(static_cast<uint32_t>(*token), to, "token", context));
        hal.set<Tag::token>(to);
        return {};
    }
    const auto* memory = std::get_if<SharedMemory>(&pool);
    if (memory == nullptr) return refusePool(pool, context);
    aidl_hal::Memory to;
    NNAPI_RETURN_IF_ERROR(translate(*memory, to, context));
    hal.set<Tag::pool>(std::move(to));
    return {};
}

inline Status translate(const aidl_hal::RequestMemoryPool& hal, Request::MemoryPool& pool,
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

inline Status translate(const MeasureTiming& measure, bool& hal, const Context& context) {
    hal = measure == MeasureTiming::YES;
    if (hal || measure == MeasureTiming::NO) return {};
    return refuseEnumerator(measure, context);
}

inline Status translate(const bool& hal, MeasureTiming& measure, const Context&) {
    measure = hal ? MeasureTiming::YES : MeasureTiming::NO;
    return {};
}

inline Status translate(const CacheToken& token, std::vector<uint8_t>& hal, const Context&) {
    hal.assign(token.begin(), token.end());
    return {};
}

inline Status translate(const std::vector<uint8_t>& hal, CacheToken& token,
                        const Context& context) {
    if (hal.size() != token.size()) {
        return context.refuse("convert.cache_token",
                              fmt::format("the cache token has {}, allowed {}",
                                          Plural{hal.size(), "bytes"}, token.size()));
    }
    absl::c_copy(hal, token.begin());
    return {};
}

// Both ways. Tokens are an extension's, so the sign bit is not used.
template <class From, class To>
requires(Is<From, TokenValuePair>&& Is<To, aidl_hal::TokenValuePair>) ||
        (Is<From, aidl_hal::TokenValuePair> && Is<To, TokenValuePair>)Status
        translate(const From& from, To& to, const Context& context) {
    to.value = from.value;
    uint32_t token = 0;
    NNAPI_RETURN_IF_ERROR(carryNumber(from.token, token, "token", context));
    to.token = from.token;
    return {};
}

inline Status translate(const NumberOfCacheFiles& files, aidl_hal::NumberOfCacheFiles& hal,
                        const Context& context) {
    NNAPI_RETURN_IF_ERROR(carryNumber(files.first, hal.numModelCache, "numModelCache", context));
    return carryNumber(files.second, hal.numDataCache, "numDataCache", context);
}

inline Status translate(const aidl_hal::NumberOfCacheFiles& hal, NumberOfCacheFiles& files,
                        const Context& context) {
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.numModelCache, files.first, "numModelCache", context));
    return carryNumber(hal.numDataCache, files.second, "numDataCache", context);
}

// ---------------------------------------------------------------------------------------------
// Results

// Of an execution that succeeded.
inline Status translate(const Executed& executed, aidl_hal::ExecutionResult& hal,
                        const Context& context) {
    const auto& [shapes, timing] = executed;
    hal.outputSufficientSize = true;
    NNAPI_RETURN_IF_ERROR(translateEach(shapes, hal.outputShapes, context, "outputShapes"));
    return translate(timing, hal.timing, context.at("timing"));
}

inline Status translate(const aidl_hal::ExecutionResult& hal, Executed& executed,
                        const Context& context) {
    if (!hal.outputSufficientSize) {
        return context.refuse("convert.execution_result",
                              "outputs are too small, which is not how an execution succeeds");
    }
    auto& [shapes, timing] = executed;
    NNAPI_RETURN_IF_ERROR(translateEach(hal.outputShapes, shapes, context, "outputShapes"));
    return translate(hal.timing, timing, context.at("timing"));
}

// ---------------------------------------------------------------------------------------------
// Configurations

// Hints and the names of their extensions, added in version 4. `field` names the hints.
template <class Config, class Hal>
Status sendHints(const std::vector<TokenValuePair>& hints, const Config& config, Hal& hal,
                 std::vector<aidl_hal::TokenValuePair>& halHints, std::string_view field,
                 const Context& context) {
    if (context.version < HalVersion::AIDL4) {
        context.recordLoss(field, hints, {}, "has no hints");
        context.recordLoss("extensionNameToPrefix", config.extensionNameToPrefix, {},
                           "has no hints");
        return {};
    }
    NNAPI_RETURN_IF_ERROR(translateEach(hints, halHints, context, field));
    return translateEach(config.extensionNameToPrefix, hal.extensionNameToPrefix, context,
                         "extensionNameToPrefix");
}

// Before version 4 the parts of a configuration are separate arguments, and hints are lost.
inline Status translate(const ExecutionConfig& config, aidl_hal::ExecutionConfig& hal,
                        const Context& context) {
    NNAPI_RETURN_IF_ERROR(
            translate(config.measureTiming, hal.measureTiming, context.at("measureTiming")));
    NNAPI_RETURN_IF_ERROR(translate(config.loopTimeoutDuration, hal.loopTimeoutDurationNs,
                                    context.at("loopTimeoutDuration")));
    return sendHints(config.executionHints, config, hal, hal.executionHints, "executionHints",
                     context);
}

inline Status translate(const aidl_hal::ExecutionConfig& hal, ExecutionConfig& config,
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

inline Status translate(const PrepareModelConfig& config, aidl_hal::PrepareModelConfig& hal,
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

inline Status translate(const aidl_hal::PrepareModelConfig& hal, PrepareModelConfig& config,
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

}  // namespace NNAPI_BINDING::conversion
