// Checks that operations write all elements of their outputs: executes twice, with different bytes
// in outputs and working memory (ExecuteOptions::poison), and compares the outputs of each
// operation bit by bit.
//
//   EXPECT_EQ(unwritten(prepared, inputs), "");
//
//   main.operations[2] GROUPED_CONV_2D: output 0, byte 8 of 128 was left unwritten
//
// "depends on memory that was left unwritten" describes a byte that differs between the executions
// and has neither of the fill values.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "nnapi/interpreter.h"
#include "op_support/kernels/memory.h"

namespace nn {

inline constexpr uint8_t kPoisons[] = {0x55, 0xAA};

// The difference between two values; empty if they are equal.
inline std::string unwrittenByte(std::span<const uint8_t> first, std::span<const uint8_t> second) {
    if (first.size() != second.size())
        return fmt::format("{} bytes, and {} the second time", first.size(), second.size());
    const auto differ = std::ranges::mismatch(first, second);
    if (differ.in1 == first.end()) return {};
    const auto at = static_cast<size_t>(differ.in1 - first.begin());
    const AlignedMemory memory(at + 1);
    const auto isPoison = [&](uint8_t byte, uint8_t seed) {
        poison(memory.at(0), at + 1, seed);
        return byte == memory.at(at)[0];
    };
    const bool isKept = isPoison(*differ.in1, kPoisons[0]) && isPoison(*differ.in2, kPoisons[1]);
    return fmt::format("byte {} of {} {}", at, first.size(),
                       isKept ? "was left unwritten" : "depends on memory that was left unwritten");
}

// For any function that executes deterministically: the first unwritten output, or why an execution
// fails; empty if everything is written.
inline std::string unwritten(const std::function<Status(const ExecuteOptions&)>& execute) {
    std::vector<std::vector<uint8_t>> values;  // of the first execution, operation after operation
    const auto keep = [&](const ComputedOperation& computed) {
        for (const ComputedOperation::Output& output : computed.outputs)
            values.emplace_back(output.data.begin(), output.data.end());
    };
    size_t next = 0;
    std::string why;
    const auto compare = [&](const ComputedOperation& computed) {
        for (size_t i = 0; i < computed.outputs.size() && why.empty(); ++i, ++next) {
            const std::string differs =
                    next < values.size() ? unwrittenByte(values[next], computed.outputs[i].data)
                                         : "was not computed the first time";
            if (differs.empty()) continue;
            why = fmt::format("{} {}: output {}, {}", computed.path, computed.name, i, differs);
        }
    };
    Status status = execute({.observer = keep, .poison = kPoisons[0]});
    if (status.ok()) status = execute({.observer = compare, .poison = kPoisons[1]});
    if (!status.ok()) return std::string(status.message());
    if (why.empty() && next != values.size()) return "fewer operations the second time";
    return why;
}

inline std::string unwritten(const PreparedModel& prepared, std::span<const Tensor> inputs) {
    return unwritten(
            [&](const ExecuteOptions& options) { return prepared.run(inputs, options).status(); });
}

}  // namespace nn
