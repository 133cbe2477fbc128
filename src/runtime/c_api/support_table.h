// The function table of a support library, as its header declares it.
#pragma once

#include <type_traits>

#include "nnapi/c/NeuralNetworksExtensions.h"
#include "nnapi/c/NeuralNetworksSupportLibraryImpl.h"

extern "C" {
// Does not compile if a type differs from NeuralNetworks.h.
#define NNAPI_SL_ENTRY(function, use) \
    std::remove_pointer_t<decltype(NnApiSLDriverImplFL5::function)> function;
#define NNAPI_SL_ENTRY8(function) \
    std::remove_pointer_t<decltype(NnApiSLDriverImplFL8::function)> function;
#include "driver/support_library/entries.def"
}

namespace nn::runtime {

// The table of level 8.
const NnApiSLDriverImplFL8& supportLibraryTable();

}  // namespace nn::runtime
