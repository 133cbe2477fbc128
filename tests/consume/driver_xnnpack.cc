#include "nnapi/driver/xnnpack.h"

#include "relu.h"

using namespace nn;

int main() {
    const Result<DeviceSupport> support = xnnpackSupport(relu());
    const GeneralResult<SharedPreparedModel> prepared = xnnpackDevice()->prepareModel(
            relu(), ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    return support.ok() && support->all() && prepared.has_value() ? 0 : 1;
}
