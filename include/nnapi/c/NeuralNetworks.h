/* NeuralNetworks.h -- the Neural Networks API in C: models, and executing them on devices.
 *
 *   ANeuralNetworksModel* model = NULL;
 *   ANeuralNetworksModel_create(&model);
 *   ANeuralNetworksModel_addOperand(model, &tensor);                      operand 0, and so on
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
 *   ANeuralNetworksExecution_setInput(execution, 0, NULL, x, sizeof x);   and the others
 *   if (ANeuralNetworksExecution_compute(execution) != ANEURALNETWORKS_NO_ERROR) ...
 *
 * Link libneuralnetworks.so, or open it by dlopen(). Unless it says otherwise, a function answers a
 * ResultCode: ANEURALNETWORKS_UNEXPECTED_NULL first where a handle, the place for an answer, or
 * data of some bytes is null, ANEURALNETWORKS_OUT_OF_MEMORY where there is none left, and otherwise
 * as its comment says. Where a function that makes an object fails, it leaves null. All _free
 * functions accept null.
 *
 * Any number of threads may use distinct objects, and share models, compilations and memories that
 * are finished. What an object needs of another one it keeps: objects may be freed in any order.
 * docs/c_api.md lists the checks of each function.
 */
#ifndef NNAPI_C_NEURAL_NETWORKS_H
#define NNAPI_C_NEURAL_NETWORKS_H

#include "NeuralNetworksTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the runtime, and its devices */

/* A FeatureLevelCode. Since feature level 5. */
int64_t ANeuralNetworks_getRuntimeFeatureLevel(void);

/* How long a WHILE may run, in nanoseconds: where nothing else is set, and at most. Since feature
 * level 4.
 */
uint64_t ANeuralNetworks_getDefaultLoopTimeout(void);
uint64_t ANeuralNetworks_getMaximumLoopTimeout(void);

/* Devices keep their numbers and live as long as the process. The last is the reference,
 * "nnapi-reference". BAD_DATA for an index that is too large. Since feature level 3.
 */
int ANeuralNetworks_getDeviceCount(uint32_t* numDevices);
int ANeuralNetworks_getDevice(uint32_t devIndex, ANeuralNetworksDevice** device);

/* What a device is; type is a DeviceTypeCode, featureLevel a FeatureLevelCode. The strings stay
 * valid. BAD_DATA for what is no device. Since feature level 3.
 */
int ANeuralNetworksDevice_getName(const ANeuralNetworksDevice* device, const char** name);
int ANeuralNetworksDevice_getType(const ANeuralNetworksDevice* device, int32_t* type);
int ANeuralNetworksDevice_getVersion(const ANeuralNetworksDevice* device, const char** version);
int ANeuralNetworksDevice_getFeatureLevel(const ANeuralNetworksDevice* device,
                                          int64_t* featureLevel);

/* Returns when the device can be used, or with its error. Since feature level 4. */
int ANeuralNetworksDevice_wait(const ANeuralNetworksDevice* device);

/* ---- memory */

/* size bytes of a file from an offset, a multiple of the page size. protect: PROT_READ, PROT_WRITE
 * or both, of <sys/mman.h>. The descriptor is duplicated.
 */
int ANeuralNetworksMemory_createFromFd(size_t size, int protect, int fd, size_t offset,
                                       ANeuralNetworksMemory** memory);

/* BAD_DATA: there are no such buffers outside of Android. Since feature level 3. */
int ANeuralNetworksMemory_createFromAHardwareBuffer(const AHardwareBuffer* ahwb,
                                                    ANeuralNetworksMemory** memory);

void ANeuralNetworksMemory_free(ANeuralNetworksMemory* memory);

/* Describes a memory by the inputs and outputs that it will be, its roles. frequency, above 0 and
 * at most 1, is how likely it is used so. All roles have one type, and dimensions that agree; a
 * role is added once. BAD_DATA also for a compilation that is not finished. Since feature level 4.
 */
int ANeuralNetworksMemoryDesc_create(ANeuralNetworksMemoryDesc** desc);
void ANeuralNetworksMemoryDesc_free(ANeuralNetworksMemoryDesc* desc);
int ANeuralNetworksMemoryDesc_addInputRole(ANeuralNetworksMemoryDesc* desc,
                                           const ANeuralNetworksCompilation* compilation,
                                           uint32_t index, float frequency);
int ANeuralNetworksMemoryDesc_addOutputRole(ANeuralNetworksMemoryDesc* desc,
                                            const ANeuralNetworksCompilation* compilation,
                                            uint32_t index, float frequency);

/* BAD_DATA where they do not fit those of the roles, or earlier ones. */
int ANeuralNetworksMemoryDesc_setDimensions(ANeuralNetworksMemoryDesc* desc, uint32_t rank,
                                            const uint32_t* dimensions);

