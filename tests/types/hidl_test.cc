// The range type of HIDL: ownership of its elements, and copies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "nnapi/hal/hidl.h"

namespace nn::hidl_test {
namespace {

using hidl::hidl_vec;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

// Elements of each kind: numbers, bool with its special vector, and elements that own memory.
template <class T>
struct Samples;
template <>
struct Samples<uint8_t> {
    static std::vector<uint8_t> three() { return {1, 2, 255}; }
};
template <>
struct Samples<uint32_t> {
    static std::vector<uint32_t> three() { return {1, 2, 0xFFFFFFFF}; }
};
template <>
struct Samples<bool> {
    static std::vector<bool> three() { return {true, false, true}; }
};
template <>
struct Samples<std::string> {
    static std::vector<std::string> three() { return {"a", "", std::string(100, 'c')}; }
};

// A new array with the samples, owned by the caller.
template <class T>
T* newArray() {
    const std::vector<T> three = Samples<T>::three();
    T* array = new T[three.size()];
    std::copy(three.begin(), three.end(), array);
    return array;
}

template <class T>
class HidlVec : public testing::Test {
   protected:
    const std::vector<T> mThree = Samples<T>::three();

    // The samples, stored in each way.
    std::vector<hidl_vec<T>> each() {
        std::vector<hidl_vec<T>> all(4);
        all[0] = mThree;
        all[1] = hidl_vec<T>(mThree.begin(), mThree.end());
        all[2].setToExternal(mBorrowed.get(), mThree.size());
        all[3].setToExternal(newArray<T>(), mThree.size(), /*shouldOwn=*/true);
        return all;
    }

