#include "device_test/cases/arguments.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "nnapi/type_utils.h"
#include "types/memory_file.h"

namespace nn::testing {
namespace {

constexpr uint8_t kUntouched = Arguments::kUntouched;
constexpr int kReadWrite = PROT_READ | PROT_WRITE;

// The offset of the next argument, behind guard bytes.
uint32_t after(uint32_t offset, uint32_t length, const Placement& placement) {
    const uint32_t alignment = placement.alignment;
    return (offset + length + 1 + alignment - 1) / alignment * alignment;
}

// Of memory of createSharedMemory(), which cannot become shorter.
std::vector<uint8_t> contentsOf(const SharedMemory& memory, size_t size) {
    std::vector<uint8_t> bytes(size);
    (void)readMemory(memory, 0, bytes);
    return bytes;
}

}  // namespace

Result<PlacedMemory> PlacedMemory::create(size_t size, bool isReadOnly, uint32_t pagesBefore) {
    const auto begin = pagesBefore * static_cast<size_t>(sysconf(_SC_PAGESIZE));
    if (!isReadOnly && begin == 0) {
        NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(size));
        return PlacedMemory{.given = memory, .own = memory};
    }
    NNAPI_ASSIGN_OR_RETURN(file, newMemoryFile(begin + size));
    PlacedMemory made;
    NNAPI_ASSIGN_OR_RETURN(whole, createSharedMemory(begin + size, kReadWrite, file.get(), 0));
    NNAPI_RETURN_IF_ERROR(writeMemory(whole, 0, std::vector<uint8_t>(begin, kUntouched)));
    NNAPI_ASSIGN_OR_RETURN(own, createSharedMemory(size, kReadWrite, file.get(), begin));
    made.own = own;
    const std::string path = fmt::format("/proc/self/fd/{}", file.get());
    const UniqueFd again(open(path.c_str(), (isReadOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC));
    if (!again.ok()) return makeError(ErrorStatus::GENERAL_FAILURE, "a file cannot be opened");
    NNAPI_ASSIGN_OR_RETURN(given, createSharedMemory(size, isReadOnly ? PROT_READ : kReadWrite,
                                                     again.get(), begin));
    made.given = given;
    return made;
}

Result<Arguments> Arguments::create(const std::vector<Tensor>& inputs, std::vector<Output> outputs,
                                    const Placement& placement) {
    Arguments made;
    uint32_t end = placement.first;
    for (const Tensor& input : inputs) {
        if (input.hasNoValue) {
            made.mRequest.inputs.push_back({.lifetime = Request::Argument::LifeTime::NO_VALUE});
            continue;
        }
        const auto length = static_cast<uint32_t>(input.data.size());
        made.mRequest.inputs.push_back(
                {.location = {.poolIndex = 0, .offset = end, .length = length},
                 .dimensions = input.dimensions});
        end = after(end, length, placement);
    }
    made.mExpectedInputs.resize(std::max(end, 1u));
    NNAPI_ASSIGN_OR_RETURN(
            inputMemory, PlacedMemory::create(made.mExpectedInputs.size(),
                                              placement.hasReadOnlyInputs, placement.pagesBefore));
    end = placement.first;
    for (Output& output : outputs) {
        output.length = std::max(output.length, 1u);
        made.mRequest.outputs.push_back(
                {.location = {.poolIndex = 1, .offset = end, .length = output.length}});
        end = after(end, output.length, placement);
    }
    made.mOutputSize = std::max(end, 1u);
    NNAPI_ASSIGN_OR_RETURN(outputMemory,
                           PlacedMemory::create(made.mOutputSize, false, placement.pagesBefore));
    made.mInputs = std::move(inputMemory);
    made.mOutputs = std::move(outputMemory);
    made.mRequest.pools = {made.mInputs.given, made.mOutputs.given};
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
    (void)writeMemory(mInputs.own, 0, mExpectedInputs);
}

void Arguments::clearOutputs() {
    (void)writeMemory(mOutputs.own, 0, std::vector<uint8_t>(mOutputSize, kUntouched));
}

std::vector<Tensor> Arguments::outputs(const std::vector<OutputShape>& shapes,
                                       const std::vector<OperandType>& types) const {
    const std::vector<uint8_t> bytes = contentsOf(mOutputs.own, mOutputSize);
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

Failure Arguments::checkInputs(const std::vector<uint8_t>& outputPool) const {
    const std::vector<uint8_t> bytes = contentsOf(mInputs.own, mExpectedInputs.size());
    const auto first = std::ranges::mismatch(bytes, mExpectedInputs).in1;
    if (first == bytes.end()) return std::nullopt;
    const auto at = static_cast<size_t>(first - bytes.begin());
    std::string what = "bytes between them";
    for (size_t i = 0; i < mRequest.inputs.size(); ++i) {
        const DataLocation& location = mRequest.inputs[i].location;
        if (at >= location.offset && at - location.offset < location.length) {
            what = fmt::format("input {}", i);
        }
    }
    std::string message = fmt::format(
            "the execution has written to {}, first to byte {} of pool 0 (in a burst: slot 0)",
            what, at);
    if (std::ranges::count(outputPool, kUntouched) == std::ssize(outputPool)) {
        message += ", and nothing to pool 1 (slot 1), which has the outputs";
    }
    return failed("inputs", std::move(message), "execution.inputs");
}

Failure Arguments::checkUntouched() const {
    const std::vector<uint8_t> bytes = contentsOf(mOutputs.own, mOutputSize);
    if (Failure failure = checkInputs(bytes)) return failure;
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
