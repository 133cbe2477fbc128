#include "importers/onnx/wire.h"

#include <bit>
#include <cstring>

namespace nn::onnx {
namespace {

// Adds the numbers of a repeated field of fixed size.
template <class T>
bool appendFixed(const WireField& field, WireField::Kind single, std::vector<T>& values) {
    if (field.kind == single) {
        T value{};
        std::memcpy(&value, &field.value, sizeof(T));
        values.push_back(value);
        return true;
    }
    if (field.kind != WireField::Kind::BYTES || field.bytes.size() % sizeof(T) != 0) return false;
    if (field.bytes.empty()) return true;
    const size_t before = values.size();
    values.resize(before + field.bytes.size() / sizeof(T));
    std::memcpy(values.data() + before, field.bytes.data(), field.bytes.size());
    return true;
}

}  // namespace

float WireField::real() const { return std::bit_cast<float>(static_cast<uint32_t>(value)); }

bool WireReader::fail() {
    mMalformed = true;
    return false;
}

bool WireReader::varint(uint64_t& value) {
    value = 0;
    for (size_t i = 0; i < 10 && i < mRest.size(); ++i) {
        const auto byte = static_cast<uint8_t>(mRest[i]);
        if (i == 9 && byte > 1) return false;
        value |= uint64_t{byte & 0x7Fu} << (7 * i);
        if (byte < 0x80) {
            mRest.remove_prefix(i + 1);
            return true;
        }
    }
    return false;
}

bool WireReader::fixed(size_t size, uint64_t& value) {
    if (mRest.size() < size) return false;
    value = 0;
    std::memcpy(&value, mRest.data(), size);
    mRest.remove_prefix(size);
    return true;
}

bool WireReader::next(WireField& field) {
    if (mMalformed || mRest.empty()) return false;
    uint64_t tag = 0;
    if (!varint(tag) || tag > UINT32_MAX || tag < 8) return fail();
    field = {.number = static_cast<uint32_t>(tag >> 3),
             .kind = static_cast<WireField::Kind>(tag & 7)};
    switch (field.kind) {
        case WireField::Kind::VARINT:
            return varint(field.value) || fail();
        case WireField::Kind::FIXED64:
            return fixed(8, field.value) || fail();
        case WireField::Kind::FIXED32:
            return fixed(4, field.value) || fail();
        case WireField::Kind::BYTES: {
            uint64_t length = 0;
            if (!varint(length) || length > mRest.size()) return fail();
            field.bytes = mRest.substr(0, length);
            mRest.remove_prefix(length);
            return true;
        }
    }
    return fail();
}

bool appendIntegers(const WireField& field, std::vector<int64_t>& values) {
    if (field.kind == WireField::Kind::VARINT) {
        values.push_back(field.integer());
        return true;
    }
    if (field.kind != WireField::Kind::BYTES) return false;
    std::string_view rest = field.bytes;
    while (!rest.empty()) {
        uint64_t value = 0;
        size_t i = 0;
        for (;; ++i) {
            if (i == 10 || i == rest.size()) return false;
            const auto byte = static_cast<uint8_t>(rest[i]);
            value |= uint64_t{byte & 0x7Fu} << (7 * i);
            if (byte < 0x80) break;
        }
        rest.remove_prefix(i + 1);
        values.push_back(static_cast<int64_t>(value));
    }
    return true;
}

bool appendFloats(const WireField& field, std::vector<float>& values) {
    return appendFixed(field, WireField::Kind::FIXED32, values);
}

bool appendDoubles(const WireField& field, std::vector<double>& values) {
    return appendFixed(field, WireField::Kind::FIXED64, values);
}

}  // namespace nn::onnx
