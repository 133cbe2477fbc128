// A base for what a runner puts around the prepared models of a device that it observes. A case
// about the life of a prepared model looks at the device's own one.
#pragma once

#include <memory>

#include "nnapi/driver/forwarding.h"

namespace nn::testing {

class ObservedPreparedModel : public ForwardingPreparedModel {
   public:
    using ForwardingPreparedModel::ForwardingPreparedModel;
};

// Says whether the device's own prepared model still exists.
inline std::weak_ptr<const IPreparedModel> lifeOf(const SharedPreparedModel& prepared) {
    return innerOf<ObservedPreparedModel>(prepared);
}

}  // namespace nn::testing
