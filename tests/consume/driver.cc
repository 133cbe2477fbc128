#include "nnapi/driver/interfaces.h"

#include "nnapi/driver/default_execution.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/result.h"
#include "relu.h"

using namespace nn;

int main() {
    const SharedDevice device = referenceDevice();
    const GeneralResult<SharedPreparedModel> prepared = device->prepareModel(
            relu(), ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    const DefaultExecution execution(prepared.value(), {}, MeasureTiming::NO, {});
    return execution.compute({}).error().code == ErrorStatus::INVALID_ARGUMENT ? 0 : 1;
}
