// Nothing is sent here: the functions that generated code calls to write an object return an error.
#pragma once

#include <hidl/HidlSupport.h>

namespace android::hardware {

class Parcel;

template <class... Arguments>
status_t readEmbeddedFromParcel(Arguments&&...) {
    return INVALID_OPERATION;
}
template <class... Arguments>
status_t writeEmbeddedToParcel(Arguments&&...) {
    return INVALID_OPERATION;
}

}  // namespace android::hardware
