// nnapi/hal/aidl/interfaces.h -- Driver interfaces of AIDL, as aidl generates them; see
// nnapi/hal/aidl/types.h.
#pragma once

#include <aidl/android/hardware/neuralnetworks/BnBuffer.h>
#include <aidl/android/hardware/neuralnetworks/BnBurst.h>
#include <aidl/android/hardware/neuralnetworks/BnDevice.h>
#include <aidl/android/hardware/neuralnetworks/BnExecution.h>
#include <aidl/android/hardware/neuralnetworks/BnFencedExecutionCallback.h>
#include <aidl/android/hardware/neuralnetworks/BnPreparedModel.h>
#include <aidl/android/hardware/neuralnetworks/BnPreparedModelCallback.h>

#include "nnapi/hal/aidl/binder.h"
#include "nnapi/hal/aidl/types.h"

namespace nn::hal {

template <class Interface>
struct GeneratedObject;
#define NNAPI_OBJECT_OF(Name)                   \
    template <>                                 \
    struct GeneratedObject<aidl_hal::I##Name> { \
        using Base = aidl_hal::Bn##Name;        \
    };
NNAPI_OBJECT_OF(Buffer)
NNAPI_OBJECT_OF(Burst)
NNAPI_OBJECT_OF(Device)
NNAPI_OBJECT_OF(Execution)
NNAPI_OBJECT_OF(FencedExecutionCallback)
NNAPI_OBJECT_OF(PreparedModel)
NNAPI_OBJECT_OF(PreparedModelCallback)
#undef NNAPI_OBJECT_OF

// Base of objects of this library. All have the version of the headers.
template <class Interface>
class AidlObject : public GeneratedObject<Interface>::Base {
   public:
    static constexpr int32_t kOldest = Interface::version;

    explicit AidlObject(int32_t) {}
};

}  // namespace nn::hal