/* BAD_DATA without a role. Afterwards everything that changes it is BAD_STATE. */
int ANeuralNetworksMemoryDesc_finish(ANeuralNetworksMemoryDesc* desc);

/* A memory of the device that has all the roles, or else, where no role's compilation names its
 * devices, memory of this machine. It is used in its roles alone, with offset and length 0, and as
 * an input once it has a value. OP_FAILED where there is none to be had. Since feature level 4.
 */
int ANeuralNetworksMemory_createFromDesc(const ANeuralNetworksMemoryDesc* desc,
                                         ANeuralNetworksMemory** memory);

/* BAD_DATA where the source has no value or the two do not fit one another. Since feature level 4.
 */
int ANeuralNetworksMemory_copy(const ANeuralNetworksMemory* src, const ANeuralNetworksMemory* dst);

/* ---- models */

int ANeuralNetworksModel_create(ANeuralNetworksModel** model);
void ANeuralNetworksModel_free(ANeuralNetworksModel* model);

/* The model is complete: it is checked, and from here on everything that changes it is BAD_STATE.
 * BAD_DATA for a model that is not legal, which can only be freed.
 */
int ANeuralNetworksModel_finish(ANeuralNetworksModel* model);

/* Operands are numbered from 0. */
int ANeuralNetworksModel_addOperand(ANeuralNetworksModel* model,
                                    const ANeuralNetworksOperandType* type);

/* A constant; null and 0 leave out an optional operand. Values of more than
 * ANEURALNETWORKS_MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES bytes are copied when the model is
 * finished, and must stay unchanged until then.
 */
int ANeuralNetworksModel_setOperandValue(ANeuralNetworksModel* model, int32_t index,
                                         const void* buffer, size_t length);
int ANeuralNetworksModel_setOperandValueFromMemory(ANeuralNetworksModel* model, int32_t index,
                                                   const ANeuralNetworksMemory* memory,
                                                   size_t offset, size_t length);

/* For IF and WHILE; BAD_STATE for a value that is not finished. Since feature level 4. */
int ANeuralNetworksModel_setOperandValueFromModel(ANeuralNetworksModel* model, int32_t index,
                                                  const ANeuralNetworksModel* value);

/* Since feature level 3. */
int ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(
        ANeuralNetworksModel* model, int32_t index,
        const ANeuralNetworksSymmPerChannelQuantParams* channelQuant);

/* The operands are checked at once, with the values that are set already. */
int ANeuralNetworksModel_addOperation(ANeuralNetworksModel* model,
                                      ANeuralNetworksOperationType type, uint32_t inputCount,
                                      const uint32_t* inputs, uint32_t outputCount,
                                      const uint32_t* outputs);
int ANeuralNetworksModel_identifyInputsAndOutputs(ANeuralNetworksModel* model, uint32_t inputCount,
                                                  const uint32_t* inputs, uint32_t outputCount,
                                                  const uint32_t* outputs);

/* May 32-bit floats be computed with the precision of 16 bits? Since feature level 2. */
int ANeuralNetworksModel_relaxComputationFloat32toFloat16(ANeuralNetworksModel* model, bool allow);

/* For each operation, in the order in which they were added: does one of the devices support it?
 * Since feature level 3.
 */
int ANeuralNetworksModel_getSupportedOperationsForDevices(
        const ANeuralNetworksModel* model, const ANeuralNetworksDevice* const* devices,
        uint32_t numDevices, bool* supportedOps);

/* ---- compilations */

/* For all devices, and with a fallback to the reference. BAD_STATE for a model that is not
 * finished.
 */
int ANeuralNetworksCompilation_create(ANeuralNetworksModel* model,
                                      ANeuralNetworksCompilation** compilation);

/* For these devices and no other. Since feature level 3. */
int ANeuralNetworksCompilation_createForDevices(ANeuralNetworksModel* model,
                                                const ANeuralNetworksDevice* const* devices,
                                                uint32_t numDevices,
                                                ANeuralNetworksCompilation** compilation);
void ANeuralNetworksCompilation_free(ANeuralNetworksCompilation* compilation);

/* A PreferenceCode. */
int ANeuralNetworksCompilation_setPreference(ANeuralNetworksCompilation* compilation,
                                             int32_t preference);

/* A PriorityCode. Since feature level 4. */
int ANeuralNetworksCompilation_setPriority(ANeuralNetworksCompilation* compilation, int priority);

/* How long finishing may take, in nanoseconds; 0 is no limit. BAD_DATA unless the compilation was
 * made for one device. Since feature level 4.
 */
int ANeuralNetworksCompilation_setTimeout(ANeuralNetworksCompilation* compilation,
                                          uint64_t duration);

/* Keeps what drivers have compiled in files of a folder. The token, of
 * ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN bytes, names the model there. Since feature level 3.
 */
int ANeuralNetworksCompilation_setCaching(ANeuralNetworksCompilation* compilation,
                                          const char* cacheDir, const uint8_t* token);

