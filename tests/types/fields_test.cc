// Every NNAPI_FIELDS row lists all fields of its struct in their order. An omitted field would not
// be printed, compared, stored or generated, and no other test would fail.
#include "nnapi/fields.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "nnapi/driver/cache.h"
#include "nnapi/hal/aidl/model.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/kinds.h"
#include "nnapi/types.h"

namespace nn::fields_test {

// Initializes any field. Never called, so not defined.
template <size_t>
struct Any {
    template <class T>
    operator T() const;
};

namespace {

template <class T, size_t... I>
consteval bool hasFields(std::index_sequence<I...>) {
    return requires { T{Any<I>{}...}; };
}

// The number of fields of an aggregate: the most initializers that it accepts.
template <class T, size_t N = 1>
consteval size_t countFields() {
    if constexpr (hasFields<T>(std::make_index_sequence<N>())) {
        return countFields<T, N + 1>();
    } else {
        return N - 1;
    }
}

// From the text of check<T>(), which contains the name of T: vendors' programs have no typeid.
std::set<std::string_view> checked;

template <class T>
void check();

template <class... T>
void checkAll(std::type_identity<std::variant<T...>>) {
    (check<T>(), ...);
}

// Checks a type, and the types of all its fields.
template <class T>
void check() {
    using namespace kinds;
    if constexpr (HasFields<T>) {
        if (!checked.insert(__PRETTY_FUNCTION__).second) return;
        SCOPED_TRACE(__PRETTY_FUNCTION__);
        const T object{};
        size_t count = 0;
        const char* last = nullptr;
        visitFields(std::type_identity<T>{}, [&](std::string_view name, auto member) {
            const auto* at = reinterpret_cast<const char*>(&(object.*member));
            EXPECT_TRUE(count == 0 || at > last) << name << " is not in the struct's order";
            last = at;
            ++count;
            check<std::remove_cvref_t<decltype(object.*member)>>();
        });
        EXPECT_EQ(count, countFields<T>());
        EXPECT_EQ(count,
                  withFields(std::type_identity<T>{}, [](auto... f) { return sizeof...(f); }));
    } else if constexpr (isVariant<T>) {
        checkAll(std::type_identity<T>{});
    } else if constexpr (isPair<T>) {
        check<typename T::first_type>();
        check<typename T::second_type>();
    } else if constexpr (requires(const T& tagged) { tagged.value().index(); }) {
        check<std::remove_cvref_t<decltype(std::declval<T>().value())>>();
    } else if constexpr (requires { typename T::value_type; }) {
        check<typename T::value_type>();
    } else if constexpr (requires { typename T::element_type; }) {
        check<std::remove_const_t<typename T::element_type>>();
    }
}

TEST(Fields, RowsNameAllFieldsInOrder) {
#define NNAPI_HAL_TYPE(canonical, hal, from, to) \
    check<canonical>();                          \
    check<hal>();
#include "nnapi/convert_types.def"
    check<V1_2::FmqRequestDatum>();
    check<V1_2::FmqResultDatum>();
    check<AidlModel>();
    check<CachedModel>();
    EXPECT_GE(checked.size(), 75u);
}

// A struct with a field of every kind that occurs.
struct Whole {
    int a = 0;
    std::vector<int> b{};
    std::optional<int> c{};
    std::array<int, 3> d{};
    std::variant<const void*, void*> e{};
};
static_assert(countFields<Whole>() == 5);

}  // namespace
}  // namespace nn::fields_test
