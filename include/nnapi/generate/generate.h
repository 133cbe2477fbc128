// nnapi/generate/generate.h -- Generates valid and arbitrary objects for tests.
//
//   nn::testing::Source source(bytes);               // random bytes, or a fuzzer's input
//   nn::Model model = nn::testing::validModel(source, {.version = nn::HalVersion::V1_2});
//   auto object = nn::testing::any<nn::V1_3::Request>(source);
//
// One generator for random tests and fuzzers: every choice is read from a string of bytes, and
// zeros follow its end, so shorter strings and smaller bytes give smaller objects, and shrinking
// the bytes shrinks the object. Deterministic; no global state.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "nnapi/fields.h"
#include "nnapi/hal/aidl/types.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/kinds.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::testing {

// A stream of choices, read from bytes. Not thread-safe.
class Source {
   public:
    // The bytes must outlive the source.
    explicit Source(std::span<const uint8_t> bytes) : mBytes(bytes) {}

    // The next byte; 0 after the last one.
    uint8_t byte();

    // The next eight bytes as a number, the highest first.
    uint64_t number();

    // In [0, bound); 0 for a bound of 0.
    uint64_t below(uint64_t bound);

    // True or false, by the lowest bit of the next byte.
    bool coin() { return (byte() & 1) != 0; }

    // True once in `n`.
    bool oneIn(uint64_t n) { return n != 0 && below(n) == n - 1; }

    // One of the choices, which must not be empty; valid as long as they are.
    template <class T>
    const T& pick(std::span<const T> choices) {
        return choices[below(choices.size())];
    }

    // A float: mostly small and exact, sometimes an extreme, an infinity or NaN.
    float real();

    // How many bytes were read.
    size_t used() const { return mUsed; }

    // True once all bytes were read; what follows are zeros.
    bool exhausted() const { return mUsed == mBytes.size(); }

   private:
    std::span<const uint8_t> mBytes;
    size_t mUsed = 0;
};

// ---- arbitrary objects: every field may have any value, legal or not

// Codes that are worth trying for enumerations; others occur too.
std::span<const int64_t> interestingCodes();

// Mostly memory of a few bytes; sometimes null, or memory that validation rejects.
SharedMemory anyMemory(Source& source);
hidl::hidl_memory anyHidlMemory(Source& source);
hidl::hidl_handle anyHidlHandle(Source& source);
::ndk::ScopedFileDescriptor anyFileDescriptor(Source& source);
// Names of extensions and kinds of memory, and text that no name is: empty, long, not UTF-8.
std::string anyText(Source& source);

template <class T>
T any(Source& source);

namespace generate_internal {

template <class T>
inline constexpr bool isVector = false;
template <class T>
inline constexpr bool isVector<std::vector<T>> = true;
template <class T>
inline constexpr bool isVector<hidl::hidl_vec<T>> = true;
using namespace kinds;

template <class V, size_t... I>
V anyAlternative(Source& source, std::index_sequence<I...>) {
    V value;
    const size_t chosen = source.below(sizeof...(I));
    ((I == chosen ? (void)value.template emplace<I>(any<std::variant_alternative_t<I, V>>(source))
                  : (void)0),
     ...);
    return value;
}

// The same for a member of a union.
template <class U>
U anyMember(Source& source) {
    U value;
    withMembers(std::type_identity<U>{}, [&](const auto&... member) {
        size_t chosen = source.below(sizeof...(member));
        const auto draw = [&](const auto& each) {
            using Member = std::remove_cvref_t<decltype(each.get(value))>;
            each.set(value, any<Member>(source));
        };
        (void)((chosen-- == 0 ? (draw(member), true) : false) || ...);
    });
    return value;
}

}  // namespace generate_internal