/* BAD_STATE the second time. */
int ANeuralNetworksCompilation_finish(ANeuralNetworksCompilation* compilation);

/* To what the buffer of an input or an output is best aligned and padded, in bytes, a power of two.
 * BAD_STATE for a compilation that is not finished. Since feature level 5.
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

/* BAD_STATE for a compilation that is not finished. */
int ANeuralNetworksExecution_create(ANeuralNetworksCompilation* compilation,
                                    ANeuralNetworksExecution** execution);

/* While it computes, the buffers of its arguments must stay. */
void ANeuralNetworksExecution_free(ANeuralNetworksExecution* execution);

/* Arguments, each set once, before the first start. type, which may be null, gives the dimensions
 * that the model leaves open. null and 0 leave out an optional input or output. From level 5 on a
 * length may be more than is needed, see enableInputAndOutputPadding.
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

/* Both BAD_DATA unless the compilation was made for one device. A duration in nanoseconds; 0 is no
 * limit. Since feature levels 3 and 4.
 */
int ANeuralNetworksExecution_setMeasureTiming(ANeuralNetworksExecution* execution, bool measure);
int ANeuralNetworksExecution_setTimeout(ANeuralNetworksExecution* execution, uint64_t duration);

/* For each WHILE; more than the maximum counts as the maximum. Since feature level 4. */
int ANeuralNetworksExecution_setLoopTimeout(ANeuralNetworksExecution* execution, uint64_t duration);

/* Allows buffers that are longer than needed. BAD_STATE once an argument is set. Since feature
 * level 5.
 */
int ANeuralNetworksExecution_enableInputAndOutputPadding(ANeuralNetworksExecution* execution,
                                                         bool enable);

/* Allows to start it again once it has completed. Since feature level 5. */
int ANeuralNetworksExecution_setReusable(ANeuralNetworksExecution* execution, bool reusable);

/* Computes, and returns when that is done. BAD_STATE while it computes already, and the second time
 * unless it is reusable. BAD_DATA where an argument is not set. Since feature level 3.
 */
int ANeuralNetworksExecution_compute(ANeuralNetworksExecution* execution);

/* The same in another thread; the event says when it is done. */
int ANeuralNetworksExecution_startCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksEvent** event);

/* The same when all other events have come. duration, in nanoseconds, limits the time from then on,
 * 0 does not. BAD_DATA where the size of an output is not known beforehand. Since feature level 4.
 */
int ANeuralNetworksExecution_startComputeWithDependencies(
        ANeuralNetworksExecution* execution, const ANeuralNetworksEvent* const* dependencies,
        uint32_t num_dependencies, uint64_t duration, ANeuralNetworksEvent** event);

/* What came out: BAD_STATE before the execution has completed, and where it has failed; but
 * OUTPUT_INSUFFICIENT_SIZE, with the rank or dimensions that it would have needed, where the buffer
 * of this output was too small. Since feature level 3.
 */
int ANeuralNetworksExecution_getOutputOperandRank(ANeuralNetworksExecution* execution,
                                                  int32_t index, uint32_t* rank);
int ANeuralNetworksExecution_getOutputOperandDimensions(ANeuralNetworksExecution* execution,
                                                        int32_t index, uint32_t* dimensions);

/* In nanoseconds; UINT64_MAX where the device did not tell. durationCode: a DurationCode. Since
 * feature level 3.
 */
int ANeuralNetworksExecution_getDuration(const ANeuralNetworksExecution* execution,
                                         int32_t durationCode, uint64_t* duration);

/* ---- events */

/* Returns when the execution is done, with its code; any number of times. */
int ANeuralNetworksEvent_wait(ANeuralNetworksEvent* event);

/* Waits first. */
void ANeuralNetworksEvent_free(ANeuralNetworksEvent* event);

/* Of a file descriptor that becomes readable, which is duplicated. BAD_DATA for 0 and what is
 * below. Since feature level 4.
 */
int ANeuralNetworksEvent_createFromSyncFenceFd(int sync_fence_fd, ANeuralNetworksEvent** event);

/* A descriptor of its own for the caller; BAD_DATA and -1 for an event without one. Since feature
 * level 4.
 */
int ANeuralNetworksEvent_getSyncFenceFd(const ANeuralNetworksEvent* event, int* sync_fence_fd);

/* ---- bursts: executions one after the other */

/* Since feature level 3. */
int ANeuralNetworksBurst_create(ANeuralNetworksCompilation* compilation,
                                ANeuralNetworksBurst** burst);
void ANeuralNetworksBurst_free(ANeuralNetworksBurst* burst);

/* As compute. BAD_DATA where the two are of different compilations, BAD_STATE while the burst has
 * another one. Since feature level 3.
 */
int ANeuralNetworksExecution_burstCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksBurst* burst);

#ifdef __cplusplus
}
#endif

#endif /* NNAPI_C_NEURAL_NETWORKS_H */
