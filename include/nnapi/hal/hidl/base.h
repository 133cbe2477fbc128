// nnapi/hal/hidl/base.h -- what every HIDL interface has.
//
//   struct Watch : nn::hidl::hidl_death_recipient {
//       void serviceDied(uint64_t cookie, const nn::hidl::wp<nn::hidl::IBase>& who) override;
//   };
//   device->linkToDeath(watch, /*cookie=*/0);
//   nn::hidl::sp<nn::V1_3::IDevice> newer = nn::V1_3::IDevice::castFrom(device);   // null if older
//
// Methods are called from any thread. An object in this process never dies, so a link to it is kept
// nowhere; objects that stand for one in another process override what is defined here. Source:
// the interface android.hidl.base@1.0.
#pragma once

#include <concepts>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "nnapi/hal/hidl.h"
#include "nnapi/hal/hidl/refs.h"
#include "nnapi/hal/hidl/return.h"

namespace nn::hidl {

class IBase;

// Told when the process of an object that it is linked to has ended: once, from any thread, perhaps
// in the middle of a call to that object. It must not own the object.
class hidl_death_recipient : public virtual RefBase {
   public:
    ~hidl_death_recipient() override;
    virtual void serviceDied(uint64_t cookie, const wp<IBase>& who) = 0;
};

// A reference that a callback or an interface of this family must have; see NNAPI_HIDL_INTERFACE.
class IBase : public virtual RefBase {
   public:
    static constexpr const char* descriptor = "android.hidl.base@1.0::IBase";
    using interfaceChain_cb = std::function<void(const hidl_vec<hidl_string>& descriptors)>;
    using interfaceDescriptor_cb = std::function<void(const hidl_string& descriptor)>;

    ~IBase() override;

    // The descriptors of the interface and of those that it extends, the newest first.
    virtual Return<void> interfaceChain(interfaceChain_cb callback);
    virtual Return<void> interfaceDescriptor(interfaceDescriptor_cb callback);

    // Returns when the object can be called.
    virtual Return<void> ping();

    // False where the recipient is null or the object cannot tell.
    virtual Return<bool> linkToDeath(const sp<hidl_death_recipient>& recipient, uint64_t cookie);
    virtual Return<bool> unlinkToDeath(const sp<hidl_death_recipient>& recipient);

    // True for an object that stands for one in another process.
    virtual bool isRemote() const { return false; }

    static Return<sp<IBase>> castFrom(const sp<IBase>& object, bool = false) { return object; }
};

// True where the object says that it has the interface.
bool hasInterface(IBase& object, std::string_view descriptor);

// An object as a newer interface; null where it says that it has not got it. No RTTI is needed.
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

// What each interface defines alike: its name, the chain of names, the checked cast, and the
// destructor, which the library defines.
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
