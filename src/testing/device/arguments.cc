#include "testing/device/arguments.h"

#include <algorithm>

#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

constexpr uint8_t kUntouched = 0xA5;

// The offset of the next argument, behind guard bytes.
uint32_t after(uint32_t offset, uint32_t length) {
    constexpr uint32_t kAlignment = kDefaultRequestMemoryAlignment;
    return (offset + length + 1 + kAlignment - 1) / kAlignment * kAlignment;
}

// Of memory of createSharedMemory(), which cannot become shorter.
std::vector<uint8_t> contentsOf(const SharedMemory& memory, size_t size) {
    std::vector<uint8_t> bytes(size);
    (void)readMemory(memory, 0, bytes);
    return bytes;
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
    made.mExpectedInputs.resize(std::max(end, 1u));
    NNAPI_ASSIGN_OR_RETURN(inputMemory, createSharedMemory(made.mExpectedInputs.size()));
    end = 0;
    for (Output& output : outputs) {
        output.length = std::max(output.length, 1u);
        made.mRequest.outputs.push_back(
                {.location = {.poolIndex = 1, .offset = end, .length = output.length}});
        end = after(end, output.length);
    }
    made.mOutputSize = std::max(end, 1u);
    NNAPI_ASSIGN_OR_RETURN(outputMemory, createSharedMemory(made.mOutputSize));
    made.mInputs = inputMemory;
    made.mOutputs = outputMemory;
    made.mRequest.pools = {inputMemory, outputMemory};
    made.mExpected = std::move(outputs);
    made.setInputs(inputs);
    made.clearOutputs();
    return made;
}

void Arguments::setInputs(const std::vector<Tensor>& inputs) {
    std::ranges::fill(mExpectedInputs, kUntouched);
    for (size_t i = 0; i < std::min(inputs.size(), mRequest.inputs.size()); ++i) {
        const DataLocation& location = mRequest.inputs[i].location;
        const size_t length = std::min<size_t>(location.length, inputs[i].data.size());
        std::copy_n(inputs[i].data.begin(), length, mExpectedInputs.begin() + location.offset);
    }
    (void)writeMemory(mInputs, 0, mExpectedInputs);
}

void Arguments::clearOutputs() {
    (void)writeMemory(mOutputs, 0, std::vector<uint8_t>(mOutputSize, kUntouched));
}

std::vector<Tensor> Arguments::outputs(const std::vector<OutputShape>& shapes,
                                       const std::vector<OperandType>& types) const {
    const std::vector<uint8_t> bytes = contentsOf(mOutputs, mOutputSize);
    std::vector<Tensor> tensors;
    for (size_t i = 0; i < mExpected.size(); ++i) {
        const Output& output = mExpected[i];
        Tensor tensor{.dimensions = shapes.empty() ? output.dimensions : shapes[i].dimensions};
        const uint64_t size =
                i < types.size() ? operandSize(types[i], tensor.dimensions).value_or(0) : 0;
        const uint8_t* begin = bytes.data() + mRequest.outputs[i].location.offset;
        tensor.data.assign(begin, begin + std::min<uint64_t>(size, output.length));
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

Failure Arguments::checkUntouched() const {
    if (contentsOf(mInputs, mExpectedInputs.size()) != mExpectedInputs) {
        return failed("inputs", "the execution has written to them", "19");
    }
    const std::vector<uint8_t> bytes = contentsOf(mOutputs, mOutputSize);
    auto at = bytes.begin();
    for (size_t i = 0; i <= mRequest.outputs.size(); ++i) {
        const bool isOutput = i < mRequest.outputs.size();
        const auto end =
                isOutput ? bytes.begin() + mRequest.outputs[i].location.offset : bytes.end();
        const auto found = std::find_if(at, end, [](uint8_t byte) { return byte != kUntouched; });
        if (found != end) {
            return failed(fmt::format("output {}", i == 0 ? 0 : i - 1),
                          fmt::format("byte {} of the pool was written, which is behind the output",
                                      found - bytes.begin()));
        }
        if (isOutput) at = end + mRequest.outputs[i].location.length;
    }
    return std::nullopt;
}

}  // namespace nn::testing
