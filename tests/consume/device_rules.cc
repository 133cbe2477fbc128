#include "nnapi/device_test/device_rules.h"

#include "nnapi/device_test/name_filter.h"

using namespace nn;

int main() {
    const auto filter = testing::nameFilter({"basics/*"});
    return !testing::deviceRules().empty() && filter.ok() && (*filter)("basics/names") ? 0 : 1;
}
