// nnapi/hal/binding.h -- The library is compiled against headers that hidl-gen generated.
//
// See the header of the same name in include/nnapi/hal, which this replaces.
#pragma once

#define NNAPI_HIDL_IS_GENERATED
#define NNAPI_BINDING ::inline generated_hidl

namespace nn::hal {

// Generated headers and libhidl have functions toString(), whose text is another.
template <class T>
struct TextOf;

}  // namespace nn::hal

// A versioned enumeration has the name that names.cc says.
#define NNAPI_TEXT_OF(Version, Enumeration)                     \
    template <>                                                 \
    struct nn::hal::TextOf<nn::Version::Enumeration> {          \
        static std::string of(nn::Version::Enumeration value) { \
            return nn::Version::toString(value);                \
        }                                                       \
    };
