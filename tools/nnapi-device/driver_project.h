// The files of a new driver, written from the sources in examples/new_driver.
//
// A source is the driver "npu" with a kernel of ADD. Of its lines,
//   #if NPU_BURST, #else, #endif     stay as the choices say (also NPU_CACHING and others);
//   // [for each operation] to // [end]   are repeated, with ADD and add replaced;
// and everywhere npu becomes the driver's name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/result.h"

namespace nn::cli {

// A file of examples/new_driver.
struct DriverSource {
    std::string_view name;
    std::string_view text;
};
// All of them, embedded by the build.
std::span<const DriverSource> driverSources();

struct DriverChoices {
    std::string name{};                     // of the device
    std::vector<std::string> operations{};  // "CONV_2D"
    std::string level = "canonical";        // or hidl, aidl
    bool burst = false;
    bool caching = false;
    bool memoryDomains = false;
};

struct DriverFile {
    std::string name{};
    std::string text{};
};

// INVALID_ARGUMENT for a name that is none in C++ and CMake.
Status checkDriverName(std::string_view name);

// The name of an operation's kernel: "conv2d".
std::string kernelName(std::string_view operation);

// The files of a driver with a legal name.
std::vector<DriverFile> driverFiles(const DriverChoices& choices);

// One source with the choices applied.
std::string renderSource(std::string_view text, const DriverChoices& choices);

}  // namespace nn::cli
