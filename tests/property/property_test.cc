// The properties of rows.h over random bytes, the same in every run unless the environment
// says otherwise: NNAPI_PROPERTY_CASES is how many cases each gets, NNAPI_PROPERTY_SEED where they
// start.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "environment.h"
#include "property/rows.h"

namespace nn::properties {

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

namespace {

using Bytes = std::vector<uint8_t>;

// The same bytes and shrinking as rc::gen::arbitrary<Bytes>(), which seeds a generator and builds a
// tree for each byte; that would take more than a quarter of the time of this test.
rc::Shrinkable<Bytes> someBytes(const rc::Random& random, int size) {
    auto stream = rc::detail::bitStreamOf(random);
    Bytes bytes(stream.next<uint64_t>() % (static_cast<uint64_t>(size) + 1));
    for (uint8_t& byte : bytes) byte = stream.nextWithSize<uint8_t>(size);
    return rc::shrinkable::shrinkRecur(std::move(bytes), [](const Bytes& failed) {
        return rc::seq::concat(rc::shrink::removeChunks(failed),
                               rc::shrink::eachElement(failed, &rc::shrink::integral<uint8_t>));
    });
}

void check(Property property) {
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess = static_cast<int>(fromEnvironment("NNAPI_PROPERTY_CASES", 10000));
    params.seed = fromEnvironment("NNAPI_PROPERTY_SEED", 1);
    params.maxSize = 300;
    rc::detail::TestMetadata metadata;
    const auto result = rc::detail::checkTestable(
            [&] {
                const Bytes bytes = *rc::Gen<Bytes>(someBytes);
                testing::Source source(bytes);
                const std::optional<std::string> violation = property(source);
                if (violation) RC_FAIL(*violation);
            },
            metadata, params);
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << text.str();
}

class Properties : public ::testing::TestWithParam<Row> {};

TEST_P(Properties, Hold) { check(GetParam().property); }

INSTANTIATE_TEST_SUITE_P(All, Properties, ::testing::ValuesIn(rows()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace nn::properties
