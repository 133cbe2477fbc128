// The properties of tests/property/, one by one, on objects chosen by the bytes.
#include "fuzz/input.h"
#include "property/rows.h"

namespace nn::fuzz {

NNAPI_FUZZ_TARGET(properties, CHOICES) {
    testing::Source source(bytes);
    const properties::Row& row = source.pick(properties::rows());
    const auto violation = row.property(source);
    expect(!violation, row.name + (": " + violation.value_or("")));
}

}  // namespace nn::fuzz
