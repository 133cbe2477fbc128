// Names of parts from which drivers and clients of Android 12 and newer are built.
#include "names.h"

#include <ActivationFunctor.h>
#include <ControlFlow.h>
#include <DefaultExecution.h>
#include <NeuralNetworksWrapper.h>
#include <OperationResolver.h>
#include <OperationsExecutionUtils.h>
#include <OperationsValidationUtils.h>
#include <android-base/logging.h>

namespace {

using namespace android::nn;

NAME("OperationResolver.h, OperationsValidationUtils.h, OperationsExecutionUtils.h",
     "IOperationResolver, BuiltinOperationResolver, OperationRegistration, "
     "IOperationValidationContext, IOperationExecutionContext",
     "a registration validates; it neither prepares nor executes", {
         const IOperationResolver* const resolver = BuiltinOperationResolver::get();
         const OperationRegistration* const add = resolver->findOperation(OperationType::ADD);
         const IOperationValidationContext* context = nullptr;
         IOperationExecutionContext* executed = nullptr;
         if (add->validate(context).has_value() && add->execute != nullptr) add->execute(executed);
     })
TESTED("ExecutionBurstController.h, ExecutionBurstServer.h",
       "RequestChannelSender, RequestChannelReceiver, ResultChannelSender, ResultChannelReceiver, "
       "ExecutionBurstController::ExecutionBurstCallback, legacyConvertResultCodeToErrorStatus",
       "");
NAME("DefaultExecution.h, ControlFlow.h, ActivationFunctor.h",
     "DefaultExecution, operation_if::kCondBoolOperand and its like, "
     "operation_while::kTimeoutNsDefault, kTimeoutNsMaximum, ActivationFunctor",
     "", {
         const DefaultExecution execution(nullptr, {}, MeasureTiming::NO, {});
         static_assert(operation_if::kCondBoolOperand < operation_while::kTimeoutNsDefault);
         CHECK_EQ(ActivationFunctor(kActivationRelu)(-1.0f), 0.0f);
     })
TESTED("nnapi/hal/aidl/ProtectCallback.h", "DeathMonitor, DeathHandler::getDeathMonitor", "");
TESTED("nnapi/hal/aidl/Device.h, nnapi/hal/aidl/PreparedModel.h, nnapi/hal/aidl/Execution.h",
       "create with a Version; Execution::create with a RequestRelocation", "");
TESTED("NeuralNetworksShim.h, SupportLibrarySymbols.h",
       "ANeuralNetworksShimDeviceInfo_create, ANeuralNetworksShimRegistrationParams_create and its "
       "like, ANeuralNetworksShim_registerSupportLibraryService, ANeuralNetworks_getSLDriverImpl",
       "lazy services are as others");
NAME("NeuralNetworksWrapper.h",
     "android::nn::wrapper: Model, Compilation, Execution, Memory, Event, OperandType, Type, "
     "Result, ExecutePreference, ExecutePriority, SymmPerChannelQuantParams",
     "a model that failed keeps failing; no extensions (ExtensionModel and its like)", {
         wrapper::Model model;
         const wrapper::OperandType type(wrapper::Type::TENSOR_FLOAT32, {2});
         (void)model.addOperand(&type);
         CHECK(model.finish() == wrapper::Result::BAD_STATE);
     })

}  // namespace
