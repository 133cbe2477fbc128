// Validating beside copying, in the same run: `timesCopy` is how many copies of the model one
// validation costs (2 at the most), `allocations` what it allocates for each operand (0, but for a
// few of the whole model).
//
//   build/release/bin/nnapi_bench --benchmark_filter=Validate.*BesideCopy
#include <benchmark/benchmark.h>

#include <chrono>

#include "heap.h"
#include "nnapi/validate.h"

namespace nn {
namespace {

using Clock = std::chrono::steady_clock;
using LifeTime = Operand::LifeTime;

// Operations one behind the other, each with operands of its own.
class Chain {
   public:
    explicit Chain(uint32_t operands) : mOperands(operands) {
        mLast = tensor(LifeTime::SUBGRAPH_INPUT);
        mModel.main.inputIndexes = {mLast};
    }

    Model relus() {
        while (mModel.main.operands.size() < mOperands) add(OperationType::RELU, {mLast});
        return finish();
    }

    // With the filter, the bias and the parameters of each as constants.
    Model convolutions() {
        while (mModel.main.operands.size() < mOperands) {
            const float one = 1;
            const uint32_t filter = constant(OperandType::TENSOR_FLOAT32, {1, 1, 1, 1}, one);
            const uint32_t bias = constant(OperandType::TENSOR_FLOAT32, {1}, one);
            std::vector<uint32_t> inputs{mLast, filter, bias};
            for (const int32_t value : {1, 1, 1, 0}) {  // scheme, strides, activation
                inputs.push_back(constant(OperandType::INT32, {}, value));
            }
            add(OperationType::CONV_2D, std::move(inputs));
        }
        return finish();
    }

   private:
    uint32_t push(Operand operand) {
        mModel.main.operands.push_back(std::move(operand));
        return static_cast<uint32_t>(mModel.main.operands.size() - 1);
    }
    uint32_t tensor(LifeTime lifetime) {
        return push({.type = OperandType::TENSOR_FLOAT32,
                     .dimensions = {1, 2, 2, 1},
                     .lifetime = lifetime});
    }
    template <class E>
    uint32_t constant(OperandType type, const std::vector<uint32_t>& dimensions, E value) {
        return push({.type = type,
                     .dimensions = dimensions,
                     .lifetime = LifeTime::CONSTANT_COPY,
                     .location = *mModel.operandValues.append(&value, sizeof(value))});
    }
    void add(OperationType type, std::vector<uint32_t> inputs) {
        mLast = tensor(LifeTime::TEMPORARY_VARIABLE);
        mModel.main.operations.push_back(
                {.type = type, .inputs = std::move(inputs), .outputs = {mLast}});
    }
    Model finish() {
        mModel.main.operands[mLast].lifetime = LifeTime::SUBGRAPH_OUTPUT;
        mModel.main.outputIndexes = {mLast};
        return std::move(mModel);
    }

    uint32_t mOperands;
    uint32_t mLast = 0;
    Model mModel;
};

void besideCopy(benchmark::State& state, const Model& model) {
    std::chrono::duration<double> copying{};
    std::chrono::duration<double> validating{};
    size_t allocated = 0;
    for (auto _ : state) {
        const auto start = Clock::now();
        benchmark::DoNotOptimize(Model(model));
        const auto copied = Clock::now();
        const size_t before = heap::allocations;
        const Result<Version> needed = validate(model);
        allocated = heap::allocations - before;
        const auto validated = Clock::now();
        if (!needed.ok()) return state.SkipWithError("the model is not legal");
        copying += copied - start;
        validating += validated - copied;
        state.SetIterationTime(std::chrono::duration<double>(validated - copied).count());
    }
    const auto operands = static_cast<double>(model.main.operands.size());
    state.counters["timesCopy"] = validating / copying;
    state.counters["allocations"] = static_cast<double>(allocated) / operands;
    state.SetComplexityN(state.range(0));
}

void ValidateRelusBesideCopy(benchmark::State& state) {
    besideCopy(state, Chain(static_cast<uint32_t>(state.range(0))).relus());
}
void ValidateConvolutionsBesideCopy(benchmark::State& state) {
    besideCopy(state, Chain(static_cast<uint32_t>(state.range(0))).convolutions());
}
BENCHMARK(ValidateRelusBesideCopy)
        ->RangeMultiplier(10)
        ->Range(100, 1000000)
        ->UseManualTime()
        ->Complexity();
BENCHMARK(ValidateConvolutionsBesideCopy)
        ->RangeMultiplier(10)
        ->Range(100, 1000000)
        ->UseManualTime()
        ->Complexity();

}  // namespace
}  // namespace nn
