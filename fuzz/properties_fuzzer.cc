// The properties of tests/property/, one by one, with what the bytes choose.
#include "fuzz/input.h"
#include "property/rows.h"

NNAPI_FUZZ_TARGET(properties, CHOICES) {
    nn::testing::Source source(bytes);
    const auto& row = source.pick(nn::properties::rows());
    const auto violation = row.property(source);
    nn::fuzz::expect(!violation, row.name + (": " + violation.value_or("")));
}
