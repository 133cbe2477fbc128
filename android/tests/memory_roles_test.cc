// Checks of the arguments of allocate in AIDL drivers.
#include <gtest/gtest.h>

#include <AidlValidateHal.h>

#include <memory>
#include <set>
#include <vector>

#include "nnapi/hal/aidl/forwarding.h"

namespace android::nn {
namespace {

aidl_hal::Operand tensor(std::vector<int32_t> dimensions, aidl_hal::OperandLifeTime lifetime) {
    aidl_hal::Operand operand;
    operand.type = aidl_hal::OperandType::TENSOR_FLOAT32;
    operand.dimensions = std::move(dimensions);
    operand.lifetime = lifetime;
    return operand;
}

// A model with invalid operands that are neither inputs nor outputs, so they must not be checked.
aidl_hal::Model modelWith(std::vector<int32_t> inputs) {
    aidl_hal::Model model;
    model.main.operands.push_back(tensor({2, 0}, aidl_hal::OperandLifeTime::SUBGRAPH_INPUT));
    model.main.operands.push_back(tensor({0, 3}, aidl_hal::OperandLifeTime::SUBGRAPH_OUTPUT));
    model.main.operands.push_back(tensor({-1}, aidl_hal::OperandLifeTime{77}));
    model.main.operations.resize(1);
    model.main.operations[0].inputs = {99};
    model.main.inputIndexes = std::move(inputs);
    model.main.outputIndexes = {1};
    return model;
}

struct Row {
    const char* name;
    std::vector<int32_t> inputsOfModel;
    bool isKnown;
    std::vector<aidl_hal::BufferRole> inputRoles;
    bool isValid;
};

TEST(AidlValidateMemoryDesc, LooksAtArgumentsAlone) {
    const auto role = [](int32_t model, int32_t io) {
        aidl_hal::BufferRole role;
        role.modelIndex = model;
        role.ioIndex = io;
        role.probability = 1;
        return role;
    };
    const Row rows[] = {{"two models", {0}, true, {role(1, 0)}, true},
                        {"no operand of this index", {3}, true, {role(1, 0)}, false},
                        {"a negative operand", {-1}, true, {role(1, 0)}, false},
                        {"a model of another driver", {0}, false, {role(1, 0)}, false},
                        {"no such model", {0}, true, {role(2, 0)}, false},
                        {"a negative model", {0}, true, {role(-1, 0)}, false},
                        {"no such input", {0}, true, {role(1, 1)}, false},
                        {"the role twice", {0}, true, {role(1, 0), role(1, 0)}, false}};
    const auto one = ::ndk::SharedRefBase::make<::nn::hal::ForwardingAidlPreparedModel>(nullptr);
    const auto other = ::ndk::SharedRefBase::make<::nn::hal::ForwardingAidlPreparedModel>(nullptr);
    for (const Row& row : rows) {
        const aidl_hal::Model model = modelWith(row.inputsOfModel);
        const auto getModel = [&](const std::shared_ptr<aidl_hal::IPreparedModel>&) {
            return row.isKnown ? &model : nullptr;
        };
        std::set<AidlHalPreparedModelRole> roles = {{nullptr, IOType::INPUT, 7}};
        aidl_hal::Operand combined;
        ASSERT_EQ(validateMemoryDesc({}, {one, other}, row.inputRoles, {role(0, 0)}, getModel,
                                     &roles, &combined),
                  row.isValid)
                << row.name;
        if (!row.isValid) continue;
        EXPECT_EQ(roles, (std::set<AidlHalPreparedModelRole>{{one.get(), IOType::OUTPUT, 0},
                                                             {other.get(), IOType::INPUT, 0}}));
        EXPECT_EQ(combined.dimensions, (std::vector<int32_t>{2, 3}));
    }
}

}  // namespace
}  // namespace android::nn
