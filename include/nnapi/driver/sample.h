// nnapi/driver/sample.h -- devices that do a part of what the reference does.
//
//   nn::DeviceRegistry registry;
//   nn::registerSampleDevices(registry);
//   auto device = registry.open("nnapi-sample_quant");
//
// For trying out how models are divided among devices, and which of them is chosen. What each does
// is data, an overlay (docs/devices.md) that is made from the table of operations, so that a new
// operation is there by itself; and so is how fast it says it is. All compute as the reference
// does.
//
//   nnapi-sample_all          every operation, at about the speed of a processor
//   nnapi-sample_float_fast   operations whose first input is TENSOR_FLOAT32
//   nnapi-sample_float_slow   the same, slower than a processor
//   nnapi-sample_minimal      of these ADD, CONCATENATION and CONV_2D alone
//   nnapi-sample_quant        operations whose first input is TENSOR_QUANT8_ASYMM or
//                             TENSOR_QUANT8_ASYMM_SIGNED; of SELECT it is the second input
//   nnapi-sample_sl           every operation, exactly at the speed of a processor
//
// Names, versions and capabilities are those of Android's sample driver. Thread-safe.
#pragma once

#include <cstddef>
#include <vector>

#include "nnapi/driver/reference.h"
#include "nnapi/driver/registry.h"

namespace nn {

// What makes each of them by referenceDevice(), in the order above.
std::vector<ReferenceDeviceOptions> sampleDevices();

// Registers all of them under their names. Each is made when it is first opened.
void registerSampleDevices(DeviceRegistry& registry, size_t fencedThreads = 0,
                           const SharedLog& log = {});

}  // namespace nn
