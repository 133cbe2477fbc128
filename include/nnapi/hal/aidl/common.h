// nnapi/hal/aidl/common.h -- AIDL memory, handles and tagged unions.
//
//   aidl::android::hardware::common::Ashmem memory{.fd = std::move(fd), .size = 4096};
//
// Spelled as the NDK backend generates android.hardware.common and
// android.hardware.graphics.common. Source: their .aidl files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "nnapi/fields.h"
#include "nnapi/hal/aidl/ndk.h"
#include "nnapi/hal/strict.h"
#include "nnapi/hal/union_members.h"

namespace nn::aidl_internal {

// Base of all tagged unions. As generated, except that reading a member that is not held returns a
// default value instead of ending the program; see nnapi/hal/strict.h.
template <class TagType, class... Members>
class TaggedUnion {
    using Value = std::variant<Members...>;

   public:
    TaggedUnion() = default;

    // A value without an enumerator if the union is empty.
    TagType getTag() const { return static_cast<TagType>(mValue.index()); }

    template <TagType tag>
    const auto& get() const {
        if (const auto* held = std::get_if<static_cast<size_t>(tag)>(&mValue)) return *held;
        nn::hal::endStrictProgram("a union of AIDL does not hold the member that is read");
        static const std::variant_alternative_t<static_cast<size_t>(tag), Value> kDefault{};
        return kDefault;
    }
    template <TagType tag>
    auto& get() {
        if (getTag() != tag) {
            nn::hal::endStrictProgram("a union of AIDL does not hold the member that is changed");
            set<tag>();
        }
        return std::get<static_cast<size_t>(tag)>(mValue);
    }
    template <TagType tag, class... Arguments>
    void set(Arguments&&... arguments) {
        mValue.template emplace<static_cast<size_t>(tag)>(std::forward<Arguments>(arguments)...);
    }

    bool operator==(const TaggedUnion&) const = default;
    // By tag, then by member.
    friend bool operator<(const TaggedUnion& a, const TaggedUnion& b) {
        return a.mValue < b.mValue;
    }

   protected:
    template <class T>
    static constexpr bool kIsMember = !std::is_base_of_v<TaggedUnion, std::remove_cvref_t<T>> &&
                                      std::is_constructible_v<Value, T>;
    template <class T>
    TaggedUnion(std::in_place_t, T&& member) : mValue(std::forward<T>(member)) {}

   private:
    Value mValue;
};

// Field by field.
template <HasFields T>
bool operator<(const T& a, const T& b) {
    int order = 0;
    visitFields(std::type_identity<T>{}, [&](std::string_view, auto member) {
        if (order == 0 && a.*member < b.*member) order = -1;
        if (order == 0 && b.*member < a.*member) order = 1;
    });
    return order < 0;
}

}  // namespace nn::aidl_internal

// Members that every parcelable defines. Its text is that of nnapi/print.h.
#define NNAPI_AIDL_PARCELABLE(Name)               \
    bool operator==(const Name&) const = default; \
    std::string toString() const;

// Members that every union defines. It is made from a member, also implicitly.
#define NNAPI_AIDL_UNION(Name)                                          \
    Name() = default;                                                   \
    template <class T>                                                  \
    requires(Name::template kIsMember<T>) Name(T&& member) /* NOLINT */ \
        : TaggedUnion(std::in_place, std::forward<T>(member)) {}        \
    std::string toString() const;                                       \
    template <Tag tag, class... Arguments>                              \
    static Name make(Arguments&&... arguments) {                        \
        Name made;                                                      \
        made.template set<tag>(std::forward<Arguments>(arguments)...);  \
        return made;                                                    \
    }                                                                   \
    bool operator==(const Name&) const = default;

