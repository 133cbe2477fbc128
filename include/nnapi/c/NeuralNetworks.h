/* NeuralNetworks.h -- The NNAPI C API: builds models and executes them on devices.
 *
 *   ANeuralNetworksModel* model = NULL;
 *   ANeuralNetworksModel_create(&model);
 *   ANeuralNetworksModel_addOperand(model, &tensor);   // operand 0, and so on
 *   ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_ADD, 3, inputs, 1, outputs);
 *   ANeuralNetworksModel_identifyInputsAndOutputs(model, 2, inputs, 1, outputs);
 *   ANeuralNetworksModel_finish(model);
 *
 *   ANeuralNetworksCompilation* compilation = NULL;
 *   ANeuralNetworksCompilation_create(model, &compilation);
 *   ANeuralNetworksCompilation_finish(compilation);
 *
 *   ANeuralNetworksExecution* execution = NULL;
 *   ANeuralNetworksExecution_create(compilation, &execution);
 *   ANeuralNetworksExecution_setInput(execution, 0, NULL, x, sizeof x);   // and the others
 *   if (ANeuralNetworksExecution_compute(execution) != ANEURALNETWORKS_NO_ERROR) ...
 *
 * Link libneuralnetworks.so, or open it with dlopen(). Unless stated otherwise, a function returns
 * a ResultCode: first ANEURALNETWORKS_UNEXPECTED_NULL if a handle, a result pointer or non-empty
 * data is null, ANEURALNETWORKS_OUT_OF_MEMORY if memory has run out, and otherwise as described.
 * Codes are abbreviated in comments: BAD_DATA is ANEURALNETWORKS_BAD_DATA. A function that fails to
 * create an object stores null. All _free functions accept null. Functions exist since feature
 * level 1 unless stated otherwise.
 *
 * Any number of threads may use distinct objects, and share finished models, compilations and
 * memories. An object keeps what it needs of others, so objects may be freed in any order.
 * docs/c_api.md lists the checks of each function.
 */
#ifndef NNAPI_C_NEURAL_NETWORKS_H
#define NNAPI_C_NEURAL_NETWORKS_H

#include "NeuralNetworksTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the runtime and its devices */

/* The runtime's FeatureLevelCode. Since feature level 5. */
int64_t ANeuralNetworks_getRuntimeFeatureLevel(void);

/* Default and maximum time limit of a WHILE, in nanoseconds. Since feature level 4. */
uint64_t ANeuralNetworks_getDefaultLoopTimeout(void);
uint64_t ANeuralNetworks_getMaximumLoopTimeout(void);

/* Devices keep their indexes and live as long as the process. The last one is the reference,
 * "nnapi-reference". BAD_DATA for an index out of range. Since feature level 3.
 */
int ANeuralNetworks_getDeviceCount(uint32_t* numDevices);
int ANeuralNetworks_getDevice(uint32_t devIndex, ANeuralNetworksDevice** device);

/* Properties of a device: type is a DeviceTypeCode, featureLevel a FeatureLevelCode. Strings
 * stay valid. BAD_DATA if the pointer is not a device. Since feature level 3.
 */
int ANeuralNetworksDevice_getName(const ANeuralNetworksDevice* device, const char** name);
int ANeuralNetworksDevice_getType(const ANeuralNetworksDevice* device, int32_t* type);
int ANeuralNetworksDevice_getVersion(const ANeuralNetworksDevice* device, const char** version);
int ANeuralNetworksDevice_getFeatureLevel(const ANeuralNetworksDevice* device,
                                          int64_t* featureLevel);

/* Blocks until the device can be used; returns its error otherwise. Since feature level 4. */
int ANeuralNetworksDevice_wait(const ANeuralNetworksDevice* device);

/* ---- memory */

/* Memory of `size` bytes of a file from an offset, which is a multiple of the page size.
 * protect: PROT_READ, PROT_WRITE or both (<sys/mman.h>). The descriptor is duplicated.
 */
int ANeuralNetworksMemory_createFromFd(size_t size, int protect, int fd, size_t offset,
                                       ANeuralNetworksMemory** memory);

/* Always BAD_DATA: hardware buffers do not exist outside of Android. Since feature level 3. */
int ANeuralNetworksMemory_createFromAHardwareBuffer(const AHardwareBuffer* ahwb,
                                                    ANeuralNetworksMemory** memory);

