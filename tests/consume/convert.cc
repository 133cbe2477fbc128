#include "nnapi/convert.h"

#include "nnapi/compat.h"
#include "nnapi/losses.h"
#include "nnapi/passes.h"
#include "nnapi/relocation.h"
#include "nnapi/slice.h"
#include "relu.h"

using namespace nn;

int main() {
    const Model model = relu();
    Losses losses;
    const Result<V1_0::Model> versioned = V1_0::utils::convert(model, &losses);
    return versioned.has_value() && losses.empty() && convert(*versioned).value() == model &&
                           compliantWithV1_1(*versioned) && minimize(model).model == model &&
                           sliceForVersion(model, HalVersion::V1_0)->model == model
                   ? 0
                   : 1;
}