namespace aidl::android::hardware::common {

using ::nn::aidl_internal::operator<;

// Anonymous shared memory.
struct Ashmem {
    ::ndk::ScopedFileDescriptor fd{};
    int64_t size = 0;  // bytes
    NNAPI_AIDL_PARCELABLE(Ashmem)
};

// A part of a mappable file.
struct MappableFile {
    int64_t length = 0;  // bytes
    int32_t prot = 0;    // PROT_READ | PROT_WRITE bits
    ::ndk::ScopedFileDescriptor fd{};
    int64_t offset = 0;  // bytes
    NNAPI_AIDL_PARCELABLE(MappableFile)
};

struct NativeHandle {
    std::vector<::ndk::ScopedFileDescriptor> fds{};
    std::vector<int32_t> ints{};
    NNAPI_AIDL_PARCELABLE(NativeHandle)
};

#include "nnapi/hal/aidl/common_fields.def"

}  // namespace aidl::android::hardware::common

namespace aidl::android::hardware::graphics::common {

using ::nn::aidl_internal::operator<;

// The library uses only BLOB.
enum class PixelFormat : int32_t {
    UNSPECIFIED = 0,
    RGBA_8888 = 1,
    RGBX_8888 = 2,
    RGB_888 = 3,
    RGB_565 = 4,
    BGRA_8888 = 5,
    YCBCR_422_SP = 0x10,
    YCRCB_420_SP = 0x11,
    YCBCR_422_I = 0x14,
    RGBA_FP16 = 0x16,
    RAW16 = 0x20,
    BLOB = 0x21,
    IMPLEMENTATION_DEFINED = 0x22,
    YCBCR_420_888 = 0x23,
    RAW_OPAQUE = 0x24,
    RAW10 = 0x25,
    RAW12 = 0x26,
    RGBA_1010102 = 0x2B,
    DEPTH_16 = 0x30,
    DEPTH_24 = 0x31,
    DEPTH_24_STENCIL_8 = 0x32,
    DEPTH_32F = 0x33,
    DEPTH_32F_STENCIL_8 = 0x34,
    STENCIL_8 = 0x35,
    YCBCR_P010 = 0x36,
    HSV_888 = 0x37,
    Y8 = 0x20203859,
    Y16 = 0x20363159,
    YV12 = 0x32315659,
};

// Bits.
enum class BufferUsage : int64_t {
    CPU_READ_NEVER = 0,
    CPU_READ_RARELY = 2,
    CPU_READ_OFTEN = 3,
    CPU_READ_MASK = 0xF,
    CPU_WRITE_NEVER = 0,
    CPU_WRITE_RARELY = 2 << 4,
    CPU_WRITE_OFTEN = 3 << 4,
    CPU_WRITE_MASK = 0xF << 4,
    GPU_TEXTURE = 1 << 8,
    GPU_RENDER_TARGET = 1 << 9,
    COMPOSER_OVERLAY = 1 << 11,
    COMPOSER_CLIENT_TARGET = 1 << 12,
    PROTECTED = 1 << 14,
    COMPOSER_CURSOR = 1 << 15,
    VIDEO_ENCODER = 1 << 16,
    CAMERA_OUTPUT = 1 << 17,
    CAMERA_INPUT = 1 << 18,
    RENDERSCRIPT = 1 << 20,
    VIDEO_DECODER = 1 << 22,
    SENSOR_DIRECT_DATA = 1 << 23,
    GPU_DATA_BUFFER = 1 << 24,
    GPU_CUBE_MAP = 1 << 25,
    GPU_MIPMAP_COMPLETE = 1 << 26,
};

struct HardwareBufferDescription {
    int32_t width = 0;
    int32_t height = 0;
    int32_t layers = 0;
    PixelFormat format = PixelFormat::UNSPECIFIED;
    BufferUsage usage{};
    int32_t stride = 0;
    NNAPI_AIDL_PARCELABLE(HardwareBufferDescription)
};

struct HardwareBuffer {
    HardwareBufferDescription description{};
    ::aidl::android::hardware::common::NativeHandle handle{};
    NNAPI_AIDL_PARCELABLE(HardwareBuffer)
};

#include "nnapi/hal/aidl/graphics_fields.def"

}  // namespace aidl::android::hardware::graphics::common
