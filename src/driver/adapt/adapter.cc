#include "driver/adapt/adapter.h"

#include <absl/algorithm/container.h>

#include "driver/adapt/default_executor.h"
#include "driver/wrap/result_checks.h"
#include "nnapi/slice.h"
#include "nnapi/validated_model.h"

namespace nn::hal::adapter {
namespace {

// An operand's type and dimensions only.
void appendOperand(const Model& model, uint32_t index, Model::Subgraph& signature,
                   std::vector<uint32_t>& indexes) {
    const Operand& operand = model.main.operands[index];
    indexes.push_back(static_cast<uint32_t>(signature.operands.size()));
    signature.operands.push_back({.type = operand.type, .dimensions = operand.dimensions});
}

}  // namespace

std::shared_ptr<const Model> signatureOf(const Model& model) {
    auto signature = std::make_shared<Model>();
    Model::Subgraph& main = signature->main;
    main.operands.reserve(model.main.inputIndexes.size() + model.main.outputIndexes.size());
    for (const uint32_t index : model.main.inputIndexes) {
        appendOperand(model, index, main, main.inputIndexes);
    }
    for (const uint32_t index : model.main.outputIndexes) {
        appendOperand(model, index, main, main.outputIndexes);
    }
    return signature;
}

driver::SharedOutputSignatures outputsOf(const Model& model) {
    return std::make_shared<const std::vector<driver::OutputSignature>>(
            driver::outputSignatures(model));
}

GeneralResult<SharedPreparedModel> Preparation::on(const IDevice& device) const {
    return device.prepareModel(model, preference, priority, deadline, cache.model, cache.data,
                               cache.token, hints, extensionNameToPrefix);
}

GeneralResult<SharedPreparedModel> CachedPreparation::on(const IDevice& device) const {
    return device.prepareModelFromCache(deadline, cache.model, cache.data, cache.token);
}

GeneralResult<SharedBuffer> Allocation::on(const IDevice& device) const {
    return driver::checkedBuffer(device.allocate(desc, preparedModels, inputRoles, outputRoles));
}

namespace {

GeneralResult<std::vector<bool>> askForSupport(const IDevice& device, const Model& model) {
    auto isSupported = device.getSupportedOperations(model);
    if (!isSupported.has_value()) return isSupported;
    if (isSupported->size() != model.main.operations.size()) {
        return error() << "the device returned results for " << isSupported->size()
                       << " operations, allowed " << model.main.operations.size();
    }
    return isSupported;
}

}  // namespace

GeneralResult<std::vector<bool>> supportedOperations(const IDevice& device, const Model& model,
                                                     HalVersion version) {
    const Version level = device.getFeatureLevel();
    if (isCompliantVersion(toVersion(version), level)) return askForSupport(device, model);
    // Keeps the model alive for objects that refer to it.
    NNAPI_ASSIGN_OR_RETURN(checked, validateModel(std::shared_ptr<const Model>(
                                            std::shared_ptr<const Model>(), &model)));
    if (isCompliantVersion(checked.version(), level)) return askForSupport(device, model);
    const std::vector<bool> none(model.main.operations.size());
    const auto own = absl::c_find_if(
            kHalVersions, [&](HalVersion each) { return toVersion(each).level == level.level; });
    if (own == kHalVersions.end()) return none;
    NNAPI_ASSIGN_OR_RETURN(slice, sliceForVersion(checked, *own));
    if (slice.model.main.operations.empty()) return none;
    NNAPI_ASSIGN_OR_RETURN(ofSlice, askForSupport(device, slice.model));
    return slice.supportedOperations(ofSlice);
}

GeneralResult<std::pair<uint32_t, uint32_t>> numberOfCacheFiles(const IDevice& device) {
    const auto wanted = device.getNumberOfCacheFilesNeeded();
    const Status valid = validateNumberOfCacheFiles(wanted.first, wanted.second);
    if (!valid.ok()) return blameDevice(valid);
    return wanted;
}

GeneralResult<std::shared_ptr<Context>> makeContext(const SharedDevice& device,
                                                    AdaptOptions options) {
    if (device == nullptr) return error(ErrorStatus::INVALID_ARGUMENT) << "the device is null";
    return contain([&]() -> GeneralResult<std::shared_ptr<Context>> {
        auto context = std::make_shared<Context>();
        context->executor = options.executor ? std::move(options.executor)
                                             : defaultExecutor(options.numberOfThreads);
        context->onLoss = std::move(options.onLoss);
        context->log = std::move(options.log);
        context->burstPollingTimeWindow = options.burstPollingTimeWindow;
        return context;
    });
}

}  // namespace nn::hal::adapter
