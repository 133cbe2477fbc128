#include "fuzz/input.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "nnapi/convert.h"
#include "nnapi/type_utils.h"

namespace nn::fuzz {
namespace {

constexpr uint64_t kMaxBytesOfValues = 1 << 16;

// Reads and removes a base-128 number at the front of bytes.
std::optional<uint64_t> takeVarint(std::span<const uint8_t>& bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < std::min<size_t>(bytes.size(), 9); ++i) {
        value |= uint64_t{bytes[i] & 0x7Fu} << (7 * i);
        if (bytes[i] < 0x80) {
            bytes = bytes.subspan(i + 1);
            return value;
        }
    }
    return std::nullopt;
}

}  // namespace

void expect(bool condition, std::string_view what) {
    if (condition) return;
    fmt::print(stderr, "{}\n", what);
    std::abort();
}

ModelInput split(std::span<const uint8_t> bytes) {
    std::span<const uint8_t> rest = bytes;
    if (!takeVarint(rest)) return {.file = bytes};
    const auto length = takeVarint(rest);
    if (!length || *length > rest.size()) return {.file = bytes};
    const size_t end = bytes.size() - rest.size() + *length;
    return {.file = bytes.first(end), .choices = bytes.subspan(end)};
}

std::optional<AnyModel> modelOf(const ModelInput& input) {
    auto model = parseModel(textOf(input.file), Format::BINARY);
    if (!model.ok()) return std::nullopt;
    return *std::move(model);
}

std::optional<Model> canonicalOf(const ModelInput& input) {
    auto any = modelOf(input);
    if (!any) return std::nullopt;
    return std::visit(
            []<class M>(M& model) -> std::optional<Model> {
                if constexpr (std::same_as<M, Model>) {
                    return std::move(model);
                } else {
                    auto canonical = unvalidatedConvertFrom(HalModel(std::move(model)));
                    if (!canonical.ok()) return std::nullopt;
                    return *std::move(canonical);
                }
            },
            *any);
}

bool areSame(const AnyModel& a, const AnyModel& b) {
    if (a.index() != b.index()) return false;
    return std::visit(
            [&]<class M>(const M& held) {
                // Compares the bytes of the files without copying them.
                if constexpr (std::same_as<M, AidlModel>) {
                    const auto first = serializeModel(a, Format::BINARY);
                    const auto second = serializeModel(b, Format::BINARY);
                    return first.ok() && second.ok() && *first == *second;
                } else {
                    M first = held;
                    M second = std::get<M>(b);
                    // Bytes in memory are compared like those of a file.
                    const auto files = [](M& model) {
                        return serializeModel(M{.pools = std::exchange(model.pools, {})},
                                              Format::BINARY);
                    };
                    const auto firstFiles = files(first), secondFiles = files(second);
                    return firstFiles.ok() && secondFiles.ok() && *firstFiles == *secondFiles &&
                           (first == second || !(first == first));
                }
            },
            a);
}

PrepareOptions littleWork() {
    return {.limits = {.peakBytes = kMaxBytesOfValues, .loopFuel = 200}};
}

ExecuteOptions littleTime() { return {.loopTimeout = Duration(std::chrono::milliseconds(50))}; }

std::vector<Tensor> anyBits(testing::Source& source, const Model& model) {
    std::vector<Tensor> inputs;
    for (const uint32_t index : model.main.inputIndexes) {
        Operand operand = model.main.operands[index];
        for (uint32_t& dimension : operand.dimensions) {
            if (dimension == 0) dimension = static_cast<uint32_t>(1 + source.below(3));
        }
        Tensor tensor{.dimensions = operand.dimensions};
        tensor.data.resize(std::min(operandSize(operand).value_or(0), kMaxBytesOfValues));
        // All bytes after the choices are 0 and need not be read.
        for (uint8_t& byte : tensor.data) {
            if (source.exhausted()) break;
            byte = source.byte();
        }
        inputs.push_back(std::move(tensor));
    }
    return inputs;
}

}  // namespace nn::fuzz
