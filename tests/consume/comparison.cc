#include "nnapi/comparison.h"

#include "relu.h"

using namespace nn;

int main() {
    const std::vector<Tensor> values = {{.dimensions = {2}, .data = std::vector<uint8_t>(8)}};
    return testing::compareOutputs(relu(), values, values, testing::criteriaFor(relu())).pass ? 0
                                                                                              : 1;
}
