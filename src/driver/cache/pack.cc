#include <absl/algorithm/container.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <variant>

#include "base/limits.h"
#include "base/no_throw.h"
#include "driver/cache/bytes.h"
#include "nnapi/checked_math.h"
#include "nnapi/driver/cache.h"
#include "nnapi/kinds.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn {
namespace {

using cache::ByteReader;
using cache::ByteWriter;

// ---- graphs, by their fields

template <class T>
inline constexpr bool isVector = false;
template <class E>
inline constexpr bool isVector<std::vector<E>> = true;
using kinds::isVariant;

// Data outside the model itself: constants in pools and behind pointers.
template <class T>
inline constexpr bool isElsewhere =
        std::is_same_v<T, Model::OperandValues> || std::is_same_v<T, std::vector<SharedMemory>> ||
        std::is_same_v<T, std::variant<const void*, void*>>;

template <class T, class M>
M memberOf(M T::*);

// The minimum number of bytes of a value.
template <class T>
constexpr size_t minBytes() {
    if constexpr (isElsewhere<T> || std::is_same_v<T, std::monostate>) {
        return 0;
    } else if constexpr (isVariant<T> || std::is_same_v<T, bool>) {
        return 1;
    } else if constexpr (isVector<T> || std::is_same_v<T, std::string>) {
        return sizeof(uint32_t);
    } else if constexpr (HasFields<T>) {
        size_t sum = 0;
        visitFields(std::type_identity<T>{}, [&](std::string_view, auto member) {
            sum += minBytes<decltype(memberOf(member))>();
        });
        return sum;
    } else {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        return sizeof(T);
    }
}

template <class T>
void write(ByteWriter& to, const T& value) {
    if constexpr (isElsewhere<T> || std::is_same_v<T, std::monostate>) {
    } else if constexpr (std::is_enum_v<T>) {
        to.put(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_same_v<T, bool>) {
        to.put(uint8_t{value});
    } else if constexpr (std::is_same_v<T, float>) {
        to.put(std::bit_cast<uint32_t>(value));
    } else if constexpr (std::integral<T>) {
        to.put(value);
    } else if constexpr (isVector<T> || std::is_same_v<T, std::string>) {
        to.put(static_cast<uint32_t>(value.size()));
        for (const auto& element : value) write(to, element);
    } else if constexpr (isVariant<T>) {
        to.put(static_cast<uint8_t>(value.index()));
        std::visit([&](const auto& alternative) { write(to, alternative); }, value);
    } else {
        visitFields(std::type_identity<T>{},
                    [&](std::string_view, auto member) { write(to, value.*member); });
    }
}

template <class T>
bool read(ByteReader& from, T& value);

template <class V, size_t... I>
bool readAlternative(ByteReader& from, V& value, std::index_sequence<I...>) {
    uint8_t index = 0;
    if (!from.take(index)) return false;
    bool isRead = false;
    ((index == I ? void(isRead = read(from, value.template emplace<I>())) : void()), ...);
    return isRead;
}

template <class T>
bool read(ByteReader& from, T& value) {
    if constexpr (isElsewhere<T> || std::is_same_v<T, std::monostate>) {
        return true;
    } else if constexpr (std::is_enum_v<T>) {
        std::underlying_type_t<T> code{};
        if (!from.take(code)) return false;
        value = static_cast<T>(code);
        return true;
    } else if constexpr (std::is_same_v<T, bool>) {
        uint8_t bit = 0;
        if (!from.take(bit) || bit > 1) return false;
        value = bit == 1;
        return true;
    } else if constexpr (std::is_same_v<T, float>) {
        uint32_t bits = 0;
        if (!from.take(bits)) return false;
        value = std::bit_cast<float>(bits);
        return true;
    } else if constexpr (std::integral<T>) {
        return from.take(value);
    } else if constexpr (isVector<T> || std::is_same_v<T, std::string>) {
        uint32_t count = 0;
        if (!from.takeCount(count, minBytes<typename T::value_type>())) return false;
        value.resize(count);
        for (auto& element : value) {
            if (!read(from, element)) return false;
        }
        return true;
    } else if constexpr (isVariant<T>) {
        return readAlternative(from, value, std::make_index_sequence<std::variant_size_v<T>>{});
    } else {
        bool isRead = true;
        visitFields(std::type_identity<T>{}, [&](std::string_view, auto member) {
            isRead = isRead && read(from, value.*member);
        });
        return isRead;
    }
}

// ---- constants

constexpr uint64_t kAlignment = 16;  // of allocations of the standard library

// Copies the constants of a model to one array: bytes that several share once, and each as far from
// an aligned address as it was.
class Gathering {
   public:
    Gathering(const Model& model, Model& to) : mModel(model), mTo(to) {}

    Status run(const Limits& limits) {
        NNAPI_RETURN_IF_ERROR(each([&](Operand& operand) -> Status {
            NNAPI_ASSIGN_OR_RETURN(stretch, stretchOf(operand));
            if (stretch.begin != stretch.end) mStretches.push_back(stretch);
            return {};
        }));
        merge();
        uint64_t size = 0;
        for (Stretch& stretch : mStretches) {
            size += (stretch.begin - size) % kAlignment;
            stretch.at = size;
            size += stretch.end - stretch.begin;  // both below 2^32, or the limit ends it
            NNAPI_RETURN_IF_ERROR(nn::within(limits, &Limits::constantBytes, size, "constants"));
            if (size > std::numeric_limits<uint32_t>::max()) {
                return error() << "the constants take more than 2^32 bytes";
            }
        }
        std::vector<uint8_t> bytes(size);
        for (const Stretch& stretch : mStretches) NNAPI_RETURN_IF_ERROR(copy(stretch, bytes));
        mTo.operandValues = Model::OperandValues(std::move(bytes));
        return each([&](Operand& operand) {
            relocate(operand);
            return Status();
        });
    }

   private:
    // The source of bytes: the index of a pool, or one of these two.
    static constexpr size_t kValues = SIZE_MAX - 1;
    static constexpr size_t kCaller = SIZE_MAX;

    struct Stretch {
        size_t source = 0;
        uint64_t begin = 0;  // in the pool or the values of the model; else an address
        uint64_t end = 0;
        uint64_t at = 0;  // in the result

        bool operator<(const Stretch& other) const {
            return std::tie(source, begin) < std::tie(other.source, other.begin);
        }
    };

    // Calls function with each constant.
    template <class Function>
    Status each(Function&& function) {
        const auto in = [&](Model::Subgraph& graph) -> Status {
            for (Operand& operand : graph.operands) {
                if (isConstant(operand.lifetime)) NNAPI_RETURN_IF_ERROR(function(operand));
            }
            return {};
        };
        NNAPI_RETURN_IF_ERROR(in(mTo.main));
        for (Model::Subgraph& graph : mTo.referenced) NNAPI_RETURN_IF_ERROR(in(graph));
        return {};
    }

    Result<Stretch> stretchOf(const Operand& operand) const {
        const DataLocation& location = operand.location;
        Stretch found{.begin = location.offset};
        uint64_t available = 0;
        if (operand.lifetime == Operand::LifeTime::POINTER) {
            const void* data =
                    std::visit([](const void* p) -> const void* { return p; }, location.pointer);
            if (data == nullptr) return Status(error() << "the pointer of a constant is null");
            found.source = kCaller;
            found.begin = reinterpret_cast<uintptr_t>(data);
            available = std::numeric_limits<uintptr_t>::max();
        } else if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            found.source = kValues;
            available = mModel.operandValues.size();
        } else {
            if (location.poolIndex >= mModel.pools.size()) {
                return Status(error() << "poolIndex is " << location.poolIndex << ", allowed below "
                                      << mModel.pools.size());
            }
            found.source = location.poolIndex;
            available = size(mModel.pools[location.poolIndex]);
        }
        if (!fits(found.begin, location.length, available)) {
            return Status(error() << "bytes " << location.offset << " + " << location.length
                                  << " of a constant lie outside of " << available << " bytes");
        }
        found.end = found.begin + location.length;
        return found;
    }

    void merge() {
        absl::c_sort(mStretches);
        size_t merged = 0;
        for (const Stretch& next : mStretches) {
            Stretch* last = merged == 0 ? nullptr : &mStretches[merged - 1];
            if (last != nullptr && last->source == next.source && next.begin <= last->end) {
                last->end = std::max(last->end, next.end);
            } else {
                mStretches[merged++] = next;
            }
        }
        mStretches.resize(merged);
    }

    Status copy(const Stretch& stretch, std::vector<uint8_t>& bytes) const {
        const std::span<uint8_t> to(bytes.data() + stretch.at, stretch.end - stretch.begin);
        if (stretch.source == kValues) {
            std::memcpy(to.data(), mModel.operandValues.data() + stretch.begin, to.size());
            return {};
        }
        if (stretch.source == kCaller) {
            const auto address = static_cast<uintptr_t>(stretch.begin);
            // NOLINTNEXTLINE(performance-no-int-to-ptr): stretches are sorted by address
            std::memcpy(to.data(), reinterpret_cast<const void*>(address), to.size());
            return {};
        }
        return readMemory(mModel.pools[stretch.source], stretch.begin, to);
    }

    void relocate(Operand& operand) const {
        const Result<Stretch> found = stretchOf(operand);  // equal to the collected one
        uint64_t at = 0;
        if (found.ok() && found->begin != found->end) {
            const Stretch& stretch = *std::prev(absl::c_upper_bound(mStretches, *found));
            at = stretch.at + (found->begin - stretch.begin);
        }
        operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
        operand.location = {.offset = static_cast<uint32_t>(at), .length = operand.location.length};
    }

    const Model& mModel;
    Model& mTo;
    std::vector<Stretch> mStretches{};  // ascending
};

// The model with its constants in its values.
Result<Model> gathered(const Model& model, const Limits& limits) {
    Model result{.main = model.main,
                 .referenced = model.referenced,
                 .relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16,
                 .extensionNameToPrefix = model.extensionNameToPrefix};
    NNAPI_RETURN_IF_ERROR(Gathering(model, result).run(limits));
    return result;
}

}  // namespace

