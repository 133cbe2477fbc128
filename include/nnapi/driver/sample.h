// nnapi/driver/sample.h -- Sample devices that support subsets of the operations.
//
//   nn::DeviceRegistry registry;
//   nn::registerSampleDevices(registry);
//   auto device = registry.open("nnapi-sample_quant");
//
// For testing how models are divided among devices. Support and declared performance of each device
// are data, an overlay (docs/devices.md) generated from the table of operations. All compute as the
// reference device does.
//
//   nnapi-sample_all          every operation, at about the speed of a processor
//   nnapi-sample_float_fast   operations whose first input is TENSOR_FLOAT32
//   nnapi-sample_float_slow   the same, slower than a processor
//   nnapi-sample_minimal      the same, only ADD, CONCATENATION and CONV_2D
//   nnapi-sample_quant        operations whose first input is TENSOR_QUANT8_ASYMM or
//                             TENSOR_QUANT8_ASYMM_SIGNED; for SELECT the second input counts
//   nnapi-sample_sl           every operation, exactly at the speed of a processor
//
// Names, versions and capabilities are those of Android's sample driver. Thread-safe.
#pragma once

#include <cstddef>
#include <vector>

#include "nnapi/driver/reference.h"
#include "nnapi/driver/registry.h"

namespace nn {

// Options for referenceDevice(), in the order above.
std::vector<ReferenceDeviceOptions> sampleDevices();

// Registers all of them under their names. Each is created on first use.
void registerSampleDevices(DeviceRegistry& registry, size_t fencedThreads = 0,
                           const SharedLog& log = {});

}  // namespace nn
