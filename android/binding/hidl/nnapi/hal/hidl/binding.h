// nnapi/hal/hidl/binding.h -- The types of HIDL are those that hidl-gen generated. See
// nnapi/hal/binding.h.
#pragma once

#define NNAPI_HIDL_IS_GENERATED
#define NNAPI_BINDING_OF_HIDL ::inline generated_hidl

// names.cc defines the names of versioned enumerations; the functions toString() of generated
// headers return other texts.
#define NNAPI_TEXT_OF(Version, Enumeration)                     \
    template <>                                                 \
    struct nn::hal::TextOf<nn::Version::Enumeration> {          \
        static std::string of(nn::Version::Enumeration value) { \
            return nn::Version::toString(value);                \
        }                                                       \
    };
