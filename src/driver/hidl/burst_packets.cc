#include "driver/hidl/burst_packets.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "base/no_throw.h"

namespace nn::driver {
namespace {

using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;

Status refuse(std::string message) {
    return makeError(ErrorStatus::INVALID_ARGUMENT, std::move(message));
}

// Reads a packet, datum by datum.
template <class Datum>
class Reader {
    using Tag = typename Datum::hidl_discriminator;

   public:
    explicit Reader(std::span<const Datum> packet) : mPacket(packet) {}

    // Empty if the next datum is of another kind, or missing.
    template <Tag tag>
    auto take() {
        constexpr auto member = memberOf<Datum, tag>();
        std::optional<std::remove_cvref_t<decltype(member.get(mPacket[mNext]))>> value;
        if (mNext == mPacket.size() || mPacket[mNext].getDiscriminator() != tag) {
            mWanted = tag;
        } else {
            value = member.get(mPacket[mNext++]);
        }
        return value;
    }
    size_t left() const { return mPacket.size() - mNext; }

    Status failure() const {
        const std::string_view wanted = nameOfMember<Datum>(mWanted);
        if (left() == 0) {
            return refuse(
                    fmt::format("the packet ends after {} data, allowed {} next", mNext, wanted));
        }
        std::string_view found = nameOfMember<Datum>(mPacket[mNext].getDiscriminator());
        if (found.empty()) found = "of no known kind";
        return refuse(fmt::format("datum {} of {} is {}, allowed {}", mNext, mPacket.size(), found,
                                  wanted));
    }
    // The place of the previous datum.
    Status tooMany(std::string_view what, uint64_t found) const {
        return refuse(fmt::format("datum {} of {} announces {} {}, allowed at most {}", mNext - 1,
                                  mPacket.size(), found, what, left()));
    }

