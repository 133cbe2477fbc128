#include "convert/hidl/run.h"

// Objects of the HAL as canonical ones: all rows that go both ways.
namespace nn::conversion {

template <class Canonical, class Object>
Result<Canonical> toCanonical(Object&& object, HalVersion version, Status* consumers) {
    return run<Canonical>(std::forward<Object>(object),
                          Where{.version = version, .consumers = consumers});
}

#define NNAPI_HAL_TYPE_OUT(Canonical, Hal, from, to)
#define NNAPI_HAL_TYPE(Canonical, Hal, from, to)                                        \
    template Result<Canonical> toCanonical<Canonical>(const Hal&, HalVersion, Status*); \
    template Result<std::vector<Canonical>> toCanonical<std::vector<Canonical>>(        \
            const HalRange<Hal, HalVersion::to>&, HalVersion, Status*);
#define NNAPI_HAL_MODEL(Hal, from, to)   \
    NNAPI_HAL_TYPE(Model, Hal, from, to) \
    template Result<Model> toCanonical<Model>(Hal&&, HalVersion, Status*);
#include "nnapi/convert_types.def"

}  // namespace nn::conversion