/* Models and executions that use the memory keep it. */
void ANeuralNetworksMemory_free(ANeuralNetworksMemory* memory);

/* Describes a memory by its roles: the inputs and outputs that it will be used for. frequency,
 * above 0 and at most 1, is the probability of a role. All roles must have the same type and
 * matching dimensions; a role can be added once. BAD_DATA also for an unfinished compilation.
 * Since feature level 4.
 */
int ANeuralNetworksMemoryDesc_create(ANeuralNetworksMemoryDesc** desc);
void ANeuralNetworksMemoryDesc_free(ANeuralNetworksMemoryDesc* desc);
int ANeuralNetworksMemoryDesc_addInputRole(ANeuralNetworksMemoryDesc* desc,
                                           const ANeuralNetworksCompilation* compilation,
                                           uint32_t index, float frequency);
int ANeuralNetworksMemoryDesc_addOutputRole(ANeuralNetworksMemoryDesc* desc,
                                            const ANeuralNetworksCompilation* compilation,
                                            uint32_t index, float frequency);

/* BAD_DATA if the dimensions contradict those of the roles or earlier ones. */
int ANeuralNetworksMemoryDesc_setDimensions(ANeuralNetworksMemoryDesc* desc, uint32_t rank,
                                            const uint32_t* dimensions);

/* Completes the description. BAD_DATA without a role. Later changes are BAD_STATE. */
int ANeuralNetworksMemoryDesc_finish(ANeuralNetworksMemoryDesc* desc);

/* Allocates memory of the device that has all roles or, if no role's compilation names devices,
 * memory of the host. It may be used only in its roles, with offset and length 0, and as an
 * input only once it has a value. OP_FAILED if no memory is available. Since feature level 4.
 */
int ANeuralNetworksMemory_createFromDesc(const ANeuralNetworksMemoryDesc* desc,
                                         ANeuralNetworksMemory** memory);

/* Copies between memories. BAD_DATA if the source has no value or the two do not match. Since
 * feature level 4.
 */
int ANeuralNetworksMemory_copy(const ANeuralNetworksMemory* src, const ANeuralNetworksMemory* dst);

/* ---- models */

/* A model under construction. */
int ANeuralNetworksModel_create(ANeuralNetworksModel** model);
void ANeuralNetworksModel_free(ANeuralNetworksModel* model);

/* Completes and validates the model. Later changes are BAD_STATE. BAD_DATA for an illegal model,
 * which can only be freed.
 */
int ANeuralNetworksModel_finish(ANeuralNetworksModel* model);

/* Adds an operand; operands are numbered from 0. */
int ANeuralNetworksModel_addOperand(ANeuralNetworksModel* model,
                                    const ANeuralNetworksOperandType* type);

/* Makes an operand a constant; null and 0 omit an optional operand. Values larger than
 * ANEURALNETWORKS_MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES bytes are copied when the model is
 * finished and must not change until then.
 */
int ANeuralNetworksModel_setOperandValue(ANeuralNetworksModel* model, int32_t index,
                                         const void* buffer, size_t length);
int ANeuralNetworksModel_setOperandValueFromMemory(ANeuralNetworksModel* model, int32_t index,
                                                   const ANeuralNetworksMemory* memory,
                                                   size_t offset, size_t length);

/* Sets a graph of IF or WHILE. BAD_STATE if `value` is not finished. Since feature level 4. */
int ANeuralNetworksModel_setOperandValueFromModel(ANeuralNetworksModel* model, int32_t index,
                                                  const ANeuralNetworksModel* value);

/* Sets the scales of an ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL. Since feature level 3. */
int ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(
        ANeuralNetworksModel* model, int32_t index,
        const ANeuralNetworksSymmPerChannelQuantParams* channelQuant);

/* Adds an operation. Its operands are checked immediately, with the values set so far. */
int ANeuralNetworksModel_addOperation(ANeuralNetworksModel* model,
                                      ANeuralNetworksOperationType type, uint32_t inputCount,
                                      const uint32_t* inputs, uint32_t outputCount,
                                      const uint32_t* outputs);
/* Lists the operands that are inputs and outputs of the model. */
int ANeuralNetworksModel_identifyInputsAndOutputs(ANeuralNetworksModel* model, uint32_t inputCount,
                                                  const uint32_t* inputs, uint32_t outputCount,
                                                  const uint32_t* outputs);

