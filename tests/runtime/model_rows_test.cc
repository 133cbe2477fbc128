#include "runtime/check_rows.h"

namespace nn::c_api {
namespace model_rows {
namespace {

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
    EXPECT_EQ(ANeuralNetworksModel_getExtensionOperandType(w.empty(), kExtension, code, &type), OK);
    return type;
}

const Type& perChannel() {
    static const Type type(ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL, {2, 3});
    return type;
}
constexpr float kScales[] = {1, 2}, kBadScales[] = {1, -2};

const Row kRows[] = {
        {"Model_create", "no place", [](Fixture&) { return ANeuralNetworksModel_create(nullptr); },
         UNEXPECTED_NULL},
        {"Model_create", "a model",
         [](Fixture& w) { return ANeuralNetworksModel_create(w.model.out()); }, OK},
        {"Model_free", "null", [](Fixture&) { return ANeuralNetworksModel_free(nullptr), OK; }, OK},

        {"Model_addOperand", "no model",
         [](Fixture& w) { return ANeuralNetworksModel_addOperand(nullptr, w.tensor); },
         UNEXPECTED_NULL},
        {"Model_addOperand", "no type",
         [](Fixture& w) { return ANeuralNetworksModel_addOperand(w.finished(), nullptr); },
         UNEXPECTED_NULL},
        {"Model_addOperand", "finished",
         [](Fixture& w) { return ANeuralNetworksModel_addOperand(w.finished(), Type(999, {})); },
         BAD_STATE},
        {"Model_addOperand", "invalid",
         [](Fixture& w) { return ANeuralNetworksModel_addOperand(w.invalid(), Type(999, {})); },
         BAD_STATE},
        {"Model_addOperand", "an unassigned prefix",
         [](Fixture& w) { return addOperand(w, 0x70000001); }, BAD_DATA},
        {"Model_addOperand", "a type that the extension has not",
         [](Fixture& w) { return addOperand(w, extensionType(w, 9)); }, BAD_DATA},
        {"Model_addOperand", "dimensions at null",
         [](Fixture& w) {
             return addOperand(w, ANEURALNETWORKS_TENSOR_FLOAT32, 1);
         },
         BAD_DATA},
        {"Model_addOperand", "no dimensions at an address",
         [](Fixture& w) {
             return addOperand(w, ANEURALNETWORKS_TENSOR_FLOAT32, 0, kInputs);
         },
         BAD_DATA},
        {"Model_addOperand", "more dimensions than there may be",
         [](Fixture& w) {
             return addOperand(w, ANEURALNETWORKS_TENSOR_FLOAT32, 0xFFFFFFFF, kInputs);
         },
         BAD_DATA},
        {"Model_addOperand", "no such type", [](Fixture& w) { return addOperand(w, 16); },
         BAD_DATA},
        {"Model_addOperand", "a negative type",
         [](Fixture& w) { return addOperand(w, -1); }, BAD_DATA},
        {"Model_addOperand", "a scalar with dimensions",
         [](Fixture& w) { return addOperand(w, Type(ANEURALNETWORKS_INT32, {1})); }, BAD_DATA},
        {"Model_addOperand", "a scale where there is none",
         [](Fixture& w) { return addOperand(w, Type(ANEURALNETWORKS_INT32, {}, 1)); },
         BAD_DATA},
        {"Model_addOperand", "a zero point out of range",
         [](Fixture& w) {
             return addOperand(w, Type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1}, 1, 256));
         },
         BAD_DATA},
        {"Model_addOperand", "open dimensions",
         [](Fixture& w) { return ANeuralNetworksModel_addOperand(w.empty(), w.open4); }, OK},
        {"Model_addOperand", "a type of an extension",
         [](Fixture& w) { return addOperand(w, Type(extensionType(w, 1), {2})); }, OK},

