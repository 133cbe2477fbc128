// nnapi/device_test/reproducer.h -- Writes programs that run one test case on a device.
//
//   const nn::testing::Reproducer small{.testCase = shrunk.testCase,
//                                       .path = "burst",
//                                       .device = "./libnpu.so",
//                                       .reason = "results: output 0, element 1: 2"};
//   std::ofstream("small.cc") << nn::testing::cppReproducer(small);
//   std::ofstream("small_c_api.c") << nn::testing::cReproducer(small);
//
// Both programs contain the model, its inputs and the expected outputs as code, and need no file.
// They exit with 1 and print the errors, beginning with the first wrong element, if the device
// fails; with 0 if it does not, and with 2 if there is no such device. Their first lines show how
// to compile and run them. Pure and thread-safe.
#pragma once

#include <string>

#include "nnapi/comparison.h"
#include "nnapi/io.h"

namespace nn::testing {

// A test case, its execution path, and the texts that the program contains.
struct Reproducer {
    TestCase testCase{};  // its name is that of the files, without an extension
    // Of the DeviceCase; models of kinds "random" and "numbers" have criteria of their own.
    std::string path = "sync";
    std::string kind = "vectors";
    std::string device{};  // used if the program has no argument for it
    std::string reason{};  // the device's defect
    Criteria criteria{};   // of the outputs, for the C API
};

// C++20 on nn::IDevice; links nnapi::device_test.
std::string cppReproducer(const Reproducer& reproducer);

// C99 on the NNAPI C API, here or on Android. Empty if the API has no equivalent: illegal models
// and requests, device memory, extensions, OEM types.
std::string cReproducer(const Reproducer& reproducer);

}  // namespace nn::testing
