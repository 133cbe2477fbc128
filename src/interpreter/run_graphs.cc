// Executes graphs for IF and WHILE. Inputs are passed by reference; outputs are written to their
// destinations, or to buffers that change owners.
#include <algorithm>
#include <utility>

#include "interpreter/errors.h"
#include "interpreter/run.h"

namespace nn {

using ops::Value;

class Run::Graphs : public ops::GraphRunner {
   public:
    Graphs(Run& run, size_t g, size_t k)
        : mRun(run),
          mGraph(g),
          mIndex(k),
          mPlan(run.mPlan.graphs[g]),
          mOperation(mPlan.graph->operations[k]),
          mFrame(run.mState.frame(g)) {}

    const Value& input(size_t i) const override { return mFrame.inputs[i]; }

    Status compute(size_t graph, size_t first) override {
        const size_t inner = referenced(graph);
        mFrame.innerDestinations.clear();
        for (const uint32_t operand : mOperation.outputs) {
            mFrame.innerDestinations.push_back(destinationOf(operand));
        }
        NNAPI_RETURN_IF_ERROR(mRun.graph(inner, std::span(mFrame.inputs).subspan(first),
                                         mFrame.innerDestinations));

        OperationSink sink;
        const ops::OpView op = call(sink);
        Frame& innerFrame = mRun.mState.frame(inner);
        for (size_t i = 0; i < mOperation.outputs.size(); ++i) {
            const uint32_t from = outputsOf(inner)[i];
            const uint32_t to = mOperation.outputs[i];
            const Value& result = innerFrame.values[from];
            if (!mRun.agrees(op, i, mGraph, result.dimensions)) return failure(sink);
            std::vector<uint32_t>& kept = mFrame.dimensionsOf(to);
            kept.assign(result.dimensions.begin(), result.dimensions.end());
            mRun.release(mFrame, to);
            mFrame.setBuffer(to, innerFrame.takeBuffer(from));
            mFrame.values[to].dimensions = kept;
            mFrame.values[to].data = mFrame.values[to].mutableData = result.mutableData;
        }
        return {};
    }

    void carry(size_t first) override {
        mFrame.carried.resize(mOperation.inputs.size() - first);
        for (size_t i = 0; i < mFrame.carried.size(); ++i) {
            mFrame.carried[i].value = mFrame.inputs[first + i];
            mFrame.carried[i].buffer = nullptr;
        }
    }

    Result<bool> holds(size_t graph) override {
        const size_t inner = referenced(graph);
        NNAPI_RETURN_IF_ERROR(runOnCarried(inner));
        Frame& innerFrame = mRun.mState.frame(inner);
        const uint32_t output = outputsOf(inner)[0];
        const bool holds = *innerFrame.values[output].data != 0;
        mRun.release(innerFrame, output);
        return holds;
    }

    Status advance(size_t graph) override {
        const size_t inner = referenced(graph);
        NNAPI_RETURN_IF_ERROR(runOnCarried(inner));
        Frame& innerFrame = mRun.mState.frame(inner);
        const std::vector<uint32_t>& outputs = outputsOf(inner);
        for (size_t i = 0; i < outputs.size(); ++i) {
            Frame::Carried& carried = mFrame.carried[i];
            const Value& result = innerFrame.values[outputs[i]];
            carried.dimensions.assign(result.dimensions.begin(), result.dimensions.end());
            carried.value.dimensions = carried.dimensions;
            carried.value.data = result.data;
            mRun.mState.pool.release(carried.buffer);
            carried.buffer = innerFrame.takeBuffer(outputs[i]);
        }
        return {};
    }

    Status finish() override {
        mRun.mState.at = {.graph = mGraph, .operation = mIndex};
        OperationSink sink;
        const ops::OpView op = call(sink);
        for (size_t i = 0; i < mOperation.outputs.size(); ++i) {
            const Value& result = mFrame.carried[i].value;
            if (!mRun.agrees(op, i, mGraph, result.dimensions)) return failure(sink);
            const uint32_t operand = mOperation.outputs[i];
            std::vector<uint32_t>& kept = mFrame.dimensionsOf(operand);
            kept.assign(result.dimensions.begin(), result.dimensions.end());
            mRun.place(mPlan, mFrame, operand, kept);
            std::copy_n(result.data.get(),
                        byteSize(mPlan.operands[operand].element, result.dimensions).value_or(0),
                        mFrame.values[operand].mutableData.get());
        }
        for (Frame::Carried& carried : mFrame.carried)
            mRun.mState.pool.release(std::exchange(carried.buffer, nullptr));
        return {};
    }

    Duration loopTimeout() const override { return mRun.mLoopTimeout; }

    Status failure(ErrorStatus code, std::string_view rule, std::string message) const override {
        return operationError(mRun.mPlan, mGraph, mIndex, code, rule, std::move(message));
    }

   private:
    Status failure(const OperationSink& sink) const { return mRun.failure(mGraph, mIndex, sink); }

    // The index of the plan of the graph that an input names.
    size_t referenced(size_t input) const {
        return referencedGraph(mPlan.graph->operands[mOperation.inputs[input]]);
    }
    const std::vector<uint32_t>& outputsOf(size_t graph) const {
        return mRun.mPlan.graphs[graph].graph->outputIndexes;
    }

    ops::OpView call(OperationSink& sink) const {
        return {mOperation.type, mFrame.inputs, mFrame.outputs, nullptr, sink};
    }

    // The destination of an output; empty if none is given.
    Destination destinationOf(uint32_t operand) {
        const Placement& placement = mPlan.placements[operand];
        if (placement.output < mFrame.destinations.size()) {
            return mFrame.destinations[placement.output];
        }
        if (placement.offset != Placement::kNowhere) {
            return {.data = mFrame.arena.at(placement.offset), .capacity = placement.size};
        }
        return {};
    }

    Status runOnCarried(size_t graph) {
        mFrame.carriedValues.clear();
        for (const Frame::Carried& carried : mFrame.carried)
            mFrame.carriedValues.push_back(carried.value);
        return mRun.graph(graph, mFrame.carriedValues, {});
    }

    Run& mRun;
    size_t mGraph;
    size_t mIndex;
    const GraphPlan& mPlan;
    const Operation& mOperation;
    Frame& mFrame;
};

Status Run::graphKernel(size_t g, size_t k, ops::GraphKernel kernel) {
    Graphs graphs(*this, g, k);
    return kernel(graphs);
}

}  // namespace nn
