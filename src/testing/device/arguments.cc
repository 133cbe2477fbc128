#include "testing/device/arguments.h"

#include <algorithm>
#include <cstring>

#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

constexpr uint8_t kUntouched = 0xA5;

// The offset of the next argument, behind guard bytes.
uint32_t after(uint32_t offset, uint32_t length) {
    constexpr uint32_t kAlignment = kDefaultRequestMemoryAlignment;
    return (offset + length + 1 + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

Result<Arguments> Arguments::create(const std::vector<Tensor>& inputs,
                                    std::vector<Output> outputs) {
    Arguments made;
    uint32_t end = 0;
    for (const Tensor& input : inputs) {
        if (input.hasNoValue) {
            made.mRequest.inputs.push_back({.lifetime = Request::Argument::LifeTime::NO_VALUE});
            continue;
        }
        const auto length = static_cast<uint32_t>(input.data.size());
        made.mRequest.inputs.push_back(
                {.location = {.poolIndex = 0, .offset = end, .length = length},
                 .dimensions = input.dimensions});
        end = after(end, length);
    }
    NNAPI_ASSIGN_OR_RETURN(inputMemory, createSharedMemory(std::max(end, 1u)));
    end = 0;
    for (Output& output : outputs) {
        output.length = std::max(output.length, 1u);
        made.mRequest.outputs.push_back(
                {.location = {.poolIndex = 1, .offset = end, .length = output.length}});
        end = after(end, output.length);
    }
    NNAPI_ASSIGN_OR_RETURN(outputMemory, createSharedMemory(std::max(end, 1u)));
    NNAPI_ASSIGN_OR_RETURN(inputBytes, map(inputMemory));
    NNAPI_ASSIGN_OR_RETURN(outputBytes, map(outputMemory));
    made.mInputs = inputMemory;
    made.mOutputs = outputMemory;
    made.mInputBytes = inputBytes;
    made.mOutputBytes = outputBytes;
    made.mRequest.pools = {inputMemory, outputMemory};
    made.mExpected = std::move(outputs);
    made.setInputs(inputs);
    made.clearOutputs();
    return made;
}

void Arguments::setInputs(const std::vector<Tensor>& inputs) {
    mExpectedInputs.assign(mInputBytes.size(), kUntouched);
    for (size_t i = 0; i < std::min(inputs.size(), mRequest.inputs.size()); ++i) {
        const DataLocation& location = mRequest.inputs[i].location;
        const size_t length = std::min<size_t>(location.length, inputs[i].data.size());
        std::copy_n(inputs[i].data.begin(), length, mExpectedInputs.begin() + location.offset);
    }
    std::ranges::copy(mExpectedInputs, mInputBytes.mutableData());
}

void Arguments::clearOutputs() {
    std::memset(mOutputBytes.mutableData(), kUntouched, mOutputBytes.size());
}

std::vector<Tensor> Arguments::outputs(const std::vector<OutputShape>& shapes,
                                       const std::vector<OperandType>& types) const {
    std::vector<Tensor> tensors;
    for (size_t i = 0; i < mExpected.size(); ++i) {
        const Output& output = mExpected[i];
        Tensor tensor{.dimensions = shapes.empty() ? output.dimensions : shapes[i].dimensions};
        const uint64_t size =
                i < types.size() ? operandSize(types[i], tensor.dimensions).value_or(0) : 0;
        const uint8_t* begin = mOutputBytes.data() + mRequest.outputs[i].location.offset;
        tensor.data.assign(begin, begin + std::min<uint64_t>(size, output.length));
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

Failure Arguments::checkUntouched() const {
    if (!std::equal(mExpectedInputs.begin(), mExpectedInputs.end(), mInputBytes.data())) {
        return failed("inputs", "the execution has written to them", "19");
    }
    size_t at = 0;
    for (size_t i = 0; i <= mRequest.outputs.size(); ++i) {
        const size_t begin = i < mRequest.outputs.size() ? mRequest.outputs[i].location.offset
                                                         : mOutputBytes.size();
        const auto* found = std::find_if(mOutputBytes.data() + at, mOutputBytes.data() + begin,
                                         [](uint8_t byte) { return byte != kUntouched; });
        if (found != mOutputBytes.data() + begin) {
            return failed(fmt::format("output {}", i == 0 ? 0 : i - 1),
                          fmt::format("byte {} of the pool was written, which is behind the output",
                                      found - mOutputBytes.data()));
        }
        if (i < mRequest.outputs.size()) at = begin + mRequest.outputs[i].location.length;
    }
    return std::nullopt;
}

}  // namespace nn::testing
