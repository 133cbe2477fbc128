// Encodes and decodes the packets of a HIDL burst, for canonical and HAL requests and results.
// Decoding accepts any bytes and trusts no count.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nnapi/checked_math.h"
#include "nnapi/driver/burst.h"

namespace nn::driver {

// ---- writing

// Writes a request. Call in this order: inputs, outputs, slots of the pools, measure.
class RequestWriter {
   public:
    RequestWriter(std::vector<V1_2::FmqRequestDatum>& packet, size_t inputs, size_t outputs,
                  size_t pools);

    template <class Dimensions>
    void input(bool hasNoValue, const V1_0::DataLocation& location, const Dimensions& dimensions) {
        next().inputOperandInformation(
                {hasNoValue, location, saturatingCast<uint32_t>(dimensions.size())});
        for (const uint32_t dimension : dimensions) next().inputOperandDimensionValue(dimension);
    }
    template <class Dimensions>
    void output(bool hasNoValue, const V1_0::DataLocation& location, const Dimensions& dimensions) {
        next().outputOperandInformation(
                {hasNoValue, location, saturatingCast<uint32_t>(dimensions.size())});
        for (const uint32_t dimension : dimensions) next().outputOperandDimensionValue(dimension);
    }
    void pool(int32_t slot) { next().poolIdentifier(slot); }
    // The last call.
    void measure(V1_2::MeasureTiming measure);

   private:
    V1_2::FmqRequestDatum& next() { return mPacket.emplace_back(); }

    std::vector<V1_2::FmqRequestDatum>& mPacket;
};

// Shapes are canonical or of the HAL.
template <class Shapes>
void writeResult(std::vector<V1_2::FmqResultDatum>& packet, V1_0::ErrorStatus status,
                 const Shapes& outputShapes, const V1_2::Timing& timing) {
    packet.clear();
    packet.emplace_back();
    for (const auto& shape : outputShapes) {
        packet.emplace_back().operandInformation(
                {shape.isSufficient, saturatingCast<uint32_t>(shape.dimensions.size())});
        for (const uint32_t dimension : shape.dimensions) {
            packet.emplace_back().operandDimensionValue(dimension);
        }
    }
    packet.emplace_back().executionTiming(timing);
    packet.front().packetInformation({saturatingCast<uint32_t>(packet.size()), status,
                                      saturatingCast<uint32_t>(outputShapes.size())});
}

// ---- reading: INVALID_ARGUMENT with the place of the first datum that is wrong

// Reads into a request without pools. Reuses the memory of its vectors.
Status readRequest(std::span<const V1_2::FmqRequestDatum> packet, Request& request,
                   std::vector<int32_t>& slots, V1_2::MeasureTiming& measure);
Status readRequest(std::span<const V1_2::FmqRequestDatum> packet, V1_0::Request& request,
                   std::vector<int32_t>& slots, V1_2::MeasureTiming& measure);

Status readResult(std::span<const V1_2::FmqResultDatum> packet, V1_0::ErrorStatus& status,
                  std::vector<OutputShape>& outputShapes, V1_2::Timing& timing);
Status readResult(std::span<const V1_2::FmqResultDatum> packet, V1_0::ErrorStatus& status,
                  hidl::hidl_vec<V1_2::OutputShape>& outputShapes, V1_2::Timing& timing);

}  // namespace nn::driver
