#include <absl/algorithm/container.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "nnapi/hal/hidl/memory.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn {
namespace hidl {

std::string Status::description() const {
    if (isOk()) return "no error";
    if (mTransaction == DEAD_OBJECT) return "dead object";
    std::string text = mException == EX_TRANSACTION_FAILED
                               ? "transaction failed with status " + std::to_string(mTransaction)
                               : "exception " + std::to_string(mException);
    if (!mMessage.empty()) text += ": " + mMessage;
    return text;
}

hidl_death_recipient::~hidl_death_recipient() = default;

IBase::~IBase() = default;

Return<void> IBase::interfaceChain(interfaceChain_cb callback) {
    callback({descriptor});
    return Void();
}

Return<void> IBase::interfaceDescriptor(interfaceDescriptor_cb callback) {
    callback(descriptor);
    return Void();
}

Return<void> IBase::ping() { return Void(); }

Return<void> IBase::debug(const hidl_handle&, const hidl_vec<hidl_string>&) { return Void(); }

Return<void> IBase::getDebugInfo(getDebugInfo_cb callback) {
    using Architecture = DebugInfo::Architecture;
    callback({.pid = getpid(),
              .ptr = 0,
              .arch = sizeof(void*) == 8 ? Architecture::IS_64BIT : Architecture::IS_32BIT});
    return Void();
}

Return<void> IBase::getHashChain(getHashChain_cb callback) {
    return interfaceChain([&](const hidl_vec<hidl_string>& descriptors) {
        callback(hidl_vec<hidl_array<uint8_t, 32>>(descriptors.size()));
    });
}

Return<void> IBase::notifySyspropsChanged() { return Void(); }

Return<void> IBase::setHALInstrumentation() { return Void(); }

Return<bool> IBase::linkToDeath(const sp<hidl_death_recipient>& recipient, uint64_t) {
    return recipient != nullptr;
}

Return<bool> IBase::unlinkToDeath(const sp<hidl_death_recipient>& recipient) {
    return recipient != nullptr;
}

bool hasInterface(IBase& object, std::string_view descriptor) {
    bool isThere = false;
    const auto result = object.interfaceChain([&](const hidl_vec<hidl_string>& descriptors) {
        isThere = absl::c_any_of(descriptors, [&](const hidl_string& each) {
            return std::string_view(each.c_str(), each.size()) == descriptor;
        });
    });
    return result.isOk() && isThere;
}

namespace {

// The descriptors of an interface and its base interfaces.
template <class Interface>
void addChain(std::vector<hidl_string>& chain) {
    chain.emplace_back(Interface::descriptor);
    if constexpr (!std::is_same_v<Interface, IBase>) addChain<typename Interface::Base>(chain);
}

template <class Interface>
hidl_vec<hidl_string> chainOf() {
    std::vector<hidl_string> chain;
    addChain<Interface>(chain);
    return chain;
}

}  // namespace

#define NNAPI_DEFINE_INTERFACE(Name)                                                \
    Name::~Name() = default;                                                        \
    hidl::Return<void> Name::interfaceChain(interfaceChain_cb callback) {           \
        callback(hidl::chainOf<Name>());                                            \
        return hidl::Void();                                                        \
    }                                                                               \
    hidl::Return<void> Name::interfaceDescriptor(interfaceDescriptor_cb callback) { \
        callback(descriptor);                                                       \
        return hidl::Void();                                                        \
    }

NNAPI_DEFINE_INTERFACE(IMemory)

}  // namespace hidl

namespace V1_0 {
NNAPI_DEFINE_INTERFACE(IExecutionCallback)
NNAPI_DEFINE_INTERFACE(IPreparedModelCallback)
NNAPI_DEFINE_INTERFACE(IPreparedModel)
NNAPI_DEFINE_INTERFACE(IDevice)
}  // namespace V1_0

namespace V1_1 {
NNAPI_DEFINE_INTERFACE(IDevice)
}  // namespace V1_1

namespace V1_2 {
NNAPI_DEFINE_INTERFACE(IExecutionCallback)
NNAPI_DEFINE_INTERFACE(IPreparedModelCallback)
NNAPI_DEFINE_INTERFACE(IBurstCallback)
NNAPI_DEFINE_INTERFACE(IBurstContext)
NNAPI_DEFINE_INTERFACE(IPreparedModel)
NNAPI_DEFINE_INTERFACE(IDevice)
}  // namespace V1_2

namespace V1_3 {
NNAPI_DEFINE_INTERFACE(IExecutionCallback)
NNAPI_DEFINE_INTERFACE(IPreparedModelCallback)
NNAPI_DEFINE_INTERFACE(IFencedExecutionCallback)
NNAPI_DEFINE_INTERFACE(IBuffer)
NNAPI_DEFINE_INTERFACE(IPreparedModel)
NNAPI_DEFINE_INTERFACE(IDevice)
}  // namespace V1_3

}  // namespace nn
