/* NeuralNetworksExtensions.h -- operations, types and attributes of vendors.
 *
 *   bool isThere = false;
 *   ANeuralNetworksDevice_getExtensionSupport(device, "com.example.complex", &isThere);
 *   int32_t type = 0;
 *   ANeuralNetworksModel_getExtensionOperandType(model, "com.example.complex", 0, &type);
 *
 * An extension is known by its name; docs/extensions.md explains them. BAD_DATA for an extension
 * that no device has.
 */
#ifndef NNAPI_C_NEURAL_NETWORKS_EXTENSIONS_H
#define NNAPI_C_NEURAL_NETWORKS_EXTENSIONS_H

#include "NeuralNetworks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Since feature level 3, as the next three. */
int ANeuralNetworksDevice_getExtensionSupport(const ANeuralNetworksDevice* device,
                                              const char* extensionName,
                                              bool* isExtensionSupported);

/* What a type or an operation of an extension is in models of this process. */
int ANeuralNetworksModel_getExtensionOperandType(ANeuralNetworksModel* model,
                                                 const char* extensionName,
                                                 uint16_t operandCodeWithinExtension,
                                                 int32_t* type);
int ANeuralNetworksModel_getExtensionOperationType(ANeuralNetworksModel* model,
                                                   const char* extensionName,
                                                   uint16_t operationCodeWithinExtension,
                                                   ANeuralNetworksOperationType* type);

/* Parameters of the type of an operand, which are copied; null and 0 take them away. */
int ANeuralNetworksModel_setOperandExtensionData(ANeuralNetworksModel* model, int32_t index,
                                                 const void* data, size_t length);

/* A hint to the driver, which is copied; each once. BAD_DATA unless the compilation was made for
 * one device. Since feature level 8.
 */
int ANeuralNetworksCompilation_addExtensionAttribute(ANeuralNetworksCompilation* compilation,
                                                     const char* extensionName,
                                                     uint16_t attributeCodeWithinExtension,
                                                     const void* data, size_t length);
int ANeuralNetworksExecution_addExtensionAttribute(ANeuralNetworksExecution* execution,
                                                   const char* extensionName,
                                                   uint16_t attributeCodeWithinExtension,
                                                   const void* data, size_t length);

#ifdef __cplusplus
}
#endif

#endif /* NNAPI_C_NEURAL_NETWORKS_EXTENSIONS_H */
