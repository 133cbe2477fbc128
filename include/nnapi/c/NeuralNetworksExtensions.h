/* NeuralNetworksExtensions.h -- Vendor extensions: operations, types and attributes.
 *
 *   bool isThere = false;
 *   ANeuralNetworksDevice_getExtensionSupport(device, "com.example.complex", &isThere);
 *   int32_t type = 0;
 *   ANeuralNetworksModel_getExtensionOperandType(model, "com.example.complex", 0, &type);
 *
 * An extension is identified by its name; see docs/extensions.md. BAD_DATA for an extension that
 * no device has.
 */
#ifndef NNAPI_C_NEURAL_NETWORKS_EXTENSIONS_H
#define NNAPI_C_NEURAL_NETWORKS_EXTENSIONS_H

#include "NeuralNetworks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a device has an extension. Since feature level 3, like the next three functions. */
int ANeuralNetworksDevice_getExtensionSupport(const ANeuralNetworksDevice* device,
                                              const char* extensionName,
                                              bool* isExtensionSupported);

/* Value of an extension's type or operation in models of this process. */
int ANeuralNetworksModel_getExtensionOperandType(ANeuralNetworksModel* model,
                                                 const char* extensionName,
                                                 uint16_t operandCodeWithinExtension,
                                                 int32_t* type);
int ANeuralNetworksModel_getExtensionOperationType(ANeuralNetworksModel* model,
                                                   const char* extensionName,
                                                   uint16_t operationCodeWithinExtension,
                                                   ANeuralNetworksOperationType* type);

/* Sets the extension data of an operand, which is copied; null and 0 remove it. */
int ANeuralNetworksModel_setOperandExtensionData(ANeuralNetworksModel* model, int32_t index,
                                                 const void* data, size_t length);

/* Adds a hint for the driver, which is copied; each attribute once. BAD_DATA unless the
 * compilation was created for one device. Since feature level 8.
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
