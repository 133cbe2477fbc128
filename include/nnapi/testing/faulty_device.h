// nnapi/testing/faulty_device.h -- a device with faults that are switched on and off.
//
//   const nn::testing::DeviceFaults faults;
//   const nn::SharedDevice device = nn::testing::faultyDevice(nn::referenceDevice(),
//   faults).value();
//   ... the client prepares its model ...
//   faults.turnOn(nn::testing::DeviceFault::DIES_IN_EXECUTE);
//   ... and what does it do now? ...
//   faults.turnOff(nn::testing::DeviceFault::DIES_IN_EXECUTE);
//
// For tests of clients, and of tests of devices. On command lines it is --device faulty:NAME. The
// faults are the rows of device_faults.def; some end the process, as their names say. Thread-safe:
// a switch works from the next call on, and ends hangs that are under way, whose calls then answer
// DEAD_OBJECT.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "nnapi/driver/interfaces.h"

namespace nn::testing {

enum class DeviceFault : uint8_t {
#define FAULT(name, what) name,
#include "nnapi/testing/device_faults.def"
#undef FAULT
};

struct DeviceFaultInfo {
    DeviceFault fault{};
    std::string_view name{};  // "WRONG_VALUES"
    std::string_view what{};  // what a device does that has it
};

// All, in the order of the enumeration.
std::span<const DeviceFaultInfo> deviceFaults();

std::string_view toString(DeviceFault fault);
std::optional<DeviceFault> parseDeviceFault(std::string_view name);

// A switch for each fault. Copies are the same switches.
class DeviceFaults {
   public:
    DeviceFaults(std::initializer_list<DeviceFault> on = {});

    // "WRONG_VALUES,THROWS"; "NONE" turns on none. INVALID_ARGUMENT with what was meant for others.
    static GeneralResult<DeviceFaults> parse(std::string_view names);

    void turnOn(DeviceFault fault) const { set(fault, true); }
    void turnOff(DeviceFault fault) const { set(fault, false); }
    bool isOn(DeviceFault fault) const;

   private:
    static constexpr size_t kMost = 128;
    using Switches = std::array<std::atomic<bool>, kMost>;
    void set(DeviceFault fault, bool isOn) const;

    std::shared_ptr<Switches> mSwitches;
};

// Does what the device does, but for the faults that are turned on. Its bursts and reusable
// executions are made of its own execute and executeFenced. INVALID_ARGUMENT for null;
// DEVICE_UNAVAILABLE where CANNOT_OPEN is on.
GeneralResult<SharedDevice> faultyDevice(SharedDevice device, DeviceFaults faults);

}  // namespace nn::testing