/* Allows 32-bit floats to be computed with 16-bit precision. Since feature level 2. */
int ANeuralNetworksModel_relaxComputationFloat32toFloat16(ANeuralNetworksModel* model, bool allow);

/* For each operation, in the order of addition: whether one of the devices supports it. Since
 * feature level 3.
 */
int ANeuralNetworksModel_getSupportedOperationsForDevices(
        const ANeuralNetworksModel* model, const ANeuralNetworksDevice* const* devices,
        uint32_t numDevices, bool* supportedOps);

/* ---- compilations */

/* A compilation for all devices, with fallback to the reference. BAD_STATE if the model is not
 * finished.
 */
int ANeuralNetworksCompilation_create(ANeuralNetworksModel* model,
                                      ANeuralNetworksCompilation** compilation);

/* A compilation for these devices only, without fallback. Since feature level 3. */
int ANeuralNetworksCompilation_createForDevices(ANeuralNetworksModel* model,
                                                const ANeuralNetworksDevice* const* devices,
                                                uint32_t numDevices,
                                                ANeuralNetworksCompilation** compilation);
void ANeuralNetworksCompilation_free(ANeuralNetworksCompilation* compilation);

/* preference: a PreferenceCode. */
int ANeuralNetworksCompilation_setPreference(ANeuralNetworksCompilation* compilation,
                                             int32_t preference);

/* priority: a PriorityCode. Since feature level 4. */
int ANeuralNetworksCompilation_setPriority(ANeuralNetworksCompilation* compilation, int priority);

/* Time limit of Compilation_finish in nanoseconds; 0 is none. BAD_DATA unless the compilation
 * was created for one device. Since feature level 4.
 */
int ANeuralNetworksCompilation_setTimeout(ANeuralNetworksCompilation* compilation,
                                          uint64_t duration);

/* Caches compiled models in files of a folder. The token,
 * ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN bytes, identifies the model. Since feature level 3.
 */
int ANeuralNetworksCompilation_setCaching(ANeuralNetworksCompilation* compilation,
                                          const char* cacheDir, const uint8_t* token);

/* Compiles. BAD_STATE when called again; otherwise the error of the device, if there is no
 * fallback.
 */
int ANeuralNetworksCompilation_finish(ANeuralNetworksCompilation* compilation);

/* Preferred alignment and padding of an input's or output's buffer, in bytes, a power of two.
 * BAD_STATE for an unfinished compilation. Since feature level 5.
 */
int ANeuralNetworksCompilation_getPreferredMemoryAlignmentForInput(
        const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* alignment);
int ANeuralNetworksCompilation_getPreferredMemoryPaddingForInput(
        const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* padding);
int ANeuralNetworksCompilation_getPreferredMemoryAlignmentForOutput(
        const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* alignment);
int ANeuralNetworksCompilation_getPreferredMemoryPaddingForOutput(
        const ANeuralNetworksCompilation* compilation, uint32_t index, uint32_t* padding);

/* ---- executions */

/* BAD_STATE for an unfinished compilation. */
int ANeuralNetworksExecution_create(ANeuralNetworksCompilation* compilation,
                                    ANeuralNetworksExecution** execution);

/* The buffers of a running execution must stay valid until it ends. */
void ANeuralNetworksExecution_free(ANeuralNetworksExecution* execution);

/* Sets an argument; each once, before the first start. type may be null, and otherwise gives the
 * dimensions that the model leaves open. null and 0 omit an optional argument. For a length
 * beyond the required size see enableInputAndOutputPadding.
 */
int ANeuralNetworksExecution_setInput(ANeuralNetworksExecution* execution, int32_t index,
                                      const ANeuralNetworksOperandType* type, const void* buffer,
                                      size_t length);
int ANeuralNetworksExecution_setInputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                const ANeuralNetworksOperandType* type,
                                                const ANeuralNetworksMemory* memory, size_t offset,
                                                size_t length);
int ANeuralNetworksExecution_setOutput(ANeuralNetworksExecution* execution, int32_t index,
                                       const ANeuralNetworksOperandType* type, void* buffer,
                                       size_t length);
int ANeuralNetworksExecution_setOutputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                 const ANeuralNetworksOperandType* type,
                                                 const ANeuralNetworksMemory* memory, size_t offset,
                                                 size_t length);

