#include "runtime/plan/costs.h"

#include "runtime/plan/control_flow.h"

namespace nn::runtime {

double Costs::figure(const Capabilities::PerformanceInfo& info) const {
    return mPreference == ExecutionPreference::LOW_POWER ? info.powerUsage : info.execTime;
}

double Costs::of(const IDevice& device, const Model::Subgraph& graph, const Operation& operation) {
    const Capabilities& capabilities = device.getCapabilities();
    if (isControlFlow(operation.type)) {
        const auto [first, second] = graphsOf(graph, operation);
        const double inside = ofGraph(device, first) + ofGraph(device, second);
        return operation.type == OperationType::IF
                       ? figure(capabilities.ifPerformance) + 0.5 * inside
                       : figure(capabilities.whilePerformance) + inside;
    }
    if (operation.inputs.empty()) return Capabilities::kUnknownPerformance;
    const OperandType type = graph.operands[operation.inputs.front()].type;
    if (mModel.relaxComputationFloat32toFloat16 && type == OperandType::FLOAT32) {
        return figure(capabilities.relaxedFloat32toFloat16PerformanceScalar);
    }
    if (mModel.relaxComputationFloat32toFloat16 && type == OperandType::TENSOR_FLOAT32) {
        return figure(capabilities.relaxedFloat32toFloat16PerformanceTensor);
    }
    return figure(capabilities.operandPerformance.lookup(type));
}

double Costs::ofGraph(const IDevice& device, size_t number) {
    const std::pair<const IDevice*, size_t> key(&device, number);
    if (const auto known = mGraphs.find(key); known != mGraphs.end()) return known->second;
    const Model::Subgraph& graph = graphAt(mModel, number);
    double sum = 0;
    for (const Operation& operation : graph.operations) sum += of(device, graph, operation);
    return mGraphs[key] = sum;
}

}  // namespace nn::runtime
