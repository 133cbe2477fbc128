// Which operation has which spec: derived from the rows of operations.def.
#include <array>

#include "op_support/rules/specs.h"

namespace nn::ops {
namespace {

constexpr std::array kSpecs = {
#define NNAPI_OPERATION(name, ...) &specs::name,
#include "nnapi/operations.def"
};

}  // namespace

const OperationSpec* specOf(OperationType type) {
    const auto code = static_cast<uint32_t>(type);
    return code < kSpecs.size() ? kSpecs[code] : nullptr;
}

}  // namespace nn::ops