Result<PackedModel> packModel(const Model& model, ExecutionPreference preference, Priority priority,
                              const Limits& limits) NNAPI_TRY {
    CachedModel cached{.preference = preference, .priority = priority};
    NNAPI_ASSIGN_OR_RETURN(own, gathered(model, limits));
    cached.model = std::move(own);
    ByteWriter graph;
    write(graph, cached);
    return PackedModel{.graph = std::move(graph).bytes(),
                       .constants = std::move(cached.model.operandValues).bytes()};
}
NNAPI_CATCH

Result<CachedModel> unpackModel(std::span<const uint8_t> graph,
                                std::vector<uint8_t> constants) NNAPI_TRY {
    CachedModel cached;
    ByteReader reader(graph);
    if (!read(reader, cached)) {
        return Status(error() << "the packed graph is wrong at byte "
                              << graph.size() - reader.rest() << " of " << graph.size());
    }
    if (reader.rest() != 0) {
        return Status(error() << "the packed graph is followed by " << reader.rest()
                              << " bytes that are none of it");
    }
    cached.model.operandValues = Model::OperandValues(std::move(constants));
    return cached;
}
NNAPI_CATCH

Status saveModel(const CacheSeal& seal, const CacheFiles& files, const Model& model,
                 ExecutionPreference preference, Priority priority,
                 const Limits& limits) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(packed, packModel(model, preference, priority, limits));
    const std::span<const uint8_t> graph = packed.graph, constants = packed.constants;
    return seal.save(files, {&graph, 1}, {&constants, 1});
}
NNAPI_CATCH

Result<CachedModel> loadModel(const CacheSeal& seal, const CacheFiles& files) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(contents, seal.load(files));
    if (contents.model.size() != 1 || contents.data.size() != 1) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "a model lies in 1 model and 1 data file, not in " << contents.model.size()
                      << " and " << contents.data.size());
    }
    return unpackModel(contents.model[0], std::move(contents.data[0]));
}
NNAPI_CATCH

}  // namespace nn
