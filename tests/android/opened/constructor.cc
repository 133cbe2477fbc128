// A shared object whose device registers itself when it is loaded.
#include "hidl1_3_driver/device.h"

namespace {

const bool kIsRegistered = [] {
    return createVendorDevice()->registerAsService("vendor-constructor") == android::OK;
}();

}  // namespace
