// Describes models of this library through the C API, like an application.
#pragma once

#include <variant>
#include <vector>

#include "nnapi/memory.h"
#include "runtime/c_api_objects.h"

namespace nn::c_api {

inline std::vector<Mapping> mapped(const std::vector<SharedMemory>& pools) {
    std::vector<Mapping> mappings;
    mappings.reserve(pools.size());
    for (const SharedMemory& pool : pools) mappings.push_back(map(pool).value());
    return mappings;
}

// A finished model equal to one without other graphs and extensions, with mapped pools. Constants
// are passed by address: all of them must exist until this returns.
inline OwnedModel described(const Model& model, const std::vector<Mapping>& pools = {}) {
    OwnedModel made;
    EXPECT_EQ(ANeuralNetworksModel_create(made.out()), OK);
    const std::vector<Operand>& operands = model.main.operands;
    for (uint32_t i = 0; i < operands.size(); ++i) {
        const Operand& operand = operands[i];
        const auto index = static_cast<int32_t>(i);
        const ANeuralNetworksOperandType type{static_cast<int32_t>(operand.type),
                                              static_cast<uint32_t>(operand.dimensions.size()),
                                              operand.dimensions.data(), operand.scale,
                                              operand.zeroPoint};
        EXPECT_EQ(ANeuralNetworksModel_addOperand(made, &type), OK);
        const auto* channels =
                std::get_if<Operand::SymmPerChannelQuantParams>(&operand.extraParams);
        if (channels != nullptr) {
            const ANeuralNetworksSymmPerChannelQuantParams params{
                    channels->channelDim, static_cast<uint32_t>(channels->scales.size()),
                    channels->scales.data()};
            EXPECT_EQ(
                    ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(made, index, &params),
                    OK);
        }
        const DataLocation& at = operand.location;
        const auto set = [&](const uint8_t* bytes) {
            EXPECT_EQ(ANeuralNetworksModel_setOperandValue(made, index, bytes, at.length), OK);
        };
        if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            set(model.operandValues.data() + at.offset);
        } else if (operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE) {
            set(pools.at(at.poolIndex).data() + at.offset);
        } else if (operand.lifetime == Operand::LifeTime::NO_VALUE) {
            set(nullptr);
        }
    }
    for (const Operation& operation : model.main.operations) {
        EXPECT_EQ(ANeuralNetworksModel_addOperation(made, static_cast<int32_t>(operation.type),
                                                    static_cast<uint32_t>(operation.inputs.size()),
                                                    operation.inputs.data(),
                                                    static_cast<uint32_t>(operation.outputs.size()),
                                                    operation.outputs.data()),
                  OK);
    }
    EXPECT_EQ(ANeuralNetworksModel_identifyInputsAndOutputs(
                      made, static_cast<uint32_t>(model.main.inputIndexes.size()),
                      model.main.inputIndexes.data(),
                      static_cast<uint32_t>(model.main.outputIndexes.size()),
                      model.main.outputIndexes.data()),
              OK);
    EXPECT_EQ(ANeuralNetworksModel_finish(made), OK);
    return made;
}

}  // namespace nn::c_api
