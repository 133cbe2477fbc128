// Mutations of binary model files, field by field through protobuf's reflection: the result is
// again a message, and close to a legal one. The purpose of a field follows from its type and its
// name.
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/message_mutator.h"
#include "fuzz/random.h"
#include "fuzz/target.h"
#include "nnapi/model_file.pb.h"

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

class Mutator {
   public:
    // Messages are copied from the donor, which may be the message itself.
    Mutator(Message& message, Message& donor, unsigned seed)
        : mMessage(message), mDonor(donor), mRandom(seed) {}

    void mutate() {
        // Usually one change, occasionally several.
        do {
            Contents contents(mMessage);
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
        switch (mRandom.below(3)) {
            case 0:
                bytes.resize(mRandom.below(2 * size + 9));
                break;
            case 1: {  // an element of four bytes: an extreme number
                if (size < 4) break;
                const float f = mRandom.pick(kFloats);
                const auto n = static_cast<uint32_t>(mRandom.pick(kNumbers));
                const void* element = mRandom.oneIn(2) ? static_cast<const void*>(&f) : &n;
                std::memcpy(bytes.data() + mRandom.below(size / 4) * 4, element, 4);
                break;
            }
            default:
                bytes.resize(size + 16);
                bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes.data()), size,
                                              bytes.size()));
        }
        if (place.field->type() == FieldDescriptor::TYPE_STRING) {  // of UTF-8
            for (char& c : bytes) c = static_cast<char>(c & 0x7F);
        }
        set(place, bytes);
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

nnapi::ModelFile fileOf(const ModelInput& input) {
    const pb::LogSilencer silencer;
    nnapi::ModelFile file;
    if (!file.ParseFromArray(input.file.data(), static_cast<int>(input.file.size()))) file.Clear();
    return file;
}

// The model of a file, of any version.
Message& modelIn(nnapi::ModelFile& file) {
    const pb::Reflection& reflection = *file.GetReflection();
    const FieldDescriptor* field =
            reflection.GetOneofFieldDescriptor(file, file.GetDescriptor()->oneof_decl(0));
    return field == nullptr ? *file.mutable_canonical() : *reflection.MutableMessage(&file, field);
}

// An input or output operand of a graph, for use by another graph; empty if there is none.
nnapi::Operand* addLike(const nnapi::Graph& inner, uint32_t index,
                        nnapi::OperandLifeTime::Code lifetime, nnapi::Graph& outer) {
    if (index >= static_cast<uint32_t>(inner.operands_size())) return nullptr;
    nnapi::Operand* operand = outer.add_operands();
    *operand = inner.operands(static_cast<int>(index));
    operand->clear_where();
    operand->set_lifetime(lifetime);
    return operand;
}

// The main graph becomes a branch of an IF, the only operation of a new main graph. The other
// branch is the same graph, or any.
void nest(nnapi::Model& model, Random& random) {
    const nnapi::Graph inner = model.main();
    nnapi::Graph outer;
    const auto last = [&] { return static_cast<uint32_t>(outer.operands_size() - 1); };
    nnapi::Operation* operation = outer.add_operations();
    operation->set_type(nnapi::OperationType::IF);

    nnapi::Operand* condition = outer.add_operands();
    condition->set_type(nnapi::OperandType::TENSOR_BOOL8);
    condition->add_dimensions(1);
    condition->set_lifetime(nnapi::OperandLifeTime::CONSTANT_COPY);
    condition->set_value(std::string(1, random.oneIn(2) ? '\1' : '\0'));
    operation->add_inputs(last());
    const auto own = static_cast<uint32_t>(model.referenced_size());
    const auto other = random.oneIn(4) ? static_cast<uint32_t>(random.below(own + 1)) : own;
    for (const uint32_t graph : {own, other}) {
        nnapi::Operand* reference = outer.add_operands();
        reference->set_type(nnapi::OperandType::SUBGRAPH);
        reference->set_lifetime(nnapi::OperandLifeTime::SUBGRAPH);
        reference->set_subgraphindex(graph);
        operation->add_inputs(last());
    }
    const bool aliases = random.oneIn(4);  // one operand is passed for every input
    for (const uint32_t index : inner.inputindexes()) {
        if (aliases && outer.inputindexes_size() > 0) {
            operation->add_inputs(outer.inputindexes(0));
        } else if (addLike(inner, index, nnapi::OperandLifeTime::SUBGRAPH_INPUT, outer) !=
                   nullptr) {
            operation->add_inputs(last());
            outer.add_inputindexes(last());
        }
    }
    for (const uint32_t index : inner.outputindexes()) {
        if (addLike(inner, index, nnapi::OperandLifeTime::SUBGRAPH_OUTPUT, outer) == nullptr)
            continue;
        operation->add_outputs(last());
        outer.add_outputindexes(last());
    }
    *model.add_referenced() = inner;
    *model.mutable_main() = outer;
}

// All IFs and WHILEs refer to one graph.
void shareGraphs(nnapi::Model& model, Random& random) {
    const auto graph =
            static_cast<uint32_t>(random.below(static_cast<size_t>(model.referenced_size()) + 1));
    const auto share = [&](nnapi::Graph& user) {
        for (nnapi::Operand& operand : *user.mutable_operands()) {
            if (operand.type() == nnapi::OperandType::SUBGRAPH) operand.set_subgraphindex(graph);
        }
    };
    share(*model.mutable_main());
    for (nnapi::Graph& referenced : *model.mutable_referenced()) share(referenced);
}

// Returns the number of written bytes; empty if they do not fit.
std::optional<size_t> write(const nnapi::ModelFile& file, std::string_view choices,
                            std::span<uint8_t> out) {
    const size_t size = file.ByteSizeLong();
    if (size + choices.size() > out.size()) return std::nullopt;
    file.SerializeToArray(out.data(), static_cast<int>(size));
    std::ranges::copy(choices, out.begin() + static_cast<ptrdiff_t>(size));
    return size + choices.size();
}

}  // namespace

void mutateMessage(pb::Message& message, pb::Message& donor, unsigned seed) {
    Mutator(message, donor, seed).mutate();
}

size_t mutateModelFile(uint8_t* data, size_t size, size_t maxSize, unsigned seed) {
    Random random(seed);
    if (random.oneIn(32))
        return LLVMFuzzerMutate(data, size, maxSize);  // arbitrary bytes instead of a message

    const ModelInput input = split({data, size});
    std::string choices(textOf(input.choices));
    nnapi::ModelFile file = fileOf(input);
    Message& model = modelIn(file);
    if (random.oneIn(8)) {
        const size_t length = choices.size();
        choices.resize(length + 32);
        choices.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(choices.data()), length,
                                        choices.size()));
    } else if (file.has_canonical() && random.oneIn(16)) {
        if (random.oneIn(4)) {
            shareGraphs(*file.mutable_canonical(), random);
        } else {
            nest(*file.mutable_canonical(), random);
        }
    } else {
        Mutator(model, model, static_cast<unsigned>(random.number())).mutate();
    }
    return write(file, choices, {data, maxSize}).value_or(size);
}

size_t crossModelFiles(std::span<const uint8_t> a, std::span<const uint8_t> b,
                       std::span<uint8_t> out, unsigned seed) {
    nnapi::ModelFile file = fileOf(split(a));
    nnapi::ModelFile donor = fileOf(split(b));
    Mutator(modelIn(file), modelIn(donor), seed).mutate();
    return write(file, textOf(split(b).choices), out).value_or(0);
}

}  // namespace nn::fuzz
