#include "interpreter/execution.h"
#include "interpreter/lanes.h"
#include "interpreter/moves.h"
#include "ops/gather/signature.h"

namespace nn::ops {
// y[..., j, ...] = x[..., indices[j], ...], where j may have several dimensions
bool kernels::GATHER(Execution& op) {
    using namespace gather;
    const Value& input = op.input(kInput);
    const auto indices = op.input(kIndices).as<int32_t>();
    const Lanes lanes(input, *op.int32(kAxis));
    for (size_t j = 0; j < indices.size(); ++j) {
        if (!op.require(indices[j] >= 0 && static_cast<size_t>(indices[j]) < lanes.size(),
                        "gather.index", "element {} of {} is {}, allowed 0 to {}", j,
                        op.in(kIndices), indices[j], static_cast<int64_t>(lanes.size()) - 1)) {
            return false;
        }
    }
    Move move(input);
    move.axis(lanes.stride(), 1, 1);
    move.axis(lanes.count() / lanes.stride(), lanes.size() * lanes.stride(),
              indices.size() * lanes.stride());
    for (size_t j = 0; j < indices.size(); ++j) {
        move.run(op.output(0), static_cast<size_t>(indices[j]) * lanes.stride(),
                 j * lanes.stride());
    }
    return true;
}

}  // namespace nn::ops
