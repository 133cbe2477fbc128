// Choices in records: a target reads each call, answer or object from a record of its own, so that
// a mutation of one leaves the others as they are.
//
// A record is a byte that is its length, and as many bytes, of which the last record may lack some.
#pragma once

#include <span>

#include "nnapi/testing/generate.h"

namespace nn::fuzz {

// Reads one record after the other. As in any source, zeros follow the end of a record.
class Records : public testing::Source {
   public:
    // The bytes must outlive the records. There are no choices before the first next().
    explicit Records(std::span<const uint8_t> bytes) : Source({}), mRest(bytes) {}

    // Turns to the next record, an empty one after the last.
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
