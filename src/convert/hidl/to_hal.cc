#include "convert/hidl/run.h"

// Canonical objects as those of the HAL: all rows. The way back is in to_canonical.cc, so that two
// processors share what takes longest to compile.
namespace nn::conversion {

template <class Hal, class Object>
Result<Hal> toHal(Object&& object, HalVersion version, Losses* losses) {
    return run<Hal>(std::forward<Object>(object), Where{.version = version, .losses = losses});
}

#define NNAPI_HAL_TYPE(Canonical, Hal, from, to)                                         \
    template Result<Hal> toHal<Hal>(const Canonical&, HalVersion, Losses*);              \
    template Result<HalRange<Hal, HalVersion::to>> toHal<HalRange<Hal, HalVersion::to>>( \
            const std::vector<Canonical>&, HalVersion, Losses*);
#define NNAPI_HAL_MODEL(Hal, from, to)   \
    NNAPI_HAL_TYPE(Model, Hal, from, to) \
    template Result<Hal> toHal<Hal>(Model&&, HalVersion, Losses*);
#include "nnapi/convert_types.def"

}  // namespace nn::conversion
