#include "runtime/check_rows.h"

namespace nn::c_api {
namespace model_rows {
namespace {

// The functions that several rows call.
constexpr auto addOperation = ANeuralNetworksModel_addOperation;
constexpr auto getExtensionOperandType = ANeuralNetworksModel_getExtensionOperandType;
constexpr auto getExtensionOperationType = ANeuralNetworksModel_getExtensionOperationType;
constexpr auto getSupportedOperationsForDevices =
        ANeuralNetworksModel_getSupportedOperationsForDevices;
constexpr auto identifyInputsAndOutputs = ANeuralNetworksModel_identifyInputsAndOutputs;
constexpr auto relaxComputationFloat32toFloat16 =
        ANeuralNetworksModel_relaxComputationFloat32toFloat16;
constexpr auto setOperandExtensionData = ANeuralNetworksModel_setOperandExtensionData;
constexpr auto setOperandSymmPerChannelQuantParams =
        ANeuralNetworksModel_setOperandSymmPerChannelQuantParams;
constexpr auto setOperandValue = ANeuralNetworksModel_setOperandValue;
constexpr auto setOperandValueFromMemory = ANeuralNetworksModel_setOperandValueFromMemory;
constexpr auto setOperandValueFromModel = ANeuralNetworksModel_setOperandValueFromModel;

constexpr uint32_t kInputs[] = {0, 1, 2}, kOutputs[] = {3}, kTooFar[] = {0, 1, 9},
                   kTwice[] = {0, 0};

const ANeuralNetworksDevice* const kNoDevice[] = {nullptr};

// A model with one operand of this type.
ANeuralNetworksModel* with(Fixture& w, const ANeuralNetworksOperandType* type) {
    ANeuralNetworksModel* model = w.empty();
    EXPECT_EQ(ANeuralNetworksModel_addOperand(model, type), OK);
    return model;
}

int addOperand(Fixture& w, const Type& type) {
    return ANeuralNetworksModel_addOperand(w.empty(), type);
}
int addOperand(Fixture& w, int32_t type, uint32_t count = 0, const uint32_t* dimensions = nullptr) {
    const ANeuralNetworksOperandType made{type, count, dimensions, 0, 0};
    return ANeuralNetworksModel_addOperand(w.empty(), &made);
}

int32_t extensionType(Fixture& w, uint16_t code) {
    int32_t type = 0;
    EXPECT_EQ(getExtensionOperandType(w.empty(), kExtension, code, &type), OK);
    return type;
}

const Type& perChannel() {
    static const Type type(ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL, {2, 3});
    return type;
}
constexpr float kScales[] = {1, 2}, kBadScales[] = {1, -2};

const FunctionRows kFunctions[] = {
        {"Model_create",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworksModel_create(nullptr); }},
          {"a model", OK, [](Fixture& w) { return ANeuralNetworksModel_create(w.model.out()); }}}},
        {"Model_free",
         {{"null", OK, [](Fixture&) { return ANeuralNetworksModel_free(nullptr), OK; }}}},
        {"Model_addOperand",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture& w) { return ANeuralNetworksModel_addOperand(nullptr, w.tensor); }},
          {"no type", UNEXPECTED_NULL,
           [](Fixture& w) { return ANeuralNetworksModel_addOperand(w.finished(), nullptr); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return ANeuralNetworksModel_addOperand(w.finished(), Type(999, {})); }},
          {"invalid", BAD_STATE,
           [](Fixture& w) { return ANeuralNetworksModel_addOperand(w.invalid(), Type(999, {})); }},
          {"an unassigned prefix", BAD_DATA, [](Fixture& w) { return addOperand(w, 0x70000001); }},
          {"a type that the extension has not", BAD_DATA,
           [](Fixture& w) { return addOperand(w, extensionType(w, 9)); }},
          {"dimensions at null", BAD_DATA,
           [](Fixture& w) { return addOperand(w, ANEURALNETWORKS_TENSOR_FLOAT32, 1); }},
          {"no dimensions at an address", BAD_DATA,
           [](Fixture& w) { return addOperand(w, ANEURALNETWORKS_TENSOR_FLOAT32, 0, kInputs); }},
          {"more dimensions than there may be", BAD_DATA,
           [](Fixture& w) {
               return addOperand(w, ANEURALNETWORKS_TENSOR_FLOAT32, 0xFFFFFFFF, kInputs);
           }},
          {"no such type", BAD_DATA, [](Fixture& w) { return addOperand(w, 16); }},
          {"a negative type", BAD_DATA, [](Fixture& w) { return addOperand(w, -1); }},
          {"a scalar with dimensions", BAD_DATA,
           [](Fixture& w) { return addOperand(w, Type(ANEURALNETWORKS_INT32, {1})); }},
          {"a scale where there is none", BAD_DATA,
           [](Fixture& w) { return addOperand(w, Type(ANEURALNETWORKS_INT32, {}, 1)); }},
          {"a zero point out of range", BAD_DATA,
           [](Fixture& w) {
               return addOperand(w, Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}, 1, 256));
           }},
          {"open dimensions", OK,
           [](Fixture& w) { return ANeuralNetworksModel_addOperand(w.empty(), w.open4); }},
          {"a type of an extension", OK,
           [](Fixture& w) { return addOperand(w, Type(extensionType(w, 1), {2})); }}}},
        {"Model_setOperandValue",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture& w) { return setOperandValue(nullptr, 0, &w, 4); }},
          {"bytes at null", UNEXPECTED_NULL,
           [](Fixture& w) { return setOperandValue(w.finished(), 9, nullptr, 4); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return setOperandValue(w.finished(), 9, &w, 0); }},
          {"invalid", BAD_STATE, [](Fixture& w) { return setOperandValue(w.invalid(), 9, &w, 0); }},
          {"too far", BAD_DATA,
           [](Fixture& w) { return setOperandValue(w.open(), 4, nullptr, 0); }},
          {"negative", BAD_DATA,
           [](Fixture& w) { return setOperandValue(w.open(), -1, nullptr, 0); }},
          {"no bytes at an address", BAD_DATA,
           [](Fixture& w) { return setOperandValue(w.open(), 0, &w, 0); }},
          {"open dimensions", BAD_DATA,
           [](Fixture& w) { return setOperandValue(with(w, w.open4), 0, &w, 4); }},
          {"too long for 32 bits", BAD_DATA,
           [](Fixture& w) { return setOperandValue(w.open(), 0, &w, (size_t{1} << 32) + 16); }},
          {"too short", BAD_DATA, [](Fixture& w) { return setOperandValue(w.open(), 0, &w, 12); }},
          {"of a graph", BAD_DATA,
           [](Fixture& w) {
               return setOperandValue(with(w, Type(ANEURALNETWORKS_MODEL, {})), 0, &w, 4);
           }},
          {"OEM of any length", OK,
           [](Fixture& w) { return setOperandValue(with(w, Type(10000, {})), 0, &w, 7); }},
          {"a scalar of an extension", OK,
           [](Fixture& w) {
               return setOperandValue(with(w, Type(extensionType(w, 2), {})), 0, w.bytes.data(), 8);
           }},
          {"left out", OK, [](Fixture& w) { return setOperandValue(w.open(), 0, nullptr, 0); }},
          {"a value", OK, [](Fixture& w) { return setOperandValue(w.open(), 0, &w, 16); }}}},
        {"Model_setOperandValueFromMemory",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture& w) { return setOperandValueFromMemory(nullptr, 0, w.memory(), 0, 16); }},
          {"no memory", UNEXPECTED_NULL,
           [](Fixture& w) { return setOperandValueFromMemory(w.finished(), 0, nullptr, 0, 16); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return setOperandValueFromMemory(w.finished(), 9, w.memory(), 0, 1); }},
          {"invalid", BAD_STATE,
           [](Fixture& w) { return setOperandValueFromMemory(w.invalid(), 9, w.memory(), 0, 1); }},
          {"too far", BAD_DATA,
           [](Fixture& w) { return setOperandValueFromMemory(w.open(), 4, w.memory(), 0, 16); }},
          {"open dimensions", BAD_DATA,
           [](Fixture& w) {
               return setOperandValueFromMemory(with(w, w.open4), 0, w.memory(), 0, 16);
           }},
          {"too short", BAD_DATA,
           [](Fixture& w) { return setOperandValueFromMemory(w.open(), 0, w.memory(), 0, 12); }},
          {"memory of a device", BAD_DATA,
           [](Fixture& w) { return setOperandValueFromMemory(w.open(), 0, w.described(), 0, 16); }},
          {"behind the memory", BAD_DATA,
           [](Fixture& w) { return setOperandValueFromMemory(w.open(), 0, w.memory(), 52, 16); }},
          {"a sum that wraps", BAD_DATA,
           [](Fixture& w) {
               return setOperandValueFromMemory(w.open(), 0, w.memory(), SIZE_MAX - 7, 16);
           }},
          {"an offset that wraps in 32 bits", BAD_DATA,
           [](Fixture& w) {
               return setOperandValueFromMemory(w.open(), 0, w.memory(), size_t{1} << 32, 16);
           }},
          {"a value", OK,
           [](Fixture& w) { return setOperandValueFromMemory(w.open(), 0, w.memory(), 48, 16); }}}},
        {"Model_setOperandValueFromModel",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture& w) { return setOperandValueFromModel(nullptr, 0, w.finished()); }},
          {"no value", UNEXPECTED_NULL,
           [](Fixture& w) { return setOperandValueFromModel(w.finished(), 0, nullptr); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return setOperandValueFromModel(w.finished(), 9, w.finished()); }},
          {"a value that is not finished", BAD_STATE,
           [](Fixture& w) { return setOperandValueFromModel(w.open(), 9, w.open()); }},
          {"a value that is invalid", BAD_STATE,
           [](Fixture& w) { return setOperandValueFromModel(w.open(), 9, w.invalid()); }},
          {"itself", BAD_STATE,
           [](Fixture& w) {
               ANeuralNetworksModel* model = w.open();
               return setOperandValueFromModel(model, 0, model);
           }},
          {"too far", BAD_DATA,
           [](Fixture& w) { return setOperandValueFromModel(w.open(), 4, w.finished()); }},
          {"a value", OK,
           [](Fixture& w) {
               return setOperandValueFromModel(with(w, Type(ANEURALNETWORKS_MODEL, {})), 0,
                                               w.finished());
           }}}},
        {"Model_setOperandSymmPerChannelQuantParams",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture&) {
               const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, kScales};
               return setOperandSymmPerChannelQuantParams(nullptr, 0, &params);
           }},
          {"no parameters", UNEXPECTED_NULL,
           [](Fixture& w) {
               return setOperandSymmPerChannelQuantParams(w.finished(), 9, nullptr);
           }},
          {"finished", BAD_STATE,
           [](Fixture& w) {
               const ANeuralNetworksSymmPerChannelQuantParams params{9, 2, nullptr};
               return setOperandSymmPerChannelQuantParams(w.finished(), 9, &params);
           }},
          {"too far", BAD_DATA,
           [](Fixture& w) {
               const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, kScales};
               return setOperandSymmPerChannelQuantParams(with(w, perChannel()), 1, &params);
           }},
          {"scales at null", BAD_DATA,
           [](Fixture& w) {
               const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, nullptr};
               return setOperandSymmPerChannelQuantParams(with(w, perChannel()), 0, &params);
           }},
          {"too few", BAD_DATA,
           [](Fixture& w) {
               const ANeuralNetworksSymmPerChannelQuantParams params{1, 2, kScales};
               return setOperandSymmPerChannelQuantParams(with(w, perChannel()), 0, &params);
           }},
          {"no such dimension", BAD_DATA,
           [](Fixture& w) {
               const ANeuralNetworksSymmPerChannelQuantParams params{2, 2, kScales};
               return setOperandSymmPerChannelQuantParams(with(w, perChannel()), 0, &params);
           }},
          {"a scale below 0", BAD_DATA,
           [](Fixture& w) {
               const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, kBadScales};
               return setOperandSymmPerChannelQuantParams(with(w, perChannel()), 0, &params);
           }},
          {"another type", BAD_DATA,
           [](Fixture& w) {
               const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, kScales};
               return setOperandSymmPerChannelQuantParams(
                       with(w, Type(ANEURALNETWORKS_TENSOR_FLOAT32, {2})), 0, &params);
           }},
          {"fits", OK,
           [](Fixture& w) {
               const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, kScales};
               return setOperandSymmPerChannelQuantParams(with(w, perChannel()), 0, &params);
           }}}},
        {"Model_setOperandExtensionData",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture& w) { return setOperandExtensionData(nullptr, 0, &w, 4); }},
          {"bytes at null", UNEXPECTED_NULL,
           [](Fixture& w) { return setOperandExtensionData(w.finished(), 9, nullptr, 4); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return setOperandExtensionData(w.finished(), 9, &w, 0); }},
          {"too far", BAD_DATA,
           [](Fixture& w) { return setOperandExtensionData(w.open(), 4, &w, 4); }},
          {"of no extension", BAD_DATA,
           [](Fixture& w) { return setOperandExtensionData(w.open(), 0, &w, 4); }},
          {"no bytes at an address", BAD_DATA,
           [](Fixture& w) {
               return setOperandExtensionData(with(w, Type(extensionType(w, 2), {})), 0, &w, 0);
           }},
          {"none any more", OK,
           [](Fixture& w) {
               ANeuralNetworksModel* model = with(w, Type(extensionType(w, 2), {}));
               EXPECT_EQ(setOperandExtensionData(model, 0, w.bytes.data(), 4), OK);
               return setOperandExtensionData(model, 0, nullptr, 0);
           }},
          {"data", OK,
           [](Fixture& w) {
               return setOperandExtensionData(with(w, Type(extensionType(w, 2), {})), 0,
                                              w.bytes.data(), 4);
           }}}},
        {"Model_getExtensionOperandType",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture& w) { return getExtensionOperandType(nullptr, kExtension, 0, &w.out.code); }},
          {"no name", UNEXPECTED_NULL,
           [](Fixture& w) { return getExtensionOperandType(w.empty(), nullptr, 0, &w.out.code); }},
          {"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return getExtensionOperandType(w.empty(), "no.such", 0, nullptr); }},
          {"no such extension", BAD_DATA,
           [](Fixture& w) {
               return getExtensionOperandType(w.empty(), "no.such", 0, &w.out.code);
           }},
          {"prefixes begin with 1", OK,
           [](Fixture& w) { return extensionType(w, 2) == 0x10002 ? OK : -1; }}}},
        {"Model_getExtensionOperationType",
         {{"no such extension", BAD_DATA,
           [](Fixture& w) {
               return getExtensionOperationType(w.empty(), "no.such", 0, &w.out.code);
           }},
          {"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return getExtensionOperationType(w.empty(), "no.such", 0, nullptr); }},
          {"an operation", OK,
           [](Fixture& w) {
               return getExtensionOperationType(w.empty(), kExtension, 0, &w.out.code);
           }}}},
        {"Model_addOperation",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture&) { return addOperation(nullptr, 0, 3, kInputs, 1, kOutputs); }},
          {"inputs at null", UNEXPECTED_NULL,
           [](Fixture& w) { return addOperation(w.finished(), 0, 3, nullptr, 1, kOutputs); }},
          {"outputs at null", UNEXPECTED_NULL,
           [](Fixture& w) { return addOperation(w.finished(), 0, 3, kInputs, 1, nullptr); }},
          {"no inputs at null", UNEXPECTED_NULL,
           [](Fixture& w) { return addOperation(w.finished(), 0, 0, nullptr, 1, kOutputs); }},
          {"no outputs at null", UNEXPECTED_NULL,
           [](Fixture& w) { return addOperation(w.finished(), 0, 3, kInputs, 0, nullptr); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return addOperation(w.finished(), -5, 3, kTooFar, 0, kOutputs); }},
          {"invalid", BAD_STATE,
           [](Fixture& w) { return addOperation(w.invalid(), -5, 3, kTooFar, 0, kOutputs); }},
          {"no such operation", BAD_DATA,
           [](Fixture& w) { return addOperation(w.open(), 9999, 3, kInputs, 1, kOutputs); }},
          {"with an unassigned prefix", BAD_DATA,
           [](Fixture& w) { return addOperation(w.open(), 0x70000001, 3, kInputs, 1, kOutputs); }},
          {"an operand that is not there", BAD_DATA,
           [](Fixture& w) { return addOperation(w.open(), 0, 3, kTooFar, 1, kOutputs); }},
          {"too few operands", BAD_DATA,
           [](Fixture& w) { return addOperation(w.open(), 0, 1, kInputs, 1, kOutputs); }},
          {"operands of the wrong types", BAD_DATA,
           [](Fixture& w) { return addOperation(w.open(), 0, 3, kInputs, 1, kInputs + 2); }},
          {"fits", OK,
           [](Fixture& w) {
               return addOperation(w.open(), ANEURALNETWORKS_MUL, 3, kInputs, 1, kOutputs);
           }}}},
        {"Model_identifyInputsAndOutputs",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture&) { return identifyInputsAndOutputs(nullptr, 2, kInputs, 1, kOutputs); }},
          {"inputs at null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return identifyInputsAndOutputs(w.finished(), 2, nullptr, 1, kOutputs);
           }},
          {"outputs at null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return identifyInputsAndOutputs(w.finished(), 2, kInputs, 1, nullptr);
           }},
          {"no inputs at null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return identifyInputsAndOutputs(w.finished(), 0, nullptr, 1, kOutputs);
           }},
          {"no outputs at null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return identifyInputsAndOutputs(w.finished(), 2, kInputs, 0, nullptr);
           }},
          {"finished", BAD_STATE,
           [](Fixture& w) {
               return identifyInputsAndOutputs(w.finished(), 3, kTooFar, 1, kOutputs);
           }},
          {"an operand that is not there", BAD_DATA,
           [](Fixture& w) {
               return identifyInputsAndOutputs(with(w, w.tensor), 1, kInputs, 1, kOutputs);
           }},
          {"one twice", BAD_DATA,
           [](Fixture& w) {
               return identifyInputsAndOutputs(with(w, w.tensor), 2, kTwice, 1, kTwice);
           }},
          {"an input that is an output", BAD_DATA,
           [](Fixture& w) {
               return identifyInputsAndOutputs(with(w, w.tensor), 1, kTwice, 1, kTwice);
           }},
          {"a constant", BAD_DATA,
           [](Fixture& w) {
               ANeuralNetworksModel* model = with(w, w.tensor);
               EXPECT_EQ(setOperandValue(model, 0, w.bytes.data(), 16), OK);
               EXPECT_EQ(ANeuralNetworksModel_addOperand(model, w.tensor), OK);
               const uint32_t other[] = {1};
               return identifyInputsAndOutputs(model, 1, kTwice, 1, other);
           }},
          {"again", BAD_DATA,
           [](Fixture& w) { return identifyInputsAndOutputs(w.open(), 2, kInputs, 1, kOutputs); }},
          {"no input", BAD_DATA,
           [](Fixture& w) {
               return identifyInputsAndOutputs(with(w, w.tensor), 0, kTwice, 1, kTwice);
           }},
          {"no output", BAD_DATA,
           [](Fixture& w) {
               return identifyInputsAndOutputs(with(w, w.tensor), 1, kTwice, 0, kTwice);
           }}}},
        {"Model_relaxComputationFloat32toFloat16",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture&) { return relaxComputationFloat32toFloat16(nullptr, true); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return relaxComputationFloat32toFloat16(w.finished(), true); }},
          {"invalid", BAD_STATE,
           [](Fixture& w) { return relaxComputationFloat32toFloat16(w.invalid(), true); }},
          {"open", OK,
           [](Fixture& w) { return relaxComputationFloat32toFloat16(w.open(), true); }}}},
        {"Model_finish",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworksModel_finish(nullptr); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return ANeuralNetworksModel_finish(w.finished()); }},
          {"invalid", BAD_STATE,
           [](Fixture& w) { return ANeuralNetworksModel_finish(w.invalid()); }},
          {"inputs and outputs not identified", BAD_DATA,
           [](Fixture& w) { return ANeuralNetworksModel_finish(with(w, w.tensor)); }},
          {"operations that wait for each other", BAD_DATA,
           [](Fixture& w) {
               ANeuralNetworksModel* model = w.open();
               const uint32_t own[] = {4, 4, 2};
               EXPECT_EQ(ANeuralNetworksModel_addOperand(model, w.tensor), OK);
               EXPECT_EQ(addOperation(model, 0, 3, own, 1, own), OK);
               return ANeuralNetworksModel_finish(model);
           }},
          {"an operand that two write", BAD_DATA,
           [](Fixture& w) {
               ANeuralNetworksModel* model = w.open();
               EXPECT_EQ(addOperation(model, 0, 3, kInputs, 1, kOutputs), OK);
               return ANeuralNetworksModel_finish(model);
           }},
          {"a model", OK, [](Fixture& w) { return ANeuralNetworksModel_finish(w.open()); }}}},
        {"Model_getSupportedOperationsForDevices",
         {{"no model", UNEXPECTED_NULL,
           [](Fixture& w) {
               return getSupportedOperationsForDevices(nullptr, kNoDevice, 1, w.out.flags);
           }},
          {"devices at null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return getSupportedOperationsForDevices(w.open(), nullptr, 0, w.out.flags);
           }},
          {"no place", UNEXPECTED_NULL,
           [](Fixture& w) {
               return getSupportedOperationsForDevices(w.open(), kNoDevice, 0, nullptr);
           }},
          {"no devices", BAD_DATA,
           [](Fixture& w) {
               return getSupportedOperationsForDevices(w.open(), kNoDevice, 0, w.out.flags);
           }},
          {"not finished", BAD_STATE,
           [](Fixture& w) {
               return getSupportedOperationsForDevices(w.open(), kNoDevice, 1, w.out.flags);
           }},
          {"invalid", BAD_STATE,
           [](Fixture& w) {
               return getSupportedOperationsForDevices(w.invalid(), kNoDevice, 1, w.out.flags);
           }},
          {"a device that is null", UNEXPECTED_NULL,
           [](Fixture& w) {
               return getSupportedOperationsForDevices(w.finished(), kNoDevice, 1, w.out.flags);
           }},
          {"a device twice", BAD_DATA,
           [](Fixture& w) {
               const ANeuralNetworksDevice* const twice[] = {w.device(), w.device()};
               return getSupportedOperationsForDevices(w.finished(), twice, 2, w.out.flags);
           }},
          {"all", OK,
           [](Fixture& w) {
               const ANeuralNetworksDevice* const both[] = {w.device(), deviceAt(1)};
               const int code =
                       getSupportedOperationsForDevices(w.finished(), both, 2, w.out.flags);
               return w.out.flags[0] ? code : -1;
           }}}},
};

}  // namespace
}  // namespace model_rows

std::span<const FunctionRows> modelRows() { return model_rows::kFunctions; }

}  // namespace nn::c_api
