// Reads fields of protobuf's wire format, one by one, as views of the bytes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace nn::onnx {

struct WireField {
    enum class Kind : uint8_t { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };
    uint32_t number = 0;
    Kind kind = Kind::VARINT;
    uint64_t value = 0;        // of numbers
    std::string_view bytes{};  // of BYTES

    int64_t integer() const { return static_cast<int64_t>(value); }
    float real() const;  // of FIXED32
};

// Groups, which protobuf gave up, are malformed.
class WireReader {
   public:
    explicit WireReader(std::string_view bytes) : mRest(bytes) {}

    // The next field; false at the end and where the bytes are malformed.
    bool next(WireField& field);
    bool isMalformed() const { return mMalformed; }

   private:
    bool varint(uint64_t& value);
    bool fixed(size_t size, uint64_t& value);
    bool fail();

    std::string_view mRest;
    bool mMalformed = false;
};

// Adds the numbers of a repeated field, which may be packed; false where they are malformed.
bool appendIntegers(const WireField& field, std::vector<int64_t>& values);
bool appendFloats(const WireField& field, std::vector<float>& values);
bool appendDoubles(const WireField& field, std::vector<double>& values);

}  // namespace nn::onnx
