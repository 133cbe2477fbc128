// SHA-256 digests, by libcrypto.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "nnapi/result.h"

namespace nn::cache {

using Digest = std::array<uint8_t, 32>;

// GENERAL_FAILURE if libcrypto lacks SHA-256.
Result<Digest> sha256(std::span<const uint8_t> bytes);
Result<Digest> hmacSha256(std::span<const uint8_t> key, std::span<const uint8_t> bytes);

// Compares in constant time.
bool areEqual(std::span<const uint8_t> a, std::span<const uint8_t> b);

}  // namespace nn::cache