// An arbitrary value of any type of the library.
template <class T>
T any(Source& source) {
    using namespace generate_internal;
    if constexpr (std::is_same_v<T, bool>) {
        return source.coin();
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<T>(source.oneIn(16) ? static_cast<int64_t>(source.number())
                                               : source.pick(interestingCodes()));
    } else if constexpr (std::is_integral_v<T>) {
        switch (source.below(8)) {
            case 5:
                return static_cast<T>(std::is_signed_v<T> ? -1 : 5);
            case 6:
                return std::numeric_limits<T>::max();
            case 7:
                return static_cast<T>(source.number());
            default:
                return static_cast<T>(source.below(6));
        }
    } else if constexpr (std::is_floating_point_v<T>) {
        return source.real();
    } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, hidl::hidl_string>) {
        return anyText(source);
    } else if constexpr (std::is_same_v<T, SharedMemory>) {
        return anyMemory(source);
    } else if constexpr (std::is_same_v<T, hidl::hidl_memory>) {
        return anyHidlMemory(source);
    } else if constexpr (std::is_same_v<T, hidl::hidl_handle>) {
        return anyHidlHandle(source);
    } else if constexpr (std::is_same_v<T, ::ndk::ScopedFileDescriptor>) {
        return anyFileDescriptor(source);
    } else if constexpr (std::is_same_v<T, SharedHandle>) {
        UniqueFd fd(anyFileDescriptor(source).release());
        return fd.get() < 0 ? nullptr : std::make_shared<const Handle>(std::move(fd));
    } else if constexpr (std::is_same_v<T, SyncFence>) {
        return SyncFence(any<SharedHandle>(source));
    } else if constexpr (HidlUnion<T> || AidlUnion<T>) {
        return anyMember<T>(source);
    } else if constexpr (std::is_same_v<T, Duration>) {
        return Duration(any<int64_t>(source));
    } else if constexpr (std::is_same_v<T, TimePoint>) {
        return TimePoint(any<Duration>(source));
    } else if constexpr (std::is_same_v<T, Model::OperandValues>) {
        return T(any<std::vector<uint8_t>>(source));
    } else if constexpr (std::is_same_v<T, Capabilities::OperandPerformanceTable>) {
        T table;
        for (size_t n = source.below(5); n != 0; --n) {
            const auto type = any<OperandType>(source);
            table.update(type, any<Capabilities::PerformanceInfo>(source));
        }
        return table;
    } else if constexpr (std::is_pointer_v<T> || std::is_same_v<T, SharedBuffer>) {
        return nullptr;
    } else if constexpr (isVector<T>) {
        T elements(source.below(5));
        for (auto& element : elements) element = any<typename T::value_type>(source);
        return elements;
    } else if constexpr (isOptional<T>) {
        return source.coin() ? T(any<typename T::value_type>(source)) : T();
    } else if constexpr (isPair<T>) {
        auto first = any<typename T::first_type>(source);
        return {std::move(first), any<typename T::second_type>(source)};
    } else if constexpr (isVariant<T>) {
        return anyAlternative<T>(source, std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (std::is_same_v<T, std::monostate>) {
        return {};
    } else if constexpr (HasFields<T>) {
        T object{};
        visitFields(std::type_identity<T>{}, [&](std::string_view, auto member) {
            object.*member = any<std::remove_cvref_t<decltype(object.*member)>>(source);
        });
        return object;
    } else {
        T array{};  // std::array, or that of HIDL
        for (size_t i = 0; i < array.size(); ++i) {
            array[i] = any<std::remove_cvref_t<decltype(array[i])>>(source);
        }
        return array;
    }
}

// ---- valid objects

// Shared memory with these bytes; null for no bytes and if the system has no memory.
SharedMemory memoryOf(const std::vector<uint8_t>& bytes);

// Options of validModel().
struct ModelOptions {
    HalVersion version = HalVersion::V1_3;  // the latest version that the model may need
    size_t maxOperations = 6;               // in the main graph

    // Operations to choose from; empty: all with a signature, and IF and WHILE. Graphs of IF and
    // WHILE may contain others.
    std::span<const OperationType> operations{};

    // All shapes are known and consistent, parameters are in range, and there are no extensions:
    // preparing succeeds, and executing does unless an operation rejects the values of its tensors.
    bool executable = false;

    // Overrides `version`, for versions without a HIDL interface.
    std::optional<Version> featureLevel{};

    // Executable models leave dimensions of temporaries and outputs open, and may contain
    // operations whose output size is known only after the execution.
    bool unknownDimensions = false;

    // Largest number of elements of a result in an executable model. Its operations take up to 16
    // times as many steps.
    uint32_t maxElements = 4096;

    // Prefers values that kernels often handle incorrectly: sizes next to those of vectors, scales
    // that are not powers of two or differ much between channels, zero points at both ends of their
    // range, large biases, values near the bounds of activations. If `maxElements` is above 65536,
    // shapes that are not those of images have more elements than that. All results are outputs of
    // the model, and floats are not relaxed.
    bool varied = false;
};

// A model that is legal in the version (perhaps also in older ones), generated from the signature
// tables: every operation with a signature, every lifetime, both kinds of constants, omitted
// operands, unknown dimensions, extensions, nested IF and WHILE. Unless `executable` is set, half
// of its operations have shapes that may not match. If the version has none of the chosen
// operations, the model is one SOFTMAX.
Model validModel(Source& source, const ModelOptions& options = {});

// Random inputs for a model whose input dimensions are all known; those of variedInputs suit the
// first operation of a model drawn with ModelOptions::varied.
std::vector<Tensor> anyInputs(Source& source, const Model& model);
std::vector<Tensor> variedInputs(Source& source, const Model& model);

// A legal request, with arguments in shared memory, for a model whose dimensions are all known.
Request validRequest(Source& source, const Model& model);

// Legal in the version, with performance of about half of its types.
Capabilities validCapabilities(Source& source, HalVersion version);
// At most two, with at most three types each.
std::vector<Extension> validExtensions(Source& source);

}  // namespace nn::testing
