// Serializes objects in little endian: numbers in their width, sequences with a 32-bit count before
// the elements.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nn::cache {

inline std::span<const uint8_t> bytesOf(std::string_view text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

class ByteWriter {
   public:
    template <std::integral T>
    void put(T value) {
        const auto bits = static_cast<std::make_unsigned_t<T>>(value);
        std::array<uint8_t, sizeof(T)> bytes{};
        for (size_t i = 0; i < sizeof(T); ++i) {
            bytes[i] = static_cast<uint8_t>(static_cast<uint64_t>(bits) >> (8 * i));
        }
        put(bytes);
    }
    void put(std::span<const uint8_t> bytes) {
        mBytes.insert(mBytes.end(), bytes.begin(), bytes.end());
    }
    // With its length, which the caller has checked to be below 2^32.
    void putText(std::string_view text) {
        put(static_cast<uint32_t>(text.size()));
        put(bytesOf(text));
    }

    const std::vector<uint8_t>& bytes() const& { return mBytes; }
    std::vector<uint8_t>&& bytes() && { return std::move(mBytes); }

   private:
    std::vector<uint8_t> mBytes;
};

// Reads untrusted bytes. A failed read returns nothing.
class ByteReader {
   public:
    explicit ByteReader(std::span<const uint8_t> bytes) : mRest(bytes) {}

    size_t rest() const { return mRest.size(); }

    template <std::integral T>
    bool take(T& value) {
        if (mRest.size() < sizeof(T)) return false;
        uint64_t bits = 0;
        for (size_t i = 0; i < sizeof(T); ++i) bits |= uint64_t{mRest[i]} << (8 * i);
        value = static_cast<T>(bits);
        mRest = mRest.subspan(sizeof(T));
        return true;
    }
    std::optional<std::span<const uint8_t>> takeBytes(size_t size) {
        if (size > mRest.size()) return std::nullopt;
        const auto taken = mRest.first(size);
        mRest = mRest.subspan(size);
        return taken;
    }
    // A count of items of at least this many bytes each, so that a few bytes cannot cause a huge
    // reservation.
    bool takeCount(uint32_t& count, size_t minBytes) {
        ByteReader ahead = *this;
        if (!ahead.take(count) || count > ahead.rest() / minBytes) return false;
        *this = ahead;
        return true;
    }

   private:
    std::span<const uint8_t> mRest;
};

}  // namespace nn::cache
