#include "nnapi/types.h"

#include "nnapi/checked_math.h"
#include "nnapi/enumerations.h"
#include "nnapi/extension_operations.h"
#include "nnapi/fields.h"
#include "nnapi/forward.h"
#include "nnapi/graph_dump.h"
#include "nnapi/hal/aidl/clone.h"
#include "nnapi/hal/hidl/message_queue.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi/half.h"
#include "nnapi/kinds.h"
#include "nnapi/limits.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "nnapi/result.h"
#include "nnapi/stop_condition.h"
#include "nnapi/subgraph_builder.h"
#include "nnapi/tensor.h"
#include "nnapi/type_utils.h"
#include "nnapi/unique_fd.h"
#include "nnapi/version.h"

using namespace nn;

int main() {
    const Result<SharedMemory> memory = createSharedMemory(8);
    const Result<Mapping> mapping = map(memory.value());
    return mapping->size() == 8 && !clone(aidl_hal::Memory()).ok() && !graphDump(Model{}).empty() &&
                           !print(Model{}).empty() && !limitInfos().empty() &&
                           halfToFloat(0x3C00) == 1 && kinds::isOptional<OptionalDuration> &&
                           elementSize(OperandType::TENSOR_FLOAT32) == 4 &&
                           toString(kVersionFeatureLevel3) == "HAL 1.2"
                   ? 0
                   : 1;
}
