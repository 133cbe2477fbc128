// Choices in records: a target reads each call, result or object from a record of its own, so that
// a mutation of one does not affect the others.
//
// A record is a length byte, followed by that many bytes; the last record may be shorter.
#pragma once

#include <span>

#include "nnapi/generate/generate.h"

namespace nn::fuzz {

// Reads one record after the other. As in any source, zeros follow the end of a record.
class Records : public testing::Source {
   public:
    // The bytes must outlive the records. There are no choices before the first next().
    explicit Records(std::span<const uint8_t> bytes) : Source({}), mRest(bytes) {}

    // Advances to the next record, or to an empty one after the last.
    Records& next();

    // Whether there is no further record.
    bool areRead() const { return mRest.empty(); }

    // The rest of the current record.
    std::span<const uint8_t> bytes() const { return mCurrent.subspan(used()); }

   private:
    std::span<const uint8_t> mRest;
    std::span<const uint8_t> mCurrent{};
};

}  // namespace nn::fuzz
