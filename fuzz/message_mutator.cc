// The purpose of a field follows from its type and its name.
#include "fuzz/message_mutator.h"

#include <google/protobuf/message.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/random.h"

namespace nn::fuzz {
namespace {

namespace pb = google::protobuf;
using pb::FieldDescriptor;
using pb::Message;

// clang-format off
using F = std::numeric_limits<float>;
constexpr float kFloats[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1e-30f, F::denorm_min(), F::min(),
                             F::max(), F::infinity(), -F::infinity(), F::quiet_NaN()};
// clang-format on

// One value of a message: a singular field, or one element of a repeated one.
struct Place {
    Message* message;
    const FieldDescriptor* field;
    int index = -1;  // in a repeated field; -1 is the field as a whole
};

// All values of a message, at any depth.
struct Contents {
    std::vector<Place> places{};
    std::vector<Message*> messages{};
    int maxOperands = 0;  // of a graph; indexes are less

    explicit Contents(Message& message) { add(message); }

   private:
    void add(Message& message) {
        const pb::Reflection& reflection = *message.GetReflection();
        messages.push_back(&message);
        for (int f = 0; f < message.GetDescriptor()->field_count(); ++f) {
            const FieldDescriptor* field = message.GetDescriptor()->field(f);
            const bool isMessage = field->message_type() != nullptr;
            if (field->is_repeated()) {
                const int size = reflection.FieldSize(message, field);
                if (field->name() == "operands") maxOperands = std::max(maxOperands, size);
                places.push_back({&message, field});
                for (int i = 0; i < size; ++i) {
                    places.push_back({&message, field, i});
                    if (isMessage) add(*reflection.MutableRepeatedMessage(&message, field, i));
                }
                continue;
            }
            places.push_back({&message, field});
            if (isMessage && reflection.HasField(message, field)) {
                add(*reflection.MutableMessage(&message, field));
            }
        }
    }
};

// Larger messages stay as they are, since a repeated part is copied with all its contents.
constexpr size_t kMaxPlaces = 1 << 18;

class Mutator {
   public:
    // Messages are copied from the donor, which may be the message itself.
    Mutator(Message& message, Message& donor, unsigned seed)
        : mMessage(message), mDonor(donor), mRandom(seed) {}

    void mutate() {
        // Usually one change, occasionally several.
        do {
            Contents contents(mMessage);
            if (contents.places.size() > kMaxPlaces) return;
            mMaxOperands = static_cast<uint64_t>(contents.maxOperands);
            change(contents.places[mRandom.below(contents.places.size())]);
        } while (mRandom.oneIn(3));
    }

   private:
    void change(const Place& place) {
        if (place.field->is_repeated() && place.index < 0) return changeList(place);
        switch (place.field->cpp_type()) {
            case FieldDescriptor::CPPTYPE_MESSAGE:
                return changeMessage(place);
            case FieldDescriptor::CPPTYPE_STRING:
                return changeBytes(place);
            default:
                return changeScalar(place);
        }
    }

    void changeList(const Place& place) {
        const pb::Reflection& reflection = *place.message->GetReflection();
        const int size = reflection.FieldSize(*place.message, place.field);
        const auto any = [&] { return static_cast<int>(mRandom.below(static_cast<size_t>(size))); };
        if (size == 0 || mRandom.oneIn(3)) return append(place);
        switch (mRandom.below(4)) {
            case 3:
                return repeat(place, any());
            case 0:  // drop one
                reflection.SwapElements(place.message, place.field, any(), size - 1);
                return reflection.RemoveLast(place.message, place.field);
            case 1:
                return reflection.SwapElements(place.message, place.field, any(), any());
            default:  // drop all after one
                for (int n = any(); n < size; ++n) {
                    reflection.RemoveLast(place.message, place.field);
                }
        }
    }

    // Repeats one element: an operand that is listed a thousand times, or operations that share all
    // their operands.
    void repeat(const Place& place, int index) {
        const pb::Reflection& reflection = *place.message->GetReflection();
        const auto [m, f] = std::pair(place.message, place.field);
        for (size_t n = size_t{1} << mRandom.below(11); n > 0; --n) {
            if (f->message_type() != nullptr) {
                Message* element = reflection.AddMessage(m, f);
                element->CopyFrom(reflection.GetRepeatedMessage(*m, f, index));
            } else {
                addLike(place, index);
            }
        }
    }

