/* Clients in C add two vectors by functions of the NNAPI. FUNCTION(name), which they define, says
 * where a function is: a symbol, or a member of a table.
 */
#pragma once

#include <stdio.h>
#include <string.h>

#define CHECK(call)                                          \
    do {                                                     \
        const int code = (call);                             \
        if (code != ANEURALNETWORKS_NO_ERROR) {              \
            fprintf(stderr, "%s returns %d\n", #call, code); \
            return 1;                                        \
        }                                                    \
    } while (0)
#define REQUIRE(condition)                               \
    do {                                                 \
        if (!(condition)) {                              \
            fprintf(stderr, "not so: %s\n", #condition); \
            return 1;                                    \
        }                                                \
    } while (0)

static int makeModel(ANeuralNetworksModel** model) {
    const uint32_t dimensions[] = {4};
    const ANeuralNetworksOperandType tensor = {ANEURALNETWORKS_TENSOR_FLOAT32, 1, dimensions, 0, 0};
    const ANeuralNetworksOperandType scalar = {ANEURALNETWORKS_INT32, 0, NULL, 0, 0};
    const int32_t none = ANEURALNETWORKS_FUSED_NONE;
    const uint32_t inputs[] = {0, 1, 2};
    const uint32_t outputs[] = {3};
    CHECK(FUNCTION(ANeuralNetworksModel_create)(model));
    CHECK(FUNCTION(ANeuralNetworksModel_addOperand)(*model, &tensor));
    CHECK(FUNCTION(ANeuralNetworksModel_addOperand)(*model, &tensor));
    CHECK(FUNCTION(ANeuralNetworksModel_addOperand)(*model, &scalar));
    CHECK(FUNCTION(ANeuralNetworksModel_addOperand)(*model, &tensor));
    CHECK(FUNCTION(ANeuralNetworksModel_setOperandValue)(*model, 2, &none, sizeof none));
    CHECK(FUNCTION(ANeuralNetworksModel_addOperation)(*model, ANEURALNETWORKS_ADD, 3, inputs, 1,
                                                      outputs));
    CHECK(FUNCTION(ANeuralNetworksModel_identifyInputsAndOutputs)(*model, 2, inputs, 1, outputs));
    CHECK(FUNCTION(ANeuralNetworksModel_finish)(*model));
    return 0;
}

static int runOn(ANeuralNetworksModel* model, const ANeuralNetworksDevice* device) {
    const float x[] = {1, 2, 3, 4};
    const float y[] = {10, 20, 30, 40};
    const float wanted[] = {11, 22, 33, 44};
    float z[] = {0, 0, 0, 0};
    ANeuralNetworksCompilation* compilation = NULL;
    ANeuralNetworksExecution* execution = NULL;
    CHECK(FUNCTION(ANeuralNetworksCompilation_createForDevices)(model, &device, 1, &compilation));
    CHECK(FUNCTION(ANeuralNetworksCompilation_finish)(compilation));
    CHECK(FUNCTION(ANeuralNetworksExecution_create)(compilation, &execution));
    CHECK(FUNCTION(ANeuralNetworksExecution_setInput)(execution, 0, NULL, x, sizeof x));
    CHECK(FUNCTION(ANeuralNetworksExecution_setInput)(execution, 1, NULL, y, sizeof y));
    CHECK(FUNCTION(ANeuralNetworksExecution_setOutput)(execution, 0, NULL, z, sizeof z));
    CHECK(FUNCTION(ANeuralNetworksExecution_compute)(execution));
    FUNCTION(ANeuralNetworksCompilation_free)(compilation);
    FUNCTION(ANeuralNetworksExecution_free)(execution);
    REQUIRE(memcmp(z, wanted, sizeof z) == 0);
    return 0;
}
