// The catalog of driver bugs, and the driver that has one of them.
//
//   const nn::SharedDevice device = nn::bugs::openDevice(nn::bugs::Bug::truncates_conv).value();
//
// Bug::none is a driver that is right. Its arithmetic is its own (kernels.h) as far as all shapes
// are known, and the reference's for the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "nnapi/driver/interfaces.h"
#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::bugs {

enum class Bug : uint8_t {
    none,
#define BUG(name, ...) name,
#define PERMITTED(name, ...) name,
#include "device_test/bugs/bugs.def"
#undef BUG
#undef PERMITTED
};

enum class Level : uint8_t { CANONICAL, V1_0, V1_1, V1_2, V1_3, AIDL1, AIDL2, AIDL3, AIDL4 };
constexpr bool isHidl(Level level) { return level >= Level::V1_0 && level <= Level::V1_3; }
constexpr bool isAidl(Level level) { return level >= Level::AIDL1; }

// A row of bugs.def.
struct BugRow {
    Bug bug{};
    std::string_view name{};
    std::string_view family{};
    Level level{};
    std::string_view what{};
    std::string_view where{};  // or why it is permitted
    bool isPermitted = false;
};
std::span<const BugRow> catalog();
// Bug::none has an empty row.
const BugRow& rowOf(Bug bug);
// Nothing for an unknown name; Bug::none for an empty one.
std::optional<Bug> bugNamed(std::string_view name);

// The driver, as its own level sees it. Null where the bug is of another level.
SharedDevice canonicalDriver(Bug bug);
hidl::sp<V1_0::IDevice> hidlDriver(Bug bug);
std::shared_ptr<aidl_hal::IDevice> aidlDriver(Bug bug);

// The driver as a canonical device: wrapped, where its level is that of a HAL version.
GeneralResult<SharedDevice> openDevice(Bug bug);

}  // namespace nn::bugs
