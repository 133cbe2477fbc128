#include <fmt/format.h>

#include <chrono>

#include "op_support/kernels/graph_runner.h"
#include "ops/if_while/signature.h"

namespace nn::ops::kernels {

// outputs = condition ? then(inputs) : else(inputs)
Status IF(GraphRunner& graphs) {
    using namespace if_while::branch;
    const bool condition = *graphs.input(kCondition).data != 0;
    return graphs.compute(condition ? kThen : kElse, kFirst);
}

// while (condition(values)) values = body(values)
Status WHILE(GraphRunner& graphs) {
    using namespace if_while::loop;
    const TimePoint start = Clock::now();
    graphs.carry(kFirst);
    for (;;) {
        NNAPI_ASSIGN_OR_RETURN(goesOn, graphs.holds(kCondition));
        if (!goesOn) return graphs.finish();
        if (Clock::now() - start > graphs.loopTimeout()) {
            const auto most =
                    std::chrono::duration_cast<std::chrono::milliseconds>(graphs.loopTimeout());
            return graphs.failure(ErrorStatus::MISSED_DEADLINE_TRANSIENT,
                                  "interpreter.loop_timeout",
                                  fmt::format("still goes on after {} ms", most.count()));
        }
        NNAPI_RETURN_IF_ERROR(graphs.advance(kBody));
    }
}

}  // namespace nn::ops::kernels
