// The store of compiled parts: limits, eviction when it is full, and serialization.
#include "nnapi/driver/blob_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "in_threads.h"
#include "nnapi/types.h"

namespace nn::driver_blob_store_test {
namespace {

using Bytes = BlobStore::Bytes;
using Which = BlobCleanUp::Which;
using Until = BlobCleanUp::Until;

Bytes bytesOf(std::string_view text) { return {text.begin(), text.end()}; }

Status put(BlobStore& store, std::string_view key, size_t size) {
    return store.put(bytesOf(key), Bytes(size, static_cast<uint8_t>(key[0])));
}

// The keys from "a" to "z" that have a value. Looking them up counts as use.
std::string keysOf(const BlobStore& store) {
    std::string keys;
    for (char key = 'a'; key <= 'z'; ++key) {
        if (store.get(Bytes{static_cast<uint8_t>(key)})) keys += key;
    }
    return keys;
}

// Rule cache.blob_store.
TEST(BlobStore, KeepsValuesByKey) {
    BlobStore store;
    EXPECT_EQ(store.get(bytesOf("a")), std::nullopt);
    ASSERT_TRUE(put(store, "a", 3).ok());
    ASSERT_TRUE(put(store, "b", 4).ok());
    EXPECT_EQ(store.get(bytesOf("a")), bytesOf("aaa"));
    ASSERT_TRUE(store.put(bytesOf("a"), bytesOf("new")).ok());
    EXPECT_EQ(store.get(bytesOf("a")), bytesOf("new"));
    EXPECT_EQ(store.count(), 2u);
    EXPECT_EQ(store.totalBytes(), 1u + 3 + 1 + 4);
}

// Rule cache.blob_store: limits apply to a key, to a value and to their total.
TEST(BlobStore, RejectsEntriesBeyondLimits) {
    const BlobLimits limits{.keyBytes = 4, .valueBytes = 10, .totalBytes = 12};
    const struct {
        const char* name;
        size_t key, value;
        Until until;
        const char* message;
    } kRows[] = {{"Fits", 2, 10, Until::BOTH, ""},
                 {"Key", 5, 1, Until::BOTH, "a key of 5 bytes, allowed 1 to 4"},
                 {"EmptyKey", 0, 1, Until::BOTH, "a key of 0 bytes, allowed 1 to 4"},
                 {"Value", 1, 11, Until::BOTH, "a value of 11 bytes, allowed 1 to 10"},
                 {"EmptyValue", 1, 0, Until::BOTH, "a value of 0 bytes, allowed 1 to 10"},
                 {"Total", 3, 10, Until::IT_FITS, "an entry of 13 bytes, allowed 1 to 12"},
                 {"Half", 1, 6, Until::HALF, "an entry of 7 bytes, allowed 1 to 6"},
                 {"FitsHalf", 1, 5, Until::HALF, ""}};
    for (const auto& row : kRows) {
        BlobStore store(limits, {.until = row.until});
        ASSERT_TRUE(put(store, "zz", 1).ok());
        const Status status = store.put(Bytes(row.key, 1), Bytes(row.value, 2));
        EXPECT_EQ(status.message(), row.message) << row.name;
        if (!status.ok()) {
            EXPECT_EQ(errorStatus(status), ErrorStatus::INVALID_ARGUMENT) << row.name;
            EXPECT_EQ(store.totalBytes(), 3u) << row.name << ": everything stays";
        }
    }
}

// Rule cache.blob_store: the order and the amount of eviction. Ten entries of ten bytes fill the
// store, "a" was used last; then "k" is added.
TEST(BlobStore, CleansUp) {
    const struct {
        const char* name;
        Until until;
        size_t size;  // of "k" and its value
        const char* left;
    } kRows[] = {{"ItFits", Until::IT_FITS, 10, "acdefghijk"},
                 {"ItFitsLarge", Until::IT_FITS, 75, "ajk"},
                 {"Half", Until::HALF, 10, "aghijk"},
                 {"HalfLarge", Until::HALF, 50, "aghijk"},
                 {"Both", Until::BOTH, 10, "aghijk"},
                 {"BothLarge", Until::BOTH, 75, "ajk"},
                 {"All", Until::BOTH, 100, "k"}};
    for (const auto& row : kRows) {
        BlobStore store({.totalBytes = 100}, {.until = row.until});
        for (char key = 'a'; key <= 'j'; ++key)
            ASSERT_TRUE(put(store, std::string(1, key), 9).ok());
        ASSERT_TRUE(store.get(bytesOf("a")));
        ASSERT_TRUE(put(store, "k", row.size - 1).ok());
        EXPECT_EQ(keysOf(store), row.left) << row.name;

        BlobStore random({.totalBytes = 100}, {.which = Which::RANDOM, .until = row.until});
        for (char key = 'a'; key <= 'j'; ++key) {
            ASSERT_TRUE(put(random, std::string(1, key), 9).ok());
        }
        ASSERT_TRUE(put(random, "k", row.size - 1).ok());
        EXPECT_EQ(keysOf(random).size(), std::string(row.left).size()) << row.name;
        EXPECT_LE(random.totalBytes(), 100u);
    }
}

TEST(BlobStore, EvictsRandomEntriesBySeed) {
    std::vector<std::string> left;
    for (const uint32_t seed : {1u, 1u, 2u, 3u, 4u}) {
        BlobStore store({.totalBytes = 100}, {.which = Which::RANDOM, .seed = seed});
        for (char key = 'a'; key <= 'k'; ++key)
            ASSERT_TRUE(put(store, std::string(1, key), 9).ok());
        left.push_back(keysOf(store));
    }
    EXPECT_EQ(left[0], left[1]);
    EXPECT_THAT(left, testing::Contains(testing::Ne(left[0])));
}

// Replacing a value frees its own space.
TEST(BlobStore, ReplacesWithoutCleaningUp) {
    BlobStore store({.totalBytes = 100});
    for (const char* key : {"a", "b"}) ASSERT_TRUE(put(store, key, 49).ok());
    ASSERT_TRUE(put(store, "b", 48).ok());
    EXPECT_EQ(keysOf(store), "ab");
}

// Rule cache.blob_store: serialization preserves the order of use.
TEST(BlobStore, SurvivesSerialization) {
    BlobStore store({.totalBytes = 100}, {}, "3.1"), other({.totalBytes = 100}, {}, "3.1");
    for (char key = 'a'; key <= 'j'; ++key) ASSERT_TRUE(put(store, std::string(1, key), 9).ok());
    ASSERT_TRUE(store.get(bytesOf("a")));
    ASSERT_TRUE(put(other, "z", 9).ok());
    const Bytes bytes = store.serialize();
    ASSERT_TRUE(other.parse(bytes).ok()) << other.parse(bytes);
    EXPECT_EQ(other.serialize(), bytes);
    EXPECT_EQ(other.totalBytes(), 100u);
    ASSERT_TRUE(put(other, "k", 9).ok());
    EXPECT_EQ(keysOf(other), "aghijk");
}

// Rule cache.blob_store: wrong magic, versions and lengths.
TEST(BlobStore, RejectsInvalidBytes) {
    BlobStore store({.totalBytes = 100}, {}, "3.1");
    ASSERT_TRUE(put(store, "a", 9).ok());
    ASSERT_TRUE(put(store, "b", 9).ok());
    const Bytes bytes = store.serialize();  // magic 8, format 4, version 4 + 3, count 4, entries
    const auto with = [&](size_t at, uint8_t value) {
        Bytes changed = bytes;
        changed.at(at) = value;
        return changed;
    };
    Bytes longer = bytes;
    longer.push_back(0);
    const struct {
        const char* name;
        Bytes bytes;
        const char* message;
    } kRows[] = {{"Empty", {}, "these are not the bytes of a blob store"},
                 {"Magic", with(0, 'M'), "these are not the bytes of a blob store"},
                 {"Format", with(8, 2), "version 2 of the format, allowed 1"},
                 {"Device", with(16, '4'), "the bytes are those of another version of the device"},
                 {"DeviceLength", with(15, 255), "the bytes end in the version of the device"},
                 {"Count", with(19, 3), "the bytes end in entry 2 of 3"},
                 {"HugeCount", with(22, 255), "the bytes end before the entries that they claim"},
                 {"HugeKey", with(26, 255), "the bytes end in entry 0 of 2"},
                 {"EmptyKey", with(23, 0), "the bytes end in entry 0 of 2"},
                 {"SameKey", with(45, 'a'), "entry 1 has the key of another one"},
                 {"Longer", longer, "1 bytes follow the last entry"}};
    for (const auto& row : kRows) {
        const Status status = store.parse(row.bytes);
        EXPECT_EQ(status.message(), row.message) << row.name;
        EXPECT_EQ(errorStatus(status), ErrorStatus::INVALID_ARGUMENT) << row.name;
        EXPECT_EQ(store.serialize(), bytes) << row.name << ": everything stays";
    }
    for (size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(store.parse(std::span(bytes).first(size)).ok()) << size;
    }
    EXPECT_EQ(BlobStore({.totalBytes = 19}, {}, "3.1").parse(bytes).message(),
              "the entries have more than 19 bytes");
    EXPECT_EQ(BlobStore({.valueBytes = 8}, {}, "3.1").parse(bytes).message(),
              "entry 0: a value of 9 bytes, allowed 1 to 8");
}

// Rule cache.blob_store: from many threads.
TEST(BlobStore, IsThreadSafe) {
    BlobStore store({.totalBytes = 1000});
    inThreads(4, [&](int t) {
        for (int i = 0; i < 500; ++i) {
            const std::string key(1, static_cast<char>('a' + (i * 7 + t) % 26));
            EXPECT_TRUE(put(store, key, 90).ok());
            if (const auto value = store.get(bytesOf(key))) {
                EXPECT_EQ(*value, Bytes(90, static_cast<uint8_t>(key[0])));
            }
            if (i % 50 == 0) {
                EXPECT_TRUE(store.parse(store.serialize()).ok());
            }
        }
    });
    EXPECT_LE(store.totalBytes(), 1000u);
}

}  // namespace
}  // namespace nn::driver_blob_store_test
