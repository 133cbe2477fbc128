// Mutations of records: insert, remove and reorder whole records, and change the choices in one.
#include "fuzz/records.h"

#include <algorithm>
#include <vector>

#include "fuzz/random.h"
#include "fuzz/target.h"

namespace nn::fuzz {
namespace {

using Record = std::vector<uint8_t>;

constexpr size_t kLongest = 255;

// Removes the first record from bytes.
std::span<const uint8_t> takeRecord(std::span<const uint8_t>& bytes) {
    if (bytes.empty()) return {};
    const auto rest = bytes.subspan(1);
    const auto record = rest.first(std::min<size_t>(bytes[0], rest.size()));
    bytes = rest.subspan(record.size());
    return record;
}

std::vector<Record> recordsOf(std::span<const uint8_t> bytes) {
    std::vector<Record> records;
    while (!bytes.empty()) {
        const auto record = takeRecord(bytes);
        records.emplace_back(record.begin(), record.end());
    }
    return records;
}

// Writes as many records as fit.
size_t write(const std::vector<Record>& records, std::span<uint8_t> out) {
    size_t size = 0;
    for (const Record& record : records) {
        if (size + 1 + record.size() > out.size()) break;
        out[size++] = static_cast<uint8_t>(record.size());
        std::ranges::copy(record, out.begin() + static_cast<ptrdiff_t>(size));
        size += record.size();
    }
    return size;
}

class RecordMutator {
   public:
    // Records are copied from the donor, which may be the records themselves.
    RecordMutator(std::vector<Record>& records, std::span<const Record> donor, unsigned seed)
        : mRecords(records), mDonor(donor.begin(), donor.end()), mRandom(seed) {}

    void mutate() {
        // Usually one change, occasionally several.
        do {
            change();
        } while (mRandom.oneIn(3));
    }

    // Inserts records of the donor.
    void cross() {
        std::vector<Record> some = someOfDonor();
        if (!mRecords.empty() && mRandom.oneIn(2)) drop(some.size());
        insert(std::move(some));
    }

   private:
    void change() {
        if (mRecords.empty() || mRandom.oneIn(8)) return insert({fresh()});
        switch (mRandom.below(10)) {
            case 0:
                return drop(1);
            case 1:
                return drop(1 + mRandom.below(8));
            case 2: {  // twice
                Record copy = any();
                if (mRandom.oneIn(2)) tweak(copy);
                return insert({std::move(copy)});
            }
            case 3:
                return std::swap(any(), any());
            case 4:
                return cross();
            default:
                return tweak(any());
        }
    }

    Record& any() { return mRecords[mRandom.below(mRecords.size())]; }

    // Small bytes choose among few alternatives; others are parts of numbers.
    uint8_t byte() { return static_cast<uint8_t>(mRandom.below(mRandom.oneIn(2) ? 16 : 256)); }

    Record fresh() {
        Record record(mRandom.below(mRandom.oneIn(4) ? kLongest + 1 : 24));
        std::ranges::generate(record, [&] { return byte(); });
        return record;
    }

    std::vector<Record> someOfDonor() {
        if (mDonor.empty()) return {fresh()};
        const size_t first = mRandom.below(mDonor.size());
        const size_t count = 1 + mRandom.below(std::min<size_t>(mDonor.size() - first, 16));
        const auto begin = mDonor.begin() + static_cast<ptrdiff_t>(first);
        return {begin, begin + static_cast<ptrdiff_t>(count)};
    }

    void insert(std::vector<Record> some) {
        mRecords.insert(
                mRecords.begin() + static_cast<ptrdiff_t>(mRandom.below(mRecords.size() + 1)),
                std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    }

    void drop(size_t count) {
        const size_t first = mRandom.below(mRecords.size());
        const auto begin = mRecords.begin() + static_cast<ptrdiff_t>(first);
        mRecords.erase(begin,
                       begin + static_cast<ptrdiff_t>(std::min(count, mRecords.size() - first)));
    }

    void tweak(Record& record) {
        const size_t size = record.size();
        const size_t at = mRandom.below(size);
        const auto place = record.begin() + static_cast<ptrdiff_t>(at);
        if (size == 0) return record.push_back(byte());
        switch (mRandom.below(8)) {
            case 0:
                *place = byte();
                return;
            case 1:
                ++*place;
                return;
            case 2:
                --*place;
                return;
            case 3: {  // eight bytes, as a source reads them
                const uint64_t number = mRandom.pick(kNumbers);
                record.resize(std::max(size, std::min(at + 8, kLongest)));
                for (size_t i = 0; i < 8 && at + i < record.size(); ++i) {
                    record[at + i] = static_cast<uint8_t>(number >> (56 - 8 * i));
                }
                return;
            }
            case 4:  // an additional choice
                if (size < kLongest) record.insert(place, byte());
                return;
            case 5:  // a removed choice
                record.erase(place);
                return;
            case 6: {  // other choices from here on
                record.resize(at);
                const Record end = fresh();
                record.insert(
                        record.end(), end.begin(),
                        end.begin() + static_cast<ptrdiff_t>(std::min(end.size(), kLongest - at)));
                return;
            }
            default: {
                const size_t most = std::min(size + 8, kLongest);
                record.resize(most);
                record.resize(LLVMFuzzerMutate(record.data(), size, most));
            }
        }
    }

    std::vector<Record>& mRecords;
    const std::vector<Record> mDonor;
    Random mRandom;
};

}  // namespace

Records& Records::next() {
    mCurrent = takeRecord(mRest);
    static_cast<testing::Source&>(*this) = testing::Source(mCurrent);
    return *this;
}

size_t mutateRecords(uint8_t* data, size_t size, size_t maxSize, unsigned seed) {
    std::vector<Record> records = recordsOf({data, size});
    RecordMutator(records, records, seed).mutate();
    return write(records, {data, maxSize});
}

size_t crossRecords(std::span<const uint8_t> a, std::span<const uint8_t> b, std::span<uint8_t> out,
                    unsigned seed) {
    std::vector<Record> records = recordsOf(a);
    RecordMutator(records, recordsOf(b), seed).cross();
    return write(records, out);
}

}  // namespace nn::fuzz