    std::unique_ptr<T[]> mBorrowed{newArray<T>()};
};

using Types = testing::Types<uint8_t, uint32_t, bool, std::string>;
TYPED_TEST_SUITE(HidlVec, Types);

TYPED_TEST(HidlVec, IsAnArrayOfItsElements) {
    const hidl_vec<TypeParam> none;
    EXPECT_EQ(none.size(), 0u);
    EXPECT_EQ(none.begin(), none.end());
    EXPECT_THAT(hidl_vec<TypeParam>(2), ElementsAre(TypeParam{}, TypeParam{}));
    const hidl_vec<TypeParam> listed = {this->mThree[0], this->mThree[1]};
    EXPECT_THAT(listed, ElementsAre(this->mThree[0], this->mThree[1]));
    for (hidl_vec<TypeParam>& range : this->each()) {
        EXPECT_THAT(range, ElementsAreArray(this->mThree));
        EXPECT_EQ(&range[2], range.data() + 2);
        EXPECT_EQ(range, hidl_vec<TypeParam>(this->mThree));
        EXPECT_FALSE(range == listed);
        EXPECT_EQ(std::vector<TypeParam>(range), this->mThree);
    }
}

TYPED_TEST(HidlVec, ACopyOwnsItsElements) {
    for (const hidl_vec<TypeParam>& range : this->each()) {
        const hidl_vec<TypeParam> copy = range;
        hidl_vec<TypeParam> assigned = {this->mThree[1]};
        assigned = range;
        for (const hidl_vec<TypeParam>* each : {&copy, &std::as_const(assigned)}) {
            EXPECT_EQ(*each, range);
            EXPECT_NE(each->data(), range.data());
        }
        EXPECT_THAT(range, ElementsAreArray(this->mThree));
    }
    // assigned to each kind
    for (hidl_vec<TypeParam>& range : this->each()) {
        const hidl_vec<TypeParam> other = {this->mThree[1]};
        range = other;
        EXPECT_EQ(range, other);
        range = {this->mThree[2], this->mThree[0]};
        EXPECT_THAT(range, ElementsAre(this->mThree[2], this->mThree[0]));
    }
    EXPECT_EQ(this->mBorrowed[0], this->mThree[0]);
}

TYPED_TEST(HidlVec, AMoveTakesTheSameElements) {
    for (size_t i = 0; i < 4; ++i) {
        for (size_t onto = 0; onto < 4; ++onto) {
            hidl_vec<TypeParam> from = std::move(this->each()[i]);
            const TypeParam* data = from.data();
            hidl_vec<TypeParam> moved = std::move(from);
            EXPECT_EQ(moved.data(), data);
            EXPECT_EQ(from.size(), 0u);
            from = {this->mThree[0]};
            EXPECT_THAT(from, ElementsAre(this->mThree[0]));

            hidl_vec<TypeParam> assigned = std::move(this->each()[onto]);
            assigned = std::move(moved);
            EXPECT_EQ(assigned.data(), data);
            EXPECT_EQ(moved.size(), 0u);
            EXPECT_THAT(assigned, ElementsAreArray(this->mThree));
        }
    }
}

TYPED_TEST(HidlVec, KeepsItsElementsWhenAssignedToItself) {
    for (hidl_vec<TypeParam>& range : this->each()) {
        const TypeParam* data = range.data();
        hidl_vec<TypeParam>& same = range;
        range = std::as_const(same);
        EXPECT_THAT(range, ElementsAreArray(this->mThree));
        range = std::move(same);
        EXPECT_THAT(range, ElementsAreArray(this->mThree));
        EXPECT_EQ(range.data(), data);
    }
}

TYPED_TEST(HidlVec, RefersToExternalElements) {
    hidl_vec<TypeParam> range = {this->mThree[0]};
    range.setToExternal(this->mBorrowed.get(), 3);
    EXPECT_EQ(range.data(), this->mBorrowed.get());
    range[0] = this->mThree[1];
    EXPECT_EQ(this->mBorrowed[0], this->mThree[1]);

    range.setToExternal(this->mBorrowed.get(), 2);
    EXPECT_EQ(range.size(), 2u);
    range.setToExternal(newArray<TypeParam>(), 3, /*shouldOwn=*/true);
    range.setToExternal(newArray<TypeParam>(), 3, /*shouldOwn=*/true);
    EXPECT_THAT(range, ElementsAreArray(this->mThree));
    range.setToExternal(static_cast<TypeParam*>(nullptr), 0);
    EXPECT_EQ(range.size(), 0u);
}

TYPED_TEST(HidlVec, CopiesItsElementsIntoTheNewSize) {
    for (hidl_vec<TypeParam>& range : this->each()) {
        range.resize(4);
        EXPECT_THAT(range,
                    ElementsAre(this->mThree[0], this->mThree[1], this->mThree[2], TypeParam{}));
        EXPECT_NE(range.data(), this->mBorrowed.get());
        range.resize(1);
        EXPECT_THAT(range, ElementsAre(this->mThree[0]));
    }
}

// Extensions to libhidl, which the strict stand-ins lack.
#ifndef NNAPI_STRICT_HAL

TYPED_TEST(HidlVec, TakesCopiesToGrow) {
    using Range = hidl_vec<TypeParam>;
    const std::vector<TypeParam>& three = this->mThree;
    const struct {
        const char* what;
        void (*change)(Range&, const TypeParam&);
        std::vector<TypeParam> after;
    } rows[] = {
            {"push_back",
             [](Range& range, const TypeParam& element) { range.push_back(element); },
             {three[0], three[1], three[2], three[1]}},
            {"emplace_back",
             [](Range& range, const TypeParam& element) {
                 const TypeParam* made = &range.emplace_back(element);
                 EXPECT_EQ(made, &range.back());
                 EXPECT_EQ(&range.front(), range.begin());
             },
             {three[0], three[1], three[2], three[1]}},
            {"pop_back",
             [](Range& range, const TypeParam&) { range.pop_back(); },
             {three[0], three[1]}},
            {"reserve", [](Range& range, const TypeParam&) { range.reserve(100); }, three},
            {"assign",
             [](Range& range, const TypeParam& element) { range.assign(&element, &element + 1); },
             {three[1]}},
            {"clear", [](Range& range, const TypeParam&) { range.clear(); }, {}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.what);
        for (Range& range : this->each()) {
            const TypeParam element = three[1];
            row.change(range, element);
            EXPECT_THAT(range, ElementsAreArray(row.after));
            EXPECT_NE(range.data(), this->mBorrowed.get());
            range.push_back(element);
            EXPECT_EQ(range.size(), row.after.size() + 1);
            EXPECT_EQ(range.back(), element);
        }
        EXPECT_EQ(this->mBorrowed[0], three[0]);
        EXPECT_EQ(this->mBorrowed[2], three[2]);
    }
}

TYPED_TEST(HidlVec, TakesAndGivesUpAVectorWithoutCopying) {
    if constexpr (std::is_same_v<TypeParam, bool>) {
        const std::vector<bool> back = hidl_vec<bool>(std::vector<bool>(this->mThree));
        EXPECT_EQ(back, this->mThree);  // not an array, so it is copied
    } else {
        std::vector<TypeParam> vector = this->mThree;
        const TypeParam* data = vector.data();
        hidl_vec<TypeParam> range = std::move(vector);
        EXPECT_EQ(range.data(), data);
        vector = std::move(range);
        EXPECT_EQ(vector.data(), data);
        EXPECT_TRUE(range.empty());
        range = std::move(vector);
        EXPECT_EQ(range.data(), data);
    }
    for (hidl_vec<TypeParam>& range : this->each()) {
        EXPECT_EQ(std::vector<TypeParam>(std::move(range)), this->mThree);
    }
}

// The last word of a range marks a std::vector, whatever its capacity.
TYPED_TEST(HidlVec, HoldsVectorsOfAllSizes) {
    for (size_t size : {0, 1, 2, 3, 7, 8, 100, 4096, 100000}) {
        hidl_vec<TypeParam> range(size);
        EXPECT_EQ(range.size(), size);
        const hidl_vec<TypeParam> copy = range;
        range.resize(size + 1);
        EXPECT_EQ(range.size(), size + 1);
        range.clear();
        range = copy;
        EXPECT_EQ(range.size(), size);
    }
    static_assert(sizeof(hidl_vec<TypeParam>) == 3 * sizeof(void*));
}

#endif

TEST(HidlVecOfRanges, TakesAPartOfItself) {
    struct Tree {
        hidl_vec<Tree> children{};
        int number = 0;
    };
    hidl_vec<Tree> trees(1);
    trees[0].children = {Tree{.number = 1}, Tree{.number = 2}};
    trees = std::move(trees[0].children);
    ASSERT_EQ(trees.size(), 2u);
    EXPECT_EQ(trees[1].number, 2);
    trees[0].children = {Tree{.number = 3}};
    trees = hidl_vec<Tree>(trees[0].children);
    ASSERT_EQ(trees.size(), 1u);
    EXPECT_EQ(trees[0].number, 3);
}

}  // namespace
}  // namespace nn::hidl_test