   private:
    std::span<const Datum> mPacket;
    size_t mNext = 0;
    Tag mWanted{};
};

template <class Datum>
Status checkSize(uint32_t claimed, std::span<const Datum> packet) {
    if (claimed == packet.size()) return {};
    return refuse(fmt::format("packetSize is {}, allowed {}, the number of data", claimed,
                              packet.size()));
}

void set(Request::Argument& argument, const FmqRequestDatum::OperandInformation& information) {
    argument.lifetime = information.hasNoValue ? Request::Argument::LifeTime::NO_VALUE
                                               : Request::Argument::LifeTime::POOL;
    argument.location = {.pointer = {},
                         .poolIndex = information.location.poolIndex,
                         .offset = information.location.offset,
                         .length = information.location.length};
}

void set(V1_0::RequestArgument& argument, const FmqRequestDatum::OperandInformation& information) {
    argument.hasNoValue = information.hasNoValue;
    argument.location = information.location;
}

using RequestReader = Reader<FmqRequestDatum>;
using RequestTag = FmqRequestDatum::hidl_discriminator;

template <RequestTag information, RequestTag dimension, class Arguments>
Status readArguments(RequestReader& reader, Arguments& arguments) {
    for (auto& argument : arguments) {
        const auto found = reader.take<information>();
        if (!found) return reader.failure();
        if (found->numberOfDimensions > reader.left()) {
            return reader.tooMany("dimensions", found->numberOfDimensions);
        }
        set(argument, *found);
        argument.dimensions.resize(found->numberOfDimensions);
        for (uint32_t& value : argument.dimensions) {
            const auto given = reader.take<dimension>();
            if (!given) return reader.failure();
            value = *given;
        }
    }
    return {};
}

template <class AnyRequest>
Status read(std::span<const FmqRequestDatum> packet, AnyRequest& request,
            std::vector<int32_t>& slots, V1_2::MeasureTiming& measure) {
    RequestReader reader(packet);
    const auto header = reader.take<RequestTag::packetInformation>();
    if (!header) return reader.failure();
    NNAPI_RETURN_IF_ERROR(checkSize(header->packetSize, packet));
    const uint64_t announced = uint64_t{header->numberOfInputOperands} +
                               header->numberOfOutputOperands + header->numberOfPools;
    if (announced > reader.left()) return reader.tooMany("operands and pools", announced);

    request.inputs.resize(header->numberOfInputOperands);
    request.outputs.resize(header->numberOfOutputOperands);
    slots.resize(header->numberOfPools);
    NNAPI_RETURN_IF_ERROR(
            (readArguments<RequestTag::inputOperandInformation,
                           RequestTag::inputOperandDimensionValue>(reader, request.inputs)));
    NNAPI_RETURN_IF_ERROR(
            (readArguments<RequestTag::outputOperandInformation,
                           RequestTag::outputOperandDimensionValue>(reader, request.outputs)));
    for (int32_t& slot : slots) {
        const auto given = reader.take<RequestTag::poolIdentifier>();
        if (!given) return reader.failure();
        slot = *given;
    }
    const auto measured = reader.take<RequestTag::measureTiming>();
    if (!measured) return reader.failure();
    if (*measured != V1_2::MeasureTiming::NO && *measured != V1_2::MeasureTiming::YES) {
        return refuse(fmt::format("measureTiming is {}, allowed 0 (NO) or 1 (YES)",
                                  static_cast<int32_t>(*measured)));
    }
    measure = *measured;
    if (reader.left() != 0) {
        return refuse(fmt::format("{} data follow measureTiming, allowed none", reader.left()));
    }
    return {};
}

using ResultTag = FmqResultDatum::hidl_discriminator;

template <class Shapes>
Status read(std::span<const FmqResultDatum> packet, V1_0::ErrorStatus& status, Shapes& outputShapes,
            V1_2::Timing& timing) {
    Reader<FmqResultDatum> reader(packet);
    const auto header = reader.take<ResultTag::packetInformation>();
    if (!header) return reader.failure();
    NNAPI_RETURN_IF_ERROR(checkSize(header->packetSize, packet));
    if (header->numberOfOperands > reader.left()) {
        return reader.tooMany("operands", header->numberOfOperands);
    }
    outputShapes.resize(header->numberOfOperands);
    for (auto& shape : outputShapes) {
        const auto found = reader.take<ResultTag::operandInformation>();
        if (!found) return reader.failure();
        if (found->numberOfDimensions > reader.left()) {
            return reader.tooMany("dimensions", found->numberOfDimensions);
        }
        shape.isSufficient = found->isSufficient;
        shape.dimensions.resize(found->numberOfDimensions);
        for (uint32_t& value : shape.dimensions) {
            const auto given = reader.take<ResultTag::operandDimensionValue>();
            if (!given) return reader.failure();
            value = *given;
        }
    }
    const auto timed = reader.take<ResultTag::executionTiming>();
    if (!timed) return reader.failure();
    if (reader.left() != 0) {
        return refuse(fmt::format("{} data follow executionTiming, allowed none", reader.left()));
    }
    status = header->errorStatus;
    timing = *timed;
    return {};
}

}  // namespace

RequestWriter::RequestWriter(std::vector<FmqRequestDatum>& packet, size_t inputs, size_t outputs,
                             size_t pools)
    : mPacket(packet) {
    mPacket.clear();
    next().packetInformation({0, saturatingCast<uint32_t>(inputs),
                              saturatingCast<uint32_t>(outputs), saturatingCast<uint32_t>(pools)});
}

void RequestWriter::measure(V1_2::MeasureTiming measure) {
    next().measureTiming(measure);
    mPacket.front().packetInformation().packetSize = saturatingCast<uint32_t>(mPacket.size());
}

Status readRequest(std::span<const FmqRequestDatum> packet, Request& request,
                   std::vector<int32_t>& slots, V1_2::MeasureTiming& measure) {
    return read(packet, request, slots, measure);
}

Status readRequest(std::span<const FmqRequestDatum> packet, V1_0::Request& request,
                   std::vector<int32_t>& slots, V1_2::MeasureTiming& measure) {
    return read(packet, request, slots, measure);
}

Status readResult(std::span<const FmqResultDatum> packet, V1_0::ErrorStatus& status,
                  std::vector<OutputShape>& outputShapes, V1_2::Timing& timing) {
    return read(packet, status, outputShapes, timing);
}

Status readResult(std::span<const FmqResultDatum> packet, V1_0::ErrorStatus& status,
                  hidl::hidl_vec<V1_2::OutputShape>& outputShapes, V1_2::Timing& timing) {
    return read(packet, status, outputShapes, timing);
}

}  // namespace nn::driver

namespace nn {
namespace V1_2 NNAPI_BINDING::utils {

std::vector<FmqRequestDatum> serialize(const V1_0::Request& request, MeasureTiming measure,
                                       const std::vector<int32_t>& slots) {
    std::vector<FmqRequestDatum> packet;
    driver::RequestWriter writer(packet, request.inputs.size(), request.outputs.size(),
                                 slots.size());
    for (const RequestArgument& input : request.inputs) {
        writer.input(input.hasNoValue, input.location, input.dimensions);
    }
    for (const RequestArgument& output : request.outputs) {
        writer.output(output.hasNoValue, output.location, output.dimensions);
    }
    for (const int32_t slot : slots) writer.pool(slot);
    writer.measure(measure);
    return packet;
}

Result<RequestPacket> deserialize(const std::vector<FmqRequestDatum>& packet) NNAPI_TRY {
    RequestPacket read;
    NNAPI_RETURN_IF_ERROR(driver::readRequest(packet, read.request, read.slots, read.measure));
    return read;
}
NNAPI_CATCH

std::vector<FmqResultDatum> serialize(V1_0::ErrorStatus status,
                                      const hidl_vec<OutputShape>& outputShapes,
                                      const Timing& timing) {
    std::vector<FmqResultDatum> packet;
    driver::writeResult(packet, status, outputShapes, timing);
    return packet;
}

Result<ResultPacket> deserialize(const std::vector<FmqResultDatum>& packet) NNAPI_TRY {
    ResultPacket read;
    NNAPI_RETURN_IF_ERROR(driver::readResult(packet, read.status, read.outputShapes, read.timing));
    return read;
}
NNAPI_CATCH

}  // namespace NNAPI_BINDING::utils
}  // namespace nn
