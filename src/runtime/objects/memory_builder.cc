#include "runtime/objects/memory_builder.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>

#include "driver/wrap/result_checks.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "runtime/objects/operand_types.h"
#include "runtime/plan/exception_guard.h"

namespace nn::runtime {
namespace {

ApiStatus checkSame(const Operand& known, const Operand& operand) {
    if (known.type == operand.type && known.scale == operand.scale &&
        known.zeroPoint == operand.zeroPoint && known.extraParams == operand.extraParams) {
        return {};
    }
    return badData("the operand of a role differs from that of an earlier one");
}

// The arguments of IDevice::allocate for one device.
struct DeviceRoles {
    SharedDevice device{};
    std::vector<SharedPreparedModel> preparedModels{};
    std::vector<BufferRole> inputs{};
    std::vector<BufferRole> outputs{};

    // False if the role is on another device.
    bool add(const StepRole& role, float frequency) {
        if (role.device == nullptr || role.preparedModel == nullptr) return false;
        if (device != nullptr && device != role.device) return false;
        device = role.device;
        const auto known = absl::c_find(preparedModels, role.preparedModel);
        const auto index = static_cast<uint32_t>(known - preparedModels.begin());
        if (known == preparedModels.end()) preparedModels.push_back(role.preparedModel);
        (role.isInput ? inputs : outputs)
                .push_back(
                        {.modelIndex = index, .ioIndex = role.ioIndex, .probability = frequency});
        return true;
    }
};

GeneralResult<SharedBuffer> allocateOnDevice(const MemoryDescription& description) {
    DeviceRoles roles;
    for (const MemoryRole& role : description.roles) {
        const auto steps = role.compiled->plan->rolesOf({role.index, role.isInput});
        const bool isOfOne = !steps.empty() && absl::c_all_of(steps, [&](const StepRole& step) {
            return roles.add(step, role.frequency);
        });
        if (!isOfOne) return error() << "the roles are not all of one device";
    }
    return guardObject<const IBuffer>("allocate", [&] {
        return driver::checkedBuffer(
                roles.device->allocate({.dimensions = description.operand.dimensions},
                                       roles.preparedModels, roles.inputs, roles.outputs));
    });
}

}  // namespace

ApiStatus MemoryBuilder::checkOpenLocked() const {
    return mIsFinished ? badState("the description is finished") : ApiStatus();
}

ApiStatus MemoryBuilder::checkOpen() const {
    const std::lock_guard lock(mMutex);
    return checkOpenLocked();
}

ApiStatus MemoryBuilder::addRole(std::shared_ptr<const Compiled> compiled, uint32_t index,
                                 bool isInput, float frequency) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpenLocked());
    if (absl::c_any_of(mDescription.roles, [&](const MemoryRole& role) {
            return role.isSame(compiled.get(), index, isInput);
        })) {
        return badData("the role is there already");
    }
    const size_t count = compiled->model->indexes(isInput).size();
    if (index >= count) {
        return badData(fmt::format("there is no {} {}, but {}", isInput ? "input" : "output", index,
                                   count));
    }
    const Operand& operand = compiled->model->operand(index, isInput);
    if (!mDescription.roles.empty()) {
        NNAPI_API_RETURN_IF_ERROR(checkSame(mDescription.operand, operand));
    }
    if (!isTensor(operand.type) && !mDimensions.empty()) {
        return badData("a scalar has no dimensions");
    }
    const auto dimensions = combineDimensions(
            mDescription.roles.empty() ? mDimensions : mDescription.operand.dimensions,
            operand.dimensions);
    if (!dimensions) return badData("the dimensions contradict those of earlier roles");
    if (!(frequency > 0.0f && frequency <= 1.0f)) {
        return badData(fmt::format("the frequency is {}, allowed above 0 and up to 1", frequency));
    }
    if (mDescription.roles.empty()) mDescription.operand = operand;
    mDescription.operand.dimensions = *dimensions;
    mDescription.roles.push_back({.compiled = std::move(compiled),
                                  .index = index,
                                  .isInput = isInput,
                                  .frequency = frequency});
    return {};
}

ApiStatus MemoryBuilder::setDimensions(uint32_t rank, const uint32_t* dimensions) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpenLocked());
    Dimensions read;
    NNAPI_API_RETURN_IF_ERROR(readDimensions(rank, dimensions, read));
    const bool hasRoles = !mDescription.roles.empty();
    if (hasRoles && !isTensor(mDescription.operand.type) && !read.empty()) {
        return badData("a scalar has no dimensions");
    }
    Dimensions& known = hasRoles ? mDescription.operand.dimensions : mDimensions;
    const auto combined = combineDimensions(known, read);
    if (!combined) {
        return badData(fmt::format("dimensions are {}, but {} already", print(read), print(known)));
    }
    known = *combined;
    return {};
}

ApiStatus MemoryBuilder::finish() {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpenLocked());
    if (mDescription.roles.empty()) return badData("the description has no role");
    mIsFinished = true;
    return {};
}

ApiStatus MemoryBuilder::allocate(std::shared_ptr<ApiMemory>& memory) const {
    MemoryDescription description;
    {
        const std::lock_guard lock(mMutex);
        if (!mIsFinished) return badState("the description is not finished");
        description = mDescription;
    }
    auto buffer = allocateOnDevice(description);
    if (buffer.has_value()) {
        memory = std::make_shared<ApiMemory>(*std::move(buffer), std::move(description));
        return {};
    }
    const bool isExplicit = absl::c_any_of(
            description.roles, [](const MemoryRole& role) { return role.compiled->isExplicit; });
    const auto bytes = bytesOf(description.operand.type, description.operand.dimensions);
    if (isExplicit || !bytes) {
        return {ANEURALNETWORKS_OP_FAILED,
                fmt::format("the device has no memory for it: {}", buffer.error().message)};
    }
    auto shared = createSharedMemory(*bytes);
    if (!shared.ok()) return shared.status();
    memory = std::make_shared<ApiMemory>(*std::move(shared), std::move(description));
    return {};
}

}  // namespace nn::runtime
