#include "importers/tflite/custom_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "nnapi/checked_math.h"

namespace nn::tflite {
namespace {

constexpr uint64_t kMaxOptions = 64, kMaxNameBytes = 64;

// Types of values. The upper six bits of a type byte; the lower two are the logarithm of a width.
enum class FlexType : uint8_t {
    ABSENT = 0,
    INT = 1,
    UINT = 2,
    FLOAT = 3,
    INDIRECT_INT = 6,
    INDIRECT_UINT = 7,
    INDIRECT_FLOAT = 8,
    MAP = 9,
    BOOL = 26,
};

// A value, or what refers to it: a number of `width` bytes at `place`. An object that it refers to
// has the width of the type byte.
struct FlexValue {
    uint64_t place = 0;
    uint64_t width = 0;
    uint8_t typeByte = 0;

    FlexType type() const { return static_cast<FlexType>(typeByte >> 2); }
    uint64_t objectWidth() const { return uint64_t{1} << (typeByte & 3); }
};

class FlexReader {
   public:
    explicit FlexReader(std::span<const uint8_t> bytes) : mBytes(bytes) {}

    // The root stands before its type byte, which stands before its width.
    std::optional<FlexValue> root() const {
        const uint64_t size = mBytes.size();
        if (size < 3) return std::nullopt;
        const uint64_t width = mBytes[size - 1];
        if (!isWidth(width) || size - 2 < width) return std::nullopt;
        return FlexValue{.place = size - 2 - width, .width = width, .typeByte = mBytes[size - 2]};
    }

    // Little-endian.
    std::optional<uint64_t> number(uint64_t place, uint64_t width) const {
        if (!fits(place, width, mBytes.size())) return std::nullopt;
        uint64_t value = 0;
        for (uint64_t i = width; i > 0; --i) value = value << 8 | mBytes[place + i - 1];
        return value;
    }

    // The place to which the offset at a place refers; offsets count backwards.
    std::optional<uint64_t> target(uint64_t place, uint64_t width) const {
        return checkedSub<uint64_t>(place, number(place, width));
    }

    // A number `count` elements before a place, where sizes and keys of a vector stand.
    std::optional<uint64_t> before(uint64_t place, uint64_t width, uint64_t count) const {
        return checkedSub<uint64_t>(place, width * count);
    }

    // A text that ends with 0; empty if it is long.
    std::optional<std::string_view> key(uint64_t place) const {
        if (place >= mBytes.size()) return std::nullopt;
        const auto bytes = mBytes.subspan(place, std::min(kMaxNameBytes, mBytes.size() - place));
        const auto end = std::find(bytes.begin(), bytes.end(), uint8_t{0});
        if (end == bytes.end()) return std::nullopt;
        return std::string_view(reinterpret_cast<const char*>(bytes.data()),
                                static_cast<size_t>(end - bytes.begin()));
    }

    // Empty for one that does not lie in the bytes.
    std::optional<CustomOptions::Value> read(FlexValue value) const {
        switch (value.type()) {
            case FlexType::INDIRECT_INT:
            case FlexType::INDIRECT_UINT:
            case FlexType::INDIRECT_FLOAT: {
                const auto place = target(value.place, value.width);
                if (!place) return std::nullopt;
                constexpr uint8_t kToDirect = 5 << 2;
                return readDirect({.place = *place,
                                   .width = value.objectWidth(),
                                   .typeByte = static_cast<uint8_t>(value.typeByte - kToDirect)});
            }
            default:
                return readDirect(value);
        }
    }

    static bool isWidth(uint64_t width) {
        return width == 1 || width == 2 || width == 4 || width == 8;
    }

   private:
    std::optional<CustomOptions::Value> readDirect(const FlexValue& value) const {
        const auto bits = number(value.place, value.width);
        if (!bits) return std::nullopt;
        switch (value.type()) {
            case FlexType::INT: {
                const auto unused = static_cast<int>(64 - 8 * value.width);
                return static_cast<int64_t>(*bits << unused) >> unused;
            }
            case FlexType::UINT:
                return saturatingCast<int64_t>(*bits);
            case FlexType::FLOAT:
                if (value.width == sizeof(double)) return std::bit_cast<double>(*bits);
                if (value.width != sizeof(float)) break;
                return double{std::bit_cast<float>(static_cast<uint32_t>(*bits))};
            case FlexType::BOOL:
                return *bits != 0;
            default:
                break;
        }
        return CustomOptions::Value();
    }

    std::span<const uint8_t> mBytes;
};

}  // namespace

std::variant<CustomOptions, std::string> CustomOptions::read(std::span<const uint8_t> bytes) {
    const FlexReader reader(bytes);
    const std::string damaged = "has damaged options";
    const auto root = reader.root();
    if (!root) return damaged;
    if (root->type() != FlexType::MAP) return "has options without names";
    // Before the values of a map stand the offset and the width of its keys, and its size; after
    // them the type bytes.
    const uint64_t width = root->objectWidth();
    const auto values = reader.target(root->place, root->width);
    if (!values) return damaged;
    const auto size = reader.before(*values, width, 1);
    const auto keysWidth = reader.before(*values, width, 2);
    const auto keysOffset = reader.before(*values, width, 3);
    if (!keysOffset) return damaged;
    const auto count = reader.number(*size, width), keyWidth = reader.number(*keysWidth, width);
    const auto keys = reader.target(*keysOffset, width);
    if (!count || !keyWidth || !keys || !FlexReader::isWidth(*keyWidth)) return damaged;
    const auto keyCount = reader.before(*keys, *keyWidth, 1);
    if (!keyCount || reader.number(*keyCount, *keyWidth) != *count) return damaged;
    if (*count > kMaxOptions) {
        return fmt::format("has {} options, allowed {}", *count, kMaxOptions);
    }
    CustomOptions options;
    std::string_view previous;
    for (uint64_t i = 0; i < *count; ++i) {
        const auto place = reader.target(*keys + i * *keyWidth, *keyWidth);
        const auto type = reader.number(*values + *count * width + i, 1);
        const auto key = place ? reader.key(*place) : std::nullopt;
        // Readers find keys by binary search.
        if (!key || !type || (i > 0 && *key <= previous)) return damaged;
        const auto value = reader.read({.place = *values + i * width,
                                        .width = width,
                                        .typeByte = static_cast<uint8_t>(*type)});
        if (!value) return damaged;
        previous = *key;
        const bool isAbsent = static_cast<FlexType>(*type >> 2) == FlexType::ABSENT;
        if (!isAbsent) options.mValues.emplace(*key, *value);
    }
    return options;
}

const CustomOptions::Value* CustomOptions::find(std::string_view name) const {
    const auto found = mValues.find(name);
    return found == mValues.end() ? nullptr : &found->second;
}

}  // namespace nn::tflite