    // Appends a copy of an element that is not a message; for a negative index, 1 or "".
    static void addLike(const Place& place, int index) {
        const pb::Reflection& reflection = *place.message->GetReflection();
        Message* m = place.message;
        const FieldDescriptor* f = place.field;
        switch (f->cpp_type()) {
#define NNAPI_FUZZ_REPEATED(CASE, Name, first) \
    case FieldDescriptor::CPPTYPE_##CASE:      \
        return reflection.Add##Name(           \
                m, f, index < 0 ? first : reflection.GetRepeated##Name(*m, f, index));
            NNAPI_FUZZ_REPEATED(FLOAT, Float, 1)
            NNAPI_FUZZ_REPEATED(INT32, Int32, 1)
            NNAPI_FUZZ_REPEATED(INT64, Int64, 1)
            NNAPI_FUZZ_REPEATED(UINT32, UInt32, 1)
            NNAPI_FUZZ_REPEATED(UINT64, UInt64, 1)
            NNAPI_FUZZ_REPEATED(STRING, String, std::string())
#undef NNAPI_FUZZ_REPEATED
            default:
                return;  // the schemas have no such list
        }
    }

    // Inserts a copy, perhaps modified, at any position.
    void append(const Place& place) {
        const pb::Reflection& reflection = *place.message->GetReflection();
        const int size = reflection.FieldSize(*place.message, place.field);
        const auto any = [&] { return static_cast<int>(mRandom.below(static_cast<size_t>(size))); };
        if (place.field->message_type() != nullptr) {
            Message* element = reflection.AddMessage(place.message, place.field);
            if (const Message* donor = anyOf(*element)) copy(*donor, *element);
        } else {
            addLike(place, size == 0 ? -1 : any());
        }
        if (mRandom.oneIn(2)) change({place.message, place.field, size});
        if (size != 0) reflection.SwapElements(place.message, place.field, any(), size);
    }

    void changeMessage(const Place& place) {
        const pb::Reflection& reflection = *place.message->GetReflection();
        if (place.index < 0 && mRandom.oneIn(3)) {
            return reflection.ClearField(place.message, place.field);
        }
        Message* message = place.index < 0 ? reflection.MutableMessage(place.message, place.field)
                                           : reflection.MutableRepeatedMessage(
                                                     place.message, place.field, place.index);
        if (const Message* donor = anyOf(*message)) copy(*donor, *message);
    }

    // Copies a message; the two may contain each other.
    static void copy(const Message& from, Message& to) {
        const std::unique_ptr<Message> whole(from.New());
        whole->CopyFrom(from);
        to.CopyFrom(*whole);
    }

    // Replaces a message by one of the same type from elsewhere.
    const Message* anyOf(const Message& like) {
        Contents contents(mDonor);
        std::erase_if(contents.messages, [&](const Message* other) {
            return other == &like || other->GetDescriptor() != like.GetDescriptor();
        });
        if (contents.messages.empty()) return nullptr;
        return contents.messages[mRandom.below(contents.messages.size())];
    }

    void changeBytes(const Place& place) {
        std::string bytes = get(place);
        const size_t size = bytes.size();
        switch (mRandom.below(6)) {
            case 0:
                bytes.resize(mRandom.below(2 * size + 9));
                break;
            case 1:
                bytes.assign(size_t{1} << mRandom.below(14), 'n');
                break;
            case 2:  // a name becomes that of another part
            case 3:
                bytes = anyBytes();
                break;
            case 4: {  // an element of four bytes: an extreme number
                if (size < 4) break;
                const float f = mRandom.pick(kFloats);
                const auto n = static_cast<uint32_t>(mRandom.pick(kNumbers));
                const void* element = mRandom.oneIn(2) ? static_cast<const void*>(&f) : &n;
                std::memcpy(bytes.data() + mRandom.below(size / 4) * 4, element, 4);
                break;
            }
            default:
                if (mRandom.oneIn(2)) bytes.push_back('\0');
                if (!bytes.empty()) {
                    bytes[mRandom.below(bytes.size())] = static_cast<char>(mRandom.number());
                }
        }
        if (place.field->type() == FieldDescriptor::TYPE_STRING) {  // of UTF-8
            for (char& c : bytes) c = static_cast<char>(c & 0x7F);
        }
        set(place, bytes);
    }