        {"Model_setOperandValue", "no model",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(nullptr, 0, &w, 4); },
         UNEXPECTED_NULL},
        {"Model_setOperandValue", "bytes at null",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(w.finished(), 9, nullptr, 4); },
         UNEXPECTED_NULL},
        {"Model_setOperandValue", "finished",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(w.finished(), 9, &w, 0); },
         BAD_STATE},
        {"Model_setOperandValue", "invalid",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(w.invalid(), 9, &w, 0); },
         BAD_STATE},
        {"Model_setOperandValue", "too far",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(w.open(), 4, nullptr, 0); },
         BAD_DATA},
        {"Model_setOperandValue", "negative",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(w.open(), -1, nullptr, 0); },
         BAD_DATA},
        {"Model_setOperandValue", "no bytes at an address",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(w.open(), 0, &w, 0); },
         BAD_DATA},
        {"Model_setOperandValue", "open dimensions",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(with(w, w.open4), 0, &w, 4); },
         BAD_DATA},
        {"Model_setOperandValue", "too long for 32 bits",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValue(w.open(), 0, &w, (size_t{1} << 32) + 16);
         },
         BAD_DATA},
        {"Model_setOperandValue", "too short",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(w.open(), 0, &w, 12); },
         BAD_DATA},
        {"Model_setOperandValue", "of a graph",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValue(with(w, Type(ANEURALNETWORKS_MODEL, {})),
                                                         0, &w, 4);
         },
         BAD_DATA},
        {"Model_setOperandValue", "OEM of any length",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValue(with(w, Type(10000, {})), 0, &w, 7);
         },
         OK},
        {"Model_setOperandValue", "a scalar of an extension",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValue(with(w, Type(extensionType(w, 2), {})), 0,
                                                         w.bytes.data(), 8);
         },
         OK},
        {"Model_setOperandValue", "left out",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(w.open(), 0, nullptr, 0); },
         OK},
        {"Model_setOperandValue", "a value",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandValue(w.open(), 0, &w, 16); }, OK},

        {"Model_setOperandValueFromMemory", "no model",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(nullptr, 0, w.memory(), 0, 16);
         },
         UNEXPECTED_NULL},
        {"Model_setOperandValueFromMemory", "no memory",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(w.finished(), 0, nullptr, 0, 16);
         },
         UNEXPECTED_NULL},
        {"Model_setOperandValueFromMemory", "finished",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(w.finished(), 9, w.memory(), 0,
                                                                   1);
         },
         BAD_STATE},
        {"Model_setOperandValueFromMemory", "invalid",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(w.invalid(), 9, w.memory(), 0,
                                                                   1);
         },
         BAD_STATE},
        {"Model_setOperandValueFromMemory", "too far",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(w.open(), 4, w.memory(), 0, 16);
         },
         BAD_DATA},
        {"Model_setOperandValueFromMemory", "open dimensions",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(with(w, w.open4), 0, w.memory(),
                                                                   0, 16);
         },
         BAD_DATA},
        {"Model_setOperandValueFromMemory", "too short",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(w.open(), 0, w.memory(), 0, 12);
         },
         BAD_DATA},
        {"Model_setOperandValueFromMemory", "memory of a device",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(w.open(), 0, w.described(), 0,
                                                                   16);
         },
         BAD_DATA},
        {"Model_setOperandValueFromMemory", "behind the memory",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(w.open(), 0, w.memory(), 52, 16);
         },
         BAD_DATA},
        {"Model_setOperandValueFromMemory", "a sum that wraps",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(w.open(), 0, w.memory(),
                                                                   SIZE_MAX - 7, 16);
         },
         BAD_DATA},
        {"Model_setOperandValueFromMemory", "an offset that wraps in 32 bits",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(w.open(), 0, w.memory(),
                                                                   size_t{1} << 32, 16);
         },
         BAD_DATA},
        {"Model_setOperandValueFromMemory", "a value",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromMemory(w.open(), 0, w.memory(), 48, 16);
         },
         OK},

        {"Model_setOperandValueFromModel", "no model",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromModel(nullptr, 0, w.finished());
         },
         UNEXPECTED_NULL},
        {"Model_setOperandValueFromModel", "no value",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromModel(w.finished(), 0, nullptr);
         },
         UNEXPECTED_NULL},
        {"Model_setOperandValueFromModel", "finished",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromModel(w.finished(), 9, w.finished());
         },
         BAD_STATE},
        {"Model_setOperandValueFromModel", "a value that is not finished",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromModel(w.open(), 9, w.open());
         },
         BAD_STATE},
        {"Model_setOperandValueFromModel", "a value that is invalid",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromModel(w.open(), 9, w.invalid());
         },
         BAD_STATE},
        {"Model_setOperandValueFromModel", "itself",
         [](Fixture& w) {
             ANeuralNetworksModel* model = w.open();
             return ANeuralNetworksModel_setOperandValueFromModel(model, 0, model);
         },
         BAD_STATE},
        {"Model_setOperandValueFromModel", "too far",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromModel(w.open(), 4, w.finished());
         },
         BAD_DATA},
        {"Model_setOperandValueFromModel", "a value",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandValueFromModel(
                     with(w, Type(ANEURALNETWORKS_MODEL, {})), 0, w.finished());
         },
         OK},

        {"Model_setOperandSymmPerChannelQuantParams", "no model",
         [](Fixture&) {
             const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, kScales};
             return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(nullptr, 0, &params);
         },
         UNEXPECTED_NULL},
        {"Model_setOperandSymmPerChannelQuantParams", "no parameters",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(w.finished(), 9,
                                                                             nullptr);
         },
         UNEXPECTED_NULL},
        {"Model_setOperandSymmPerChannelQuantParams", "finished",
         [](Fixture& w) {
             const ANeuralNetworksSymmPerChannelQuantParams params{9, 2, nullptr};
             return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(w.finished(), 9,
                                                                             &params);
         },
         BAD_STATE},
        {"Model_setOperandSymmPerChannelQuantParams", "too far",
         [](Fixture& w) {
             const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, kScales};
             return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(with(w, perChannel()),
                                                                             1, &params);
         },
         BAD_DATA},
        {"Model_setOperandSymmPerChannelQuantParams", "scales at null",
         [](Fixture& w) {
             const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, nullptr};
             return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(with(w, perChannel()),
                                                                             0, &params);
         },
         BAD_DATA},
        {"Model_setOperandSymmPerChannelQuantParams", "too few",
         [](Fixture& w) {
             const ANeuralNetworksSymmPerChannelQuantParams params{1, 2, kScales};
             return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(with(w, perChannel()),
                                                                             0, &params);
         },
         BAD_DATA},
        {"Model_setOperandSymmPerChannelQuantParams", "no such dimension",
         [](Fixture& w) {
             const ANeuralNetworksSymmPerChannelQuantParams params{2, 2, kScales};
             return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(with(w, perChannel()),
                                                                             0, &params);
         },
         BAD_DATA},
        {"Model_setOperandSymmPerChannelQuantParams", "a scale below 0",
         [](Fixture& w) {
             const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, kBadScales};
             return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(with(w, perChannel()),
                                                                             0, &params);
         },
         BAD_DATA},
        {"Model_setOperandSymmPerChannelQuantParams", "another type",
         [](Fixture& w) {
             const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, kScales};
             return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(
                     with(w, Type(ANEURALNETWORKS_TENSOR_FLOAT32, {2})), 0, &params);
         },
         BAD_DATA},
        {"Model_setOperandSymmPerChannelQuantParams", "fits",
         [](Fixture& w) {
             const ANeuralNetworksSymmPerChannelQuantParams params{0, 2, kScales};
             return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(with(w, perChannel()),
                                                                             0, &params);
         },
         OK},

        {"Model_setOperandExtensionData", "no model",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandExtensionData(nullptr, 0, &w, 4); },
         UNEXPECTED_NULL},
        {"Model_setOperandExtensionData", "bytes at null",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandExtensionData(w.finished(), 9, nullptr, 4);
         },
         UNEXPECTED_NULL},
        {"Model_setOperandExtensionData", "finished",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandExtensionData(w.finished(), 9, &w, 0);
         },
         BAD_STATE},
        {"Model_setOperandExtensionData", "too far",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandExtensionData(w.open(), 4, &w, 4); },
         BAD_DATA},
        {"Model_setOperandExtensionData", "of no extension",
         [](Fixture& w) { return ANeuralNetworksModel_setOperandExtensionData(w.open(), 0, &w, 4); },
         BAD_DATA},
        {"Model_setOperandExtensionData", "no bytes at an address",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandExtensionData(
                     with(w, Type(extensionType(w, 2), {})), 0, &w, 0);
         },
         BAD_DATA},
        {"Model_setOperandExtensionData", "none any more",
         [](Fixture& w) {
             ANeuralNetworksModel* model = with(w, Type(extensionType(w, 2), {}));
             EXPECT_EQ(
                     ANeuralNetworksModel_setOperandExtensionData(model, 0, w.bytes.data(), 4), OK);
             return ANeuralNetworksModel_setOperandExtensionData(model, 0, nullptr, 0);
         },
         OK},
        {"Model_setOperandExtensionData", "data",
         [](Fixture& w) {
             return ANeuralNetworksModel_setOperandExtensionData(
                     with(w, Type(extensionType(w, 2), {})), 0, w.bytes.data(), 4);
         },
         OK},
        {"Model_getExtensionOperandType", "no model",
         [](Fixture& w) {
             return ANeuralNetworksModel_getExtensionOperandType(nullptr, kExtension, 0,
                                                                 &w.out.code);
         },
         UNEXPECTED_NULL},
        {"Model_getExtensionOperandType", "no name",
         [](Fixture& w) {
             return ANeuralNetworksModel_getExtensionOperandType(w.empty(), nullptr, 0,
                                                                 &w.out.code);
         },
         UNEXPECTED_NULL},
        {"Model_getExtensionOperandType", "no place",
         [](Fixture& w) {
             return ANeuralNetworksModel_getExtensionOperandType(w.empty(), "no.such", 0, nullptr);
         },
         UNEXPECTED_NULL},
        {"Model_getExtensionOperandType", "no such extension",
         [](Fixture& w) {
             return ANeuralNetworksModel_getExtensionOperandType(w.empty(), "no.such", 0,
                                                                 &w.out.code);
         },
         BAD_DATA},
        {"Model_getExtensionOperandType", "prefixes begin with 1",
         [](Fixture& w) { return extensionType(w, 2) == 0x10002 ? OK : -1; }, OK},
        {"Model_getExtensionOperationType", "no such extension",
         [](Fixture& w) {
             return ANeuralNetworksModel_getExtensionOperationType(w.empty(), "no.such", 0,
                                                                   &w.out.code);
         },
         BAD_DATA},
        {"Model_getExtensionOperationType", "no place",
         [](Fixture& w) {
             return ANeuralNetworksModel_getExtensionOperationType(w.empty(), "no.such", 0,
                                                                   nullptr);
         },
         UNEXPECTED_NULL},
        {"Model_getExtensionOperationType", "an operation",
         [](Fixture& w) {
             return ANeuralNetworksModel_getExtensionOperationType(w.empty(), kExtension, 0,
                                                                   &w.out.code);
         },
         OK},

        {"Model_addOperation", "no model",
         [](Fixture&) {
             return ANeuralNetworksModel_addOperation(nullptr, 0, 3, kInputs, 1, kOutputs);
         },
         UNEXPECTED_NULL},
        {"Model_addOperation", "inputs at null",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.finished(), 0, 3, nullptr, 1, kOutputs);
         },
         UNEXPECTED_NULL},
        {"Model_addOperation", "outputs at null",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.finished(), 0, 3, kInputs, 1, nullptr);
         },
         UNEXPECTED_NULL},
        {"Model_addOperation", "no inputs at null",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.finished(), 0, 0, nullptr, 1, kOutputs);
         },
         UNEXPECTED_NULL},
        {"Model_addOperation", "no outputs at null",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.finished(), 0, 3, kInputs, 0, nullptr);
         },
         UNEXPECTED_NULL},
        {"Model_addOperation", "finished",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.finished(), -5, 3, kTooFar, 0, kOutputs);
         },
         BAD_STATE},
        {"Model_addOperation", "invalid",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.invalid(), -5, 3, kTooFar, 0, kOutputs);
         },
         BAD_STATE},
        {"Model_addOperation", "no such operation",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.open(), 9999, 3, kInputs, 1, kOutputs);
         },
         BAD_DATA},
        {"Model_addOperation", "with an unassigned prefix",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.open(), 0x70000001, 3, kInputs, 1,
                                                      kOutputs);
         },
         BAD_DATA},
        {"Model_addOperation", "an operand that is not there",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.open(), 0, 3, kTooFar, 1, kOutputs);
         },
         BAD_DATA},
        {"Model_addOperation", "too few operands",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.open(), 0, 1, kInputs, 1, kOutputs);
         },
         BAD_DATA},
        {"Model_addOperation", "operands of the wrong types",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.open(), 0, 3, kInputs, 1, kInputs + 2);
         },
         BAD_DATA},
        {"Model_addOperation", "fits",
         [](Fixture& w) {
             return ANeuralNetworksModel_addOperation(w.open(), ANEURALNETWORKS_MUL, 3, kInputs, 1,
                                                      kOutputs);
         },
         OK},

        {"Model_identifyInputsAndOutputs", "no model",
         [](Fixture&) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(nullptr, 2, kInputs, 1, kOutputs);
         },
         UNEXPECTED_NULL},
        {"Model_identifyInputsAndOutputs", "inputs at null",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(w.finished(), 2, nullptr, 1,
                                                                  kOutputs);
         },
         UNEXPECTED_NULL},
        {"Model_identifyInputsAndOutputs", "outputs at null",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(w.finished(), 2, kInputs, 1,
                                                                  nullptr);
         },
         UNEXPECTED_NULL},
        {"Model_identifyInputsAndOutputs", "no inputs at null",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(w.finished(), 0, nullptr, 1,
                                                                  kOutputs);
         },
         UNEXPECTED_NULL},
        {"Model_identifyInputsAndOutputs", "no outputs at null",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(w.finished(), 2, kInputs, 0,
                                                                  nullptr);
         },
         UNEXPECTED_NULL},
        {"Model_identifyInputsAndOutputs", "finished",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(w.finished(), 3, kTooFar, 1,
                                                                  kOutputs);
         },
         BAD_STATE},
        {"Model_identifyInputsAndOutputs", "an operand that is not there",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(with(w, w.tensor), 1, kInputs, 1,
                                                                  kOutputs);
         },
         BAD_DATA},
        {"Model_identifyInputsAndOutputs", "one twice",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(with(w, w.tensor), 2, kTwice, 1,
                                                                  kTwice);
         },
         BAD_DATA},
        {"Model_identifyInputsAndOutputs", "an input that is an output",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(with(w, w.tensor), 1, kTwice, 1,
                                                                  kTwice);
         },
         BAD_DATA},
        {"Model_identifyInputsAndOutputs", "a constant",
         [](Fixture& w) {
             ANeuralNetworksModel* model = with(w, w.tensor);
             EXPECT_EQ(ANeuralNetworksModel_setOperandValue(model, 0, w.bytes.data(), 16), OK);
             EXPECT_EQ(ANeuralNetworksModel_addOperand(model, w.tensor), OK);
             const uint32_t other[] = {1};
             return ANeuralNetworksModel_identifyInputsAndOutputs(model, 1, kTwice, 1, other);
         },
         BAD_DATA},
        {"Model_identifyInputsAndOutputs", "again",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(w.open(), 2, kInputs, 1,
                                                                  kOutputs);
         },
         BAD_DATA},
        {"Model_identifyInputsAndOutputs", "no input",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(with(w, w.tensor), 0, kTwice, 1,
                                                                  kTwice);
         },
         BAD_DATA},
        {"Model_identifyInputsAndOutputs", "no output",
         [](Fixture& w) {
             return ANeuralNetworksModel_identifyInputsAndOutputs(with(w, w.tensor), 1, kTwice, 0,
                                                                  kTwice);
         },
         BAD_DATA},

        {"Model_relaxComputationFloat32toFloat16", "no model",
         [](Fixture&) {
             return ANeuralNetworksModel_relaxComputationFloat32toFloat16(nullptr, true);
         },
         UNEXPECTED_NULL},
        {"Model_relaxComputationFloat32toFloat16", "finished",
         [](Fixture& w) {
             return ANeuralNetworksModel_relaxComputationFloat32toFloat16(w.finished(), true);
         },
         BAD_STATE},
        {"Model_relaxComputationFloat32toFloat16", "invalid",
         [](Fixture& w) {
             return ANeuralNetworksModel_relaxComputationFloat32toFloat16(w.invalid(), true);
         },
         BAD_STATE},
        {"Model_relaxComputationFloat32toFloat16", "open",
         [](Fixture& w) {
             return ANeuralNetworksModel_relaxComputationFloat32toFloat16(w.open(), true);
         },
         OK},

        {"Model_finish", "no model", [](Fixture&) { return ANeuralNetworksModel_finish(nullptr); },
         UNEXPECTED_NULL},
        {"Model_finish", "finished",
         [](Fixture& w) { return ANeuralNetworksModel_finish(w.finished()); }, BAD_STATE},
        {"Model_finish", "invalid",
         [](Fixture& w) { return ANeuralNetworksModel_finish(w.invalid()); }, BAD_STATE},
        {"Model_finish", "inputs and outputs not identified",
         [](Fixture& w) { return ANeuralNetworksModel_finish(with(w, w.tensor)); }, BAD_DATA},
        {"Model_finish", "operations that wait for each other",
         [](Fixture& w) {
             ANeuralNetworksModel* model = w.open();
             const uint32_t own[] = {4, 4, 2};
             EXPECT_EQ(ANeuralNetworksModel_addOperand(model, w.tensor), OK);
             EXPECT_EQ(ANeuralNetworksModel_addOperation(model, 0, 3, own, 1, own), OK);
             return ANeuralNetworksModel_finish(model);
         },
         BAD_DATA},
        {"Model_finish", "an operand that two write",
         [](Fixture& w) {
             ANeuralNetworksModel* model = w.open();
             EXPECT_EQ(ANeuralNetworksModel_addOperation(model, 0, 3, kInputs, 1, kOutputs), OK);
             return ANeuralNetworksModel_finish(model);
         },
         BAD_DATA},
        {"Model_finish", "a model", [](Fixture& w) { return ANeuralNetworksModel_finish(w.open()); },
         OK},

        {"Model_getSupportedOperationsForDevices", "no model",
         [](Fixture& w) {
             return ANeuralNetworksModel_getSupportedOperationsForDevices(nullptr, kNoDevice, 1,
                                                                          w.out.flags);
         },
         UNEXPECTED_NULL},
        {"Model_getSupportedOperationsForDevices", "devices at null",
         [](Fixture& w) {
             return ANeuralNetworksModel_getSupportedOperationsForDevices(w.open(), nullptr, 0,
                                                                          w.out.flags);
         },
         UNEXPECTED_NULL},
        {"Model_getSupportedOperationsForDevices", "no place",
         [](Fixture& w) {
             return ANeuralNetworksModel_getSupportedOperationsForDevices(w.open(), kNoDevice, 0,
                                                                          nullptr);
         },
         UNEXPECTED_NULL},
        {"Model_getSupportedOperationsForDevices", "no devices",
         [](Fixture& w) {
             return ANeuralNetworksModel_getSupportedOperationsForDevices(w.open(), kNoDevice, 0,
                                                                          w.out.flags);
         },
         BAD_DATA},
        {"Model_getSupportedOperationsForDevices", "not finished",
         [](Fixture& w) {
             return ANeuralNetworksModel_getSupportedOperationsForDevices(w.open(), kNoDevice, 1,
                                                                          w.out.flags);
         },
         BAD_STATE},
        {"Model_getSupportedOperationsForDevices", "invalid",
         [](Fixture& w) {
             return ANeuralNetworksModel_getSupportedOperationsForDevices(w.invalid(), kNoDevice, 1,
                                                                          w.out.flags);
         },
         BAD_STATE},
        {"Model_getSupportedOperationsForDevices", "a device that is null",
         [](Fixture& w) {
             return ANeuralNetworksModel_getSupportedOperationsForDevices(w.finished(), kNoDevice,
                                                                          1, w.out.flags);
         },
         UNEXPECTED_NULL},
        {"Model_getSupportedOperationsForDevices", "a device twice",
         [](Fixture& w) {
             const ANeuralNetworksDevice* const twice[] = {w.device(), w.device()};
             return ANeuralNetworksModel_getSupportedOperationsForDevices(w.finished(), twice, 2,
                                                                          w.out.flags);
         },
         BAD_DATA},
        {"Model_getSupportedOperationsForDevices", "all",
         [](Fixture& w) {
             const ANeuralNetworksDevice* const both[] = {w.device(), deviceAt(1)};
             const int code = ANeuralNetworksModel_getSupportedOperationsForDevices(
                     w.finished(), both, 2, w.out.flags);
             return w.out.flags[0] ? code : -1;
         },
         OK},
};

}  // namespace
}  // namespace model_rows

std::span<const Row> modelRows() { return model_rows::kRows; }

}  // namespace nn::c_api
