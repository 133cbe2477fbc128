// nnapi/device_test/faulty_device.h -- A device with switchable faults, for tests.
//
//   const nn::testing::DeviceFaults faults;
//   const nn::SharedDevice device =
//           nn::testing::faultyDevice(nn::referenceDevice(), faults).value();
//   ... the client prepares its model ...
//   faults.turnOn(nn::testing::DeviceFault::DIES_IN_EXECUTE);
//   ... the client must recover ...
//   faults.turnOff(nn::testing::DeviceFault::DIES_IN_EXECUTE);
//
// For tests of clients and of device tests; for the program nnapi it is --device faulty:NAME.
// Faults are the rows of device_faults.def; some end the process, as their names show. Thread-safe:
// a switch takes effect with the next call, and ends pending hangs, whose calls then return
// DEAD_OBJECT.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "nnapi/driver/interfaces.h"

namespace nn::testing {

// How the program nnapi spells such devices: "faulty:WRONG_VALUES:nnapi-sample_quant".
inline constexpr std::string_view kFaultyScheme = "faulty:";

// Defects of a device; one for each row of device_faults.def.
enum class DeviceFault : uint8_t {
#define FAULT(name, what) name,
#include "nnapi/device_test/device_faults.def"
#undef FAULT
};

// One row of device_faults.def.
struct DeviceFaultInfo {
    DeviceFault fault{};      // its index in the table
    std::string_view name{};  // "WRONG_VALUES"
    std::string_view what{};  // behavior of a device with the fault
};

// All faults, in the order of the enumeration.
std::span<const DeviceFaultInfo> deviceFaults();

// "WRONG_VALUES"
std::string_view toString(DeviceFault fault);
// The fault with this name; empty if there is none.
std::optional<DeviceFault> parseDeviceFault(std::string_view name);

// A switch for each fault. Copies share the switches.
class DeviceFaults {
   public:
    // The named faults are on, all others off.
    DeviceFaults(std::initializer_list<DeviceFault> on = {});

    // Parses "WRONG_VALUES,THROWS"; "NONE" turns on none. INVALID_ARGUMENT for unknown names, with
    // suggestions.
    static GeneralResult<DeviceFaults> parse(std::string_view names);

    // Takes effect with the next call of the device, in all copies.
    void turnOn(DeviceFault fault) const { set(fault, true); }
    void turnOff(DeviceFault fault) const { set(fault, false); }
    // True if it is on in all copies, which share the switch.
    bool isOn(DeviceFault fault) const;

   private:
    static constexpr size_t kMost = 128;
    using Switches = std::array<std::atomic<bool>, kMost>;
    void set(DeviceFault fault, bool isOn) const;

    std::shared_ptr<Switches> mSwitches;
};

// Forwards to the device, except for faults that are on. Bursts and reusable executions use its
// execute and executeFenced. INVALID_ARGUMENT for null; DEVICE_UNAVAILABLE if CANNOT_OPEN is on.
GeneralResult<SharedDevice> faultyDevice(SharedDevice device, DeviceFaults faults);

// Opens "faulty:FAULTS:DEVICE", or "faulty:FAULTS" for nnapi-reference: `open` opens the device,
// which then has the faults. Those of notifications are a driver's, through which its calls pass.
// Fails as DeviceFaults::parse, `open` and faultyDevice do.
GeneralResult<SharedDevice> openFaulty(
        std::string_view spec,
        const std::function<GeneralResult<SharedDevice>(const std::string& spec)>& open);

}  // namespace nn::testing
