// The reference device as a shared object: a support library, and a plug-in, of this build or
// another.
#include "nnapi/driver/reference.h"
#include "nnapi/driver/export_support_library.h"

using namespace nn;

namespace {

GeneralResult<SharedDevice> make() {
#ifdef NNAPI_EXPORTED_WITHOUT_BOARD
    return error(ErrorStatus::DEVICE_UNAVAILABLE) << "there is no board";
#else
    return referenceDevice({.name = "exported", .fencedThreads = 2});
#endif
}

}  // namespace

NNAPI_EXPORT_SUPPORT_LIBRARY("exported", [] { return make(); })

#ifdef NNAPI_EXPORTED_BY_ANOTHER_BUILD
extern "C" __attribute__((visibility("default"))) const plugin::Plugin* nnapi_plugin_v1() {
    static const plugin::Plugin kOther = {plugin::kMagic, plugin::kAbiVersion + 1, 0, "", nullptr};
    return &kOther;
}
#else
NNAPI_EXPORT_DEVICE("exported", [] { return make(); })
#endif