/* Time limit in nanoseconds; 0 is none. Both are BAD_DATA unless the compilation was created for
 * one device. Since feature level 3 (measureTiming) and 4 (timeout).
 */
int ANeuralNetworksExecution_setMeasureTiming(ANeuralNetworksExecution* execution, bool measure);
int ANeuralNetworksExecution_setTimeout(ANeuralNetworksExecution* execution, uint64_t duration);

/* Time limit of each WHILE in nanoseconds, clamped to the maximum. Since feature level 4. */
int ANeuralNetworksExecution_setLoopTimeout(ANeuralNetworksExecution* execution, uint64_t duration);

/* Allows buffers larger than required. BAD_STATE once an argument is set. Since feature level 5. */
int ANeuralNetworksExecution_enableInputAndOutputPadding(ANeuralNetworksExecution* execution,
                                                         bool enable);

/* Allows the execution to be started again after it has completed. Since feature level 5. */
int ANeuralNetworksExecution_setReusable(ANeuralNetworksExecution* execution, bool reusable);

/* Computes synchronously. BAD_STATE while it is running, and when repeated unless it is
 * reusable. BAD_DATA if an argument is missing. Since feature level 3.
 */
int ANeuralNetworksExecution_compute(ANeuralNetworksExecution* execution);

/* The same asynchronously; the event signals the end. */
int ANeuralNetworksExecution_startCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksEvent** event);

/* The same once all dependencies are signaled. duration, in nanoseconds, limits the time from
 * then on; 0 is no limit. BAD_DATA if the size of an output is not known in advance. Since
 * feature level 4.
 */
int ANeuralNetworksExecution_startComputeWithDependencies(
        ANeuralNetworksExecution* execution, const ANeuralNetworksEvent* const* dependencies,
        uint32_t num_dependencies, uint64_t duration, ANeuralNetworksEvent** event);

/* Actual rank and dimensions of an output. BAD_STATE before the execution has completed and
 * after a failure; but OUTPUT_INSUFFICIENT_SIZE, with the required rank or dimensions, if this
 * output's buffer was too small. Since feature level 3.
 */
int ANeuralNetworksExecution_getOutputOperandRank(ANeuralNetworksExecution* execution,
                                                  int32_t index, uint32_t* rank);
int ANeuralNetworksExecution_getOutputOperandDimensions(ANeuralNetworksExecution* execution,
                                                        int32_t index, uint32_t* dimensions);

/* A duration in nanoseconds; UINT64_MAX if the device did not measure it. durationCode: a
 * DurationCode. Since feature level 3.
 */
int ANeuralNetworksExecution_getDuration(const ANeuralNetworksExecution* execution,
                                         int32_t durationCode, uint64_t* duration);

/* ---- events */

/* Waits for the execution and returns its code; may be called repeatedly. */
int ANeuralNetworksEvent_wait(ANeuralNetworksEvent* event);

/* Waits for the execution, then frees the event. */
void ANeuralNetworksEvent_free(ANeuralNetworksEvent* event);

/* An event for a file descriptor that becomes readable; the descriptor is duplicated. BAD_DATA
 * for 0 and negative numbers. Since feature level 4.
 */
int ANeuralNetworksEvent_createFromSyncFenceFd(int sync_fence_fd, ANeuralNetworksEvent** event);

/* A new descriptor, owned by the caller; BAD_DATA and -1 if the event has none. Since feature
 * level 4.
 */
int ANeuralNetworksEvent_getSyncFenceFd(const ANeuralNetworksEvent* event, int* sync_fence_fd);

/* ---- bursts: sequences of executions */

/* A burst for executions of this compilation. Since feature level 3. */
int ANeuralNetworksBurst_create(ANeuralNetworksCompilation* compilation,
                                ANeuralNetworksBurst** burst);
void ANeuralNetworksBurst_free(ANeuralNetworksBurst* burst);

/* Computes in a burst. BAD_DATA if execution and burst belong to different compilations,
 * BAD_STATE while the burst is busy. Since feature level 3.
 */
int ANeuralNetworksExecution_burstCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksBurst* burst);

#ifdef __cplusplus
}
#endif

#endif /* NNAPI_C_NEURAL_NETWORKS_H */
