#include "runtime/c_api/support_table.h"

namespace nn::runtime {

// Initializers are in the order of the members, which the compiler checks.
const NnApiSLDriverImplFL8& supportLibraryTable() {
    static constexpr NnApiSLDriverImplFL8 kTable = {
            .base =
                    {
                            .base = {.implFeatureLevel = ANEURALNETWORKS_FEATURE_LEVEL_8},
#define NNAPI_SL_ENTRY(function, use) .function = ::function,
#include "driver/support_library/entries.def"
                    },
#define NNAPI_SL_ENTRY8(function) .function = ::function,
#include "driver/support_library/entries.def"
    };
    return kTable;
}

}  // namespace nn::runtime
