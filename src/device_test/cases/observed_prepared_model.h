// A base for the prepared models of an observed device, which wrap the device's own ones. A case
// about the life of a prepared model uses the device's own one.
#pragma once

#include <memory>

#include "driver/memory/call_objects.h"

namespace nn::testing {

class ObservedPreparedModel : public driver::ForwardingCallPreparedModel {
   public:
    using ForwardingCallPreparedModel::ForwardingCallPreparedModel;
};

// Shows whether the device's own prepared model still exists.
inline std::weak_ptr<const IPreparedModel> lifeOf(const SharedPreparedModel& prepared) {
    return innerOf<ObservedPreparedModel>(prepared);
}

}  // namespace nn::testing
