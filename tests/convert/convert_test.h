// Helpers of the conversion tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "nnapi/convert.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"

namespace nn {

// A failure with this message and code.
MATCHER_P2(FailsWith, code, message, "") {
    if (arg.ok()) {
        *result_listener << "succeeds";
        return false;
    }
    const Status status = [&] {
        if constexpr (requires { arg.status(); })
            return arg.status();
        else
            return arg;
    }();
    *result_listener << toString(errorStatus(status)) << " \"" << status.message() << '"';
    return errorStatus(status) == code && status.message() == message;
}

inline auto IsInvalid(std::string message) {
    return FailsWith(ErrorStatus::INVALID_ARGUMENT, std::move(message));
}

inline SharedMemory share(auto kind) {
    return std::make_shared<const Memory>(Memory{std::move(kind)});
}

inline UniqueFd file() { return UniqueFd(memfd_create("test", MFD_CLOEXEC)); }

// Calls f.operator()<V>() for every version that has converters.
template <class F>
void forEachVersion(F&& f) {
    [&]<size_t... I>(std::index_sequence<I...>) {
        (f.template operator()<kConvertibleVersions[I]>(), ...);
    }
    (std::make_index_sequence<kConvertibleVersions.size()>());
}

// The same for HIDL versions only.
template <class F>
void forEachHidlVersion(F&& f) {
    forEachVersion([&]<HalVersion V>() {
        if constexpr (halVersionInfo(V)->family == HalFamily::HIDL) f.template operator()<V>();
    });
}

// The conversion back, also if the HAL type represents several canonical ones.
template <HalVersion V, class T>
Result<T> unvalidatedBack(const HalType<T, V>& hal) {
    if constexpr (ConvertsFrom<HalType<T, V>>) {
        return unvalidatedConvert(hal);
    } else {
        return unvalidatedConvertAs<T, V>(hal);
    }
}

// Converts there and back without validation. Losses must be reported if and only if the resulting
// object differs.
template <HalVersion V, class T>
Losses lossesOf(const T& object) {
    Losses losses;
    const auto hal = unvalidatedConvertTo<V>(object, &losses);
    EXPECT_TRUE(hal.ok()) << hal.status();
    if (!hal.ok()) return losses;
    const auto back = unvalidatedBack<V, T>(*hal);
    EXPECT_TRUE(back.ok()) << back.status();
    if (back.ok()) {
        EXPECT_EQ(losses.empty(), *back == object) << print(object) << print(*back);
    }
    return losses;
}

// An operand for an ADD: 2 x 2 floats.
inline Operand tensor(Operand::LifeTime lifetime) {
    return {.type = OperandType::TENSOR_FLOAT32, .dimensions = {2, 2}, .lifetime = lifetime};
}

// out = RELU6(in): valid in every version.
inline Model reluModel() {
    return {.main = {.operands = {tensor(Operand::LifeTime::SUBGRAPH_INPUT),
                                  tensor(Operand::LifeTime::SUBGRAPH_OUTPUT)},
                     .operations = {{.type = OperationType::RELU6, .inputs = {0}, .outputs = {1}}},
                     .inputIndexes = {0},
                     .outputIndexes = {1}}};
}

}  // namespace nn
