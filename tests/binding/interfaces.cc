// The definitions that hidl-gen generates in DeviceAll.cpp and similar files, for objects of this
// process: descriptors, casts, and methods of IBase, without proxies.
#include <android/hardware/neuralnetworks/1.0/IDevice.h>
#include <android/hardware/neuralnetworks/1.1/IDevice.h>
#include <android/hardware/neuralnetworks/1.2/IDevice.h>
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace android {

using hardware::hidl_handle;
using hardware::hidl_string;
using hardware::hidl_vec;
using hardware::Return;
using hardware::Void;
using hidl::base::V1_0::DebugInfo;
using hidl::base::V1_0::IBase;

namespace {

template <class Interface>
Return<sp<Interface>> castTo(const sp<IBase>& object) {
    bool isThere = false;
    if (object == nullptr) return sp<Interface>();
    (void)
            object->interfaceChain([&](const hidl_vec<hidl_string>& descriptors) {
                      isThere = descriptors.contains(Interface::descriptor);
                  }).isOk();
    return isThere ? sp<Interface>(static_cast<Interface*>(object.get())) : sp<Interface>();
}

}  // namespace

namespace hidl::base::V1_0 {

const char* IBase::descriptor = "android.hidl.base@1.0::IBase";

Return<void> IBase::interfaceChain(interfaceChain_cb callback) {
    callback({descriptor});
    return Void();
}
Return<void> IBase::interfaceDescriptor(interfaceDescriptor_cb callback) {
    callback(descriptor);
    return Void();
}
Return<void> IBase::debug(const hidl_handle&, const hidl_vec<hidl_string>&) { return Void(); }
Return<void> IBase::getHashChain(getHashChain_cb callback) {
    callback({});
    return Void();
}
Return<void> IBase::setHALInstrumentation() { return Void(); }
Return<bool> IBase::linkToDeath(const sp<hardware::hidl_death_recipient>& recipient, uint64_t) {
    return recipient != nullptr;
}
Return<void> IBase::ping() { return Void(); }
Return<void> IBase::getDebugInfo(getDebugInfo_cb callback) {
    callback(DebugInfo{.pid = getpid(), .ptr = 0, .arch = DebugInfo::Architecture::UNKNOWN});
    return Void();
}
Return<void> IBase::notifySyspropsChanged() { return Void(); }
Return<bool> IBase::unlinkToDeath(const sp<hardware::hidl_death_recipient>& recipient) {
    return recipient != nullptr;
}

}  // namespace hidl::base::V1_0

namespace hardware::neuralnetworks {

#define CAST(V, Name, From)                                               \
    Return<sp<V::Name>> V::Name::castFrom(const sp<From>& object, bool) { \
        return castTo<V::Name>(object);                                   \
    }

#define INTERFACE(V, text, Name, Parent)                                                       \
    const char* V::Name::descriptor = "android.hardware.neuralnetworks@" text "::" #Name;      \
    Return<void> V::Name::interfaceChain(interfaceChain_cb callback) {                         \
        return Parent::interfaceChain([&](const hidl_vec<hidl_string>& older) {                \
            std::vector<hidl_string> all = {descriptor};                                       \
            all.insert(all.end(), older.begin(), older.end());                                 \
            callback(all);                                                                     \
        });                                                                                    \
    }                                                                                          \
    Return<void> V::Name::interfaceDescriptor(interfaceDescriptor_cb callback) {               \
        callback(descriptor);                                                                  \
        return Void();                                                                         \
    }                                                                                          \
    Return<void> V::Name::debug(const hidl_handle& to, const hidl_vec<hidl_string>& options) { \
        return Parent::debug(to, options);                                                     \
    }                                                                                          \
    Return<void> V::Name::getHashChain(getHashChain_cb callback) {                             \
        return Parent::getHashChain(callback);                                                 \
    }                                                                                          \
    Return<void> V::Name::setHALInstrumentation() { return Void(); }                           \
    Return<bool> V::Name::linkToDeath(const sp<hidl_death_recipient>& recipient,               \
                                      uint64_t cookie) {                                       \
        return Parent::linkToDeath(recipient, cookie);                                         \
    }                                                                                          \
    Return<void> V::Name::ping() { return Void(); }                                            \
    Return<void> V::Name::getDebugInfo(getDebugInfo_cb callback) {                             \
        return Parent::getDebugInfo(callback);                                                 \
    }                                                                                          \
    Return<void> V::Name::notifySyspropsChanged() { return Void(); }                           \
    Return<bool> V::Name::unlinkToDeath(const sp<hidl_death_recipient>& recipient) {           \
        return Parent::unlinkToDeath(recipient);                                               \
    }                                                                                          \
    CAST(V, Name, V::Name)                                                                     \
    CAST(V, Name, IBase)

INTERFACE(V1_0, "1.0", IDevice, IBase)
INTERFACE(V1_0, "1.0", IExecutionCallback, IBase)
INTERFACE(V1_0, "1.0", IPreparedModel, IBase)
INTERFACE(V1_0, "1.0", IPreparedModelCallback, IBase)

INTERFACE(V1_1, "1.1", IDevice, V1_0::IDevice)
CAST(V1_1, IDevice, V1_0::IDevice)

INTERFACE(V1_2, "1.2", IBurstCallback, IBase)
INTERFACE(V1_2, "1.2", IBurstContext, IBase)
INTERFACE(V1_2, "1.2", IDevice, V1_1::IDevice)
CAST(V1_2, IDevice, V1_0::IDevice)
CAST(V1_2, IDevice, V1_1::IDevice)
INTERFACE(V1_2, "1.2", IExecutionCallback, V1_0::IExecutionCallback)
CAST(V1_2, IExecutionCallback, V1_0::IExecutionCallback)
INTERFACE(V1_2, "1.2", IPreparedModel, V1_0::IPreparedModel)
CAST(V1_2, IPreparedModel, V1_0::IPreparedModel)
INTERFACE(V1_2, "1.2", IPreparedModelCallback, V1_0::IPreparedModelCallback)
CAST(V1_2, IPreparedModelCallback, V1_0::IPreparedModelCallback)

INTERFACE(V1_3, "1.3", IBuffer, IBase)
INTERFACE(V1_3, "1.3", IDevice, V1_2::IDevice)
CAST(V1_3, IDevice, V1_0::IDevice)
CAST(V1_3, IDevice, V1_1::IDevice)
CAST(V1_3, IDevice, V1_2::IDevice)
INTERFACE(V1_3, "1.3", IExecutionCallback, V1_2::IExecutionCallback)
CAST(V1_3, IExecutionCallback, V1_0::IExecutionCallback)
CAST(V1_3, IExecutionCallback, V1_2::IExecutionCallback)
INTERFACE(V1_3, "1.3", IFencedExecutionCallback, IBase)
INTERFACE(V1_3, "1.3", IPreparedModel, V1_2::IPreparedModel)
CAST(V1_3, IPreparedModel, V1_0::IPreparedModel)
CAST(V1_3, IPreparedModel, V1_2::IPreparedModel)
INTERFACE(V1_3, "1.3", IPreparedModelCallback, V1_2::IPreparedModelCallback)
CAST(V1_3, IPreparedModelCallback, V1_0::IPreparedModelCallback)
CAST(V1_3, IPreparedModelCallback, V1_2::IPreparedModelCallback)

}  // namespace hardware::neuralnetworks
}  // namespace android
