// nnapi/hal/hidl/base.h -- IBase, the base of all HIDL interfaces.
//
//   struct Watch : nn::hidl::hidl_death_recipient {
//       void serviceDied(uint64_t cookie, const nn::hidl::wp<nn::hidl::IBase>& who) override;
//   };
//
//   device->linkToDeath(watch, /*cookie=*/0);
//   nn::hidl::sp<nn::V1_3::IDevice> newer = nn::V1_3::IDevice::castFrom(device);   // null if older
//
// Methods may be called from any thread. An object in this process never dies, so links to its
// death are not stored; proxies of objects in other processes override these methods. Source:
// android.hidl.base@1.0.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "nnapi/hal/hidl.h"
#include "nnapi/hal/hidl/refs.h"
#include "nnapi/hal/hidl/return.h"

namespace nn::hidl {

class IBase;

// The process of an object.
struct DebugInfo {
    enum class Architecture : int32_t { UNKNOWN = 0, IS_64BIT = 1, IS_32BIT = 2 };
    int32_t pid = 0;
    uint64_t ptr = 0;
    Architecture arch = Architecture::UNKNOWN;
    bool operator==(const DebugInfo&) const = default;
};

// Notified once when the process of a linked object has ended, on any thread, possibly during a
// call to that object. It must not own the object.
class hidl_death_recipient : public virtual RefBase {
   public:
    ~hidl_death_recipient() override;
    virtual void serviceDied(uint64_t cookie, const wp<IBase>& who) = 0;
};

// A required callback or interface argument; see NNAPI_HIDL_INTERFACE.
class IBase : public virtual RefBase {
   public:
    static constexpr const char* descriptor = "android.hidl.base@1.0::IBase";
    using interfaceChain_cb = std::function<void(const hidl_vec<hidl_string>& descriptors)>;
    using interfaceDescriptor_cb = std::function<void(const hidl_string& descriptor)>;
    using getDebugInfo_cb = std::function<void(const DebugInfo& info)>;
    using getHashChain_cb = std::function<void(const hidl_vec<hidl_array<uint8_t, 32>>& hashes)>;

    ~IBase() override;

    // Descriptors of the interface and its bases, newest first.
    virtual Return<void> interfaceChain(interfaceChain_cb callback);
    virtual Return<void> interfaceDescriptor(interfaceDescriptor_cb callback);

    // Returns if the object can be called.
    virtual Return<void> ping();

    // Writes a description of the object to the first descriptor of the handle; by default nothing.
    virtual Return<void> debug(const hidl_handle& output, const hidl_vec<hidl_string>& options);
    virtual Return<void> getDebugInfo(getDebugInfo_cb callback);
    // One hash for each descriptor of the chain. These interfaces have no files to be hashed: all
    // bytes are 0, as for an interface that has not been released.
    virtual Return<void> getHashChain(getHashChain_cb callback);
    virtual Return<void> notifySyspropsChanged();
    virtual Return<void> setHALInstrumentation();

    // False if the recipient is null or links are not supported.
    virtual Return<bool> linkToDeath(const sp<hidl_death_recipient>& recipient, uint64_t cookie);
    virtual Return<bool> unlinkToDeath(const sp<hidl_death_recipient>& recipient);

    // True for a proxy of an object in another process.
    virtual bool isRemote() const { return false; }

    static Return<sp<IBase>> castFrom(const sp<IBase>& object, bool = false) { return object; }
};

// True if the object reports the interface in its chain.
bool hasInterface(IBase& object, std::string_view descriptor);

// Casts to a newer interface; null if the object does not report it. Needs no RTTI.
template <class Interface, std::derived_from<IBase> Object>
Return<sp<Interface>> castInterface(const sp<Object>& object) {
    if constexpr (std::derived_from<Object, Interface>) {
        return sp<Interface>(object);
    } else {
        if (object == nullptr || !hasInterface(*object, Interface::descriptor)) {
            return sp<Interface>();
        }
        return sp<Interface>(static_cast<Interface*>(object.get()));
    }
}

}  // namespace nn::hidl

// Members that every interface defines: descriptor, chain, checked cast, and the destructor, which
// the library defines.
#define NNAPI_HIDL_INTERFACE(Name, Parent, text)                                                   \
    static constexpr const char* descriptor = text;                                                \
    ~Name() override;                                                                              \
    ::nn::hidl::Return<void> interfaceChain(interfaceChain_cb callback) override;                  \
    ::nn::hidl::Return<void> interfaceDescriptor(interfaceDescriptor_cb callback) override;        \
    template <class Object>                                                                        \
    static ::nn::hidl::Return<::nn::hidl::sp<Name>> castFrom(const ::nn::hidl::sp<Object>& object, \
                                                             bool = false) {                       \
        return ::nn::hidl::castInterface<Name>(object);                                            \
    }                                                                                              \
    using Base = Parent;

// Members of interfaces that are services. Link nnapi::android, which defines them;
// android/include/common/hidl/ServiceManagement.h describes how a service is found. getService:
// null if there is none; with getStub, only one of this process. A shared object may define its own
// getService to return its device.
#define NNAPI_HIDL_SERVICE(Name)                                                          \
    static ::nn::hidl::sp<Name> getService(const std::string& serviceName = "default",    \
                                           bool getStub = false);                         \
    static ::nn::hidl::sp<Name> tryGetService(const std::string& serviceName = "default", \
                                              bool getStub = false) {                     \
        return getService(serviceName, getStub);                                          \
    }                                                                                     \
    ::nn::hidl::status_t registerAsService(const std::string& serviceName = "default");
