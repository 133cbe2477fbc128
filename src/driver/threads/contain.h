// Calls a function; an exception becomes a failure.
#pragma once

#include <type_traits>

#include "base/no_throw.h"

namespace nn::driver {

template <class Function>
std::invoke_result_t<Function> contain(Function&& function) NNAPI_TRY {
    return function();
}
NNAPI_CATCH

}  // namespace nn::driver
