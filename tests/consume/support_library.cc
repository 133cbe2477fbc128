#include "nnapi/driver/export_support_library.h"

#include "nnapi/c/NeuralNetworksSupportLibraryImpl.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/support_library.h"
#include "relu.h"

using namespace nn;

NNAPI_EXPORT_SUPPORT_LIBRARY("npu", [] { return referenceDevice({.name = "npu"}); })

int main() {
    const auto devices = wrapSupportLibrary(ANeuralNetworks_getSLDriverImpl(), "npu");
    if (!devices.has_value()) return 1;
    const GeneralResult<SharedPreparedModel> prepared = devices->front()->prepareModel(
            relu(), ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    return devices->front()->getName() == "npu" && prepared.has_value() ? 0 : 1;
}
