#include "nnapi/driver/interfaces.h"

#include "nnapi/driver/adapt.h"
#include "nnapi/driver/blob_store.h"
#include "nnapi/driver/burst.h"
#include "nnapi/driver/cache.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/driver/compilation_cache.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/default_execution.h"
#include "nnapi/driver/default_prepared_model.h"
#include "nnapi/driver/device_buffers.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/invalid.h"
#include "nnapi/driver/plugin.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/resilient.h"
#include "nnapi/driver/result.h"
#include "nnapi/driver/sample.h"
#include "nnapi/driver/support_library.h"
#include "nnapi/driver/trace.h"
#include "nnapi/driver/type_manager.h"
#include "nnapi/driver/vlog.h"
#include "nnapi/driver/wrap.h"
#include "relu.h"

using namespace nn;

int main() {
    const auto device = hal::utils::ResilientDevice::create([](bool) { return referenceDevice(); },
                                                            {.wrapResults = true})
                                .value();
    const GeneralResult<SharedPreparedModel> prepared = device->prepareModel(
            relu(), ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    const DefaultExecution execution(prepared.value(), {}, MeasureTiming::NO, {});
    const hal::utils::InvalidExecution invalid("there is no driver");
    const auto compiled = CompilationCache("no folder")
                                  .prepare(*device, relu(), ExecutionPreference::DEFAULT,
                                           Priority::DEFAULT, {}, {});
    if (!compiled.has_value() || compiled->isFromCache || !CacheKey::random().ok()) return 1;
    DeviceRegistry registry;
    registerSampleDevices(registry);
    return registry.open("nnapi-sample_quant@1.2").has_value() &&
                           execution.compute({}).error().code == ErrorStatus::INVALID_ARGUMENT &&
                           invalid.compute({}).error().message == "there is no driver"
                   ? 0
                   : 1;
}
