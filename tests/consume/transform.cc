#include "nnapi/passes.h"

#include "nnapi/compat.h"
#include "nnapi/relocation.h"
#include "nnapi/slice.h"
#include "relu.h"

using namespace nn;

int main() {
    const Model model = relu();
    return compliantWithV1_1(V1_0::utils::convert(model).value()) &&
                           minimize(model).model == model &&
                           sliceForVersion(model, HalVersion::V1_0)->model == model
                   ? 0
                   : 1;
}
