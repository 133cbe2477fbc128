#include "nnapi/convert.h"

#include "nnapi/losses.h"
#include "relu.h"

using namespace nn;

int main() {
    const Model model = relu();
    Losses losses;
    const Result<V1_0::Model> versioned = V1_0::utils::convert(model, &losses);
    return versioned.has_value() && losses.empty() && convert(*versioned).value() == model ? 0 : 1;
}