    // Those of any other field.
    std::string anyBytes() {
        Contents contents(mDonor);
        std::erase_if(contents.places, [](const Place& other) {
            return other.field->cpp_type() != FieldDescriptor::CPPTYPE_STRING ||
                   (other.field->is_repeated() && other.index < 0);
        });
        if (contents.places.empty()) return {};
        return get(contents.places[mRandom.below(contents.places.size())]);
    }

    std::string get(const Place& place) {
        const pb::Reflection& reflection = *place.message->GetReflection();
        return place.index < 0
                       ? reflection.GetString(*place.message, place.field)
                       : reflection.GetRepeatedString(*place.message, place.field, place.index);
    }
    void set(const Place& place, const std::string& value) {
        const pb::Reflection& reflection = *place.message->GetReflection();
        if (place.index < 0) {
            reflection.SetString(place.message, place.field, value);
        } else {
            reflection.SetRepeatedString(place.message, place.field, place.index, value);
        }
    }

    uint64_t anyNumber(uint64_t old) {
        switch (mRandom.below(6)) {
            case 0:
                return old + 1;
            case 1:
                return old - 1;
            case 2:
                return old ^ 1ull << mRandom.below(32);
            case 3:
                return mRandom.below(mMaxOperands + 2);  // an index, in range or just not
            default:
                return mRandom.pick(kNumbers);
        }
    }

    float anyFloat(float old) {
        switch (mRandom.below(4)) {
            case 0:
                return old * 2;
            case 1:
                return old / 3;
            default:
                return mRandom.pick(kFloats);
        }
    }

    int anyEnumerator(const pb::EnumDescriptor& type) {
        switch (mRandom.below(8)) {
            case 0:
                return static_cast<int>(1 << 16 | mRandom.below(4));  // of the first extension
            case 1:
                return static_cast<int>(mRandom.pick(kNumbers));
            default:
                return type
                        .value(static_cast<int>(
                                mRandom.below(static_cast<size_t>(type.value_count()))))
                        ->number();
        }
    }

    void changeScalar(const Place& place) {
        const pb::Reflection& reflection = *place.message->GetReflection();
        Message* m = place.message;
        const FieldDescriptor* f = place.field;
        const int i = place.index;
        switch (f->cpp_type()) {
#define NNAPI_FUZZ_SCALAR(CASE, Name, made)                                                   \
    case FieldDescriptor::CPPTYPE_##CASE: {                                                   \
        const auto old =                                                                      \
                i < 0 ? reflection.Get##Name(*m, f) : reflection.GetRepeated##Name(*m, f, i); \
        const auto value = static_cast<decltype(+old)>(made);                                 \
        if (i < 0) {                                                                          \
            reflection.Set##Name(m, f, value);                                                \
        } else {                                                                              \
            reflection.SetRepeated##Name(m, f, i, value);                                     \
        }                                                                                     \
        return;                                                                               \
    }
            NNAPI_FUZZ_SCALAR(INT32, Int32, anyNumber(static_cast<uint64_t>(old)))
            NNAPI_FUZZ_SCALAR(INT64, Int64, anyNumber(static_cast<uint64_t>(old)))
            NNAPI_FUZZ_SCALAR(UINT32, UInt32, anyNumber(old))
            NNAPI_FUZZ_SCALAR(UINT64, UInt64, anyNumber(old))
            NNAPI_FUZZ_SCALAR(FLOAT, Float, anyFloat(old))
            NNAPI_FUZZ_SCALAR(BOOL, Bool, !old)
            NNAPI_FUZZ_SCALAR(ENUM, EnumValue, anyEnumerator(*f->enum_type()))
#undef NNAPI_FUZZ_SCALAR
            default:
                return;  // the schemas have no such field
        }
    }

    Message& mMessage;
    Message& mDonor;
    Random mRandom;
    uint64_t mMaxOperands = 0;
};

}  // namespace

void mutateMessage(pb::Message& message, pb::Message& donor, unsigned seed) {
    Mutator(message, donor, seed).mutate();
}

}  // namespace nn::fuzz
