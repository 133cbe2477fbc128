// nnapi/hal/aidl/common.h -- AIDL memory, handles and tagged unions.
//
//   aidl::android::hardware::common::Ashmem memory{.fd = std::move(fd), .size = 4096};
//
// Spelled as the NDK backend generates android.hardware.common and
// android.hardware.graphics.common. Source: their .aidl files.
#pragma once

#include <cstddef>
#include <cstdint>
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

   private:
    Value mValue;
};

}  // namespace nn::aidl_internal

// Members that every union defines.
#define NNAPI_AIDL_UNION(Name)                                         \
    template <Tag tag, class... Arguments>                             \
    static Name make(Arguments&&... arguments) {                       \
        Name made;                                                     \
        made.template set<tag>(std::forward<Arguments>(arguments)...); \
        return made;                                                   \
    }                                                                  \
    bool operator==(const Name&) const = default;

namespace aidl::android::hardware::common {

// Anonymous shared memory.
struct Ashmem {
    ::ndk::ScopedFileDescriptor fd{};
    int64_t size = 0;  // bytes
    bool operator==(const Ashmem&) const = default;
};
NNAPI_FIELDS(Ashmem, fd, size)

// A part of a mappable file.
struct MappableFile {
    int64_t length = 0;  // bytes
    int32_t prot = 0;    // PROT_READ | PROT_WRITE bits
    ::ndk::ScopedFileDescriptor fd{};
    int64_t offset = 0;  // bytes
    bool operator==(const MappableFile&) const = default;
};
NNAPI_FIELDS(MappableFile, length, prot, fd, offset)

struct NativeHandle {
    std::vector<::ndk::ScopedFileDescriptor> fds{};
    std::vector<int32_t> ints{};
    bool operator==(const NativeHandle&) const = default;
};
NNAPI_FIELDS(NativeHandle, fds, ints)

}  // namespace aidl::android::hardware::common

namespace aidl::android::hardware::graphics::common {

// The values that this library uses; there are many more.
enum class PixelFormat : int32_t { UNSPECIFIED = 0, BLOB = 0x21 };
enum class BufferUsage : int64_t {};

struct HardwareBufferDescription {
    int32_t width = 0;
    int32_t height = 0;
    int32_t layers = 0;
    PixelFormat format = PixelFormat::UNSPECIFIED;
    BufferUsage usage{};
    int32_t stride = 0;
    bool operator==(const HardwareBufferDescription&) const = default;
};
NNAPI_FIELDS(HardwareBufferDescription, width, height, layers, format, usage, stride)

struct HardwareBuffer {
    HardwareBufferDescription description{};
    ::aidl::android::hardware::common::NativeHandle handle{};
    bool operator==(const HardwareBuffer&) const = default;
};
NNAPI_FIELDS(HardwareBuffer, description, handle)

}  // namespace aidl::android::hardware::graphics::common
