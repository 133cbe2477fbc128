// Shared by the generators of files with one operator.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "importers/lite_file.h"
#include "importers/operator_files.h"

// The base of options has no name to initialize it by.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace nn::tflite {

using Op = BuiltinOperator;
using Type = TensorType;
using Types = std::vector<Type>;
using Becomes = std::vector<OperationType>;

inline constexpr Type kFloat = Type::FLOAT32, kInt = Type::INT32, kUint8 = Type::UINT8,
                      kInt8 = Type::INT8, kBool = Type::BOOL;
inline const Types kFloats = {kFloat};
inline const Types kNumbers = {kFloat, kUint8, kInt8};
inline const Types kAll = {kFloat, kUint8, kInt8, kInt};

// Scale and zero point of a quantized tensor: the same for all but those of a kind.
inline LiteScale common(Type type) {
    if (type == kUint8) return {0.0625f, 120};
    if (type == kInt8) return {0.0625f, -8};
    return {};
}
inline LiteScale other(Type type) {
    if (type == kUint8) return {0.125f, 128};
    if (type == kInt8) return {0.125f, 0};
    return {};
}
// Of probabilities, and of numbers from -1 to 1.
inline LiteScale probability(Type type) {
    if (type == kUint8) return {1.0f / 256, 0};
    if (type == kInt8) return {1.0f / 256, -128};
    return {};
}
inline LiteScale tangent(Type type) {
    if (type == kUint8) return {1.0f / 128, 128};
    if (type == kInt8) return {1.0f / 128, 0};
    return {};
}
// Of weights.
inline LiteScale weight(Type type) {
    if (type == kUint8) return {1.0f / 128, 121};
    if (type == kInt8) return {1.0f / 128, 0};
    return {};
}
inline bool isQuantized(Type type) { return type == kUint8 || type == kInt8; }
inline int32_t versionFor(Type type) { return type == kInt8 ? 2 : 1; }

using Activation = ActivationFunctionType;

using Shape = std::vector<int32_t>;
using Fill = std::function<void(LiteGraph&, Type)>;

// ---- files with one operator

// A tensor of the operator, of the type of the file, or of another that is named.
using Argument = std::function<int32_t(LiteGraph&, Type)>;
using Scale = LiteScale (*)(Type);

inline Argument in(const Shape& shape, Scale scale = common) {
    return [=](LiteGraph& g, Type t) { return g.input(t, shape, scale(t)); };
}
inline Argument inOf(Type type, const Shape& shape) {
    return [=](LiteGraph& g, Type) { return g.input(type, shape); };
}
inline Argument numbers(const Shape& shape, Scale scale = common) {
    return [=](LiteGraph& g, Type t) { return g.numbers(t, shape, scale(t)); };
}
template <class T>
Argument constant(Type type, const Shape& shape, const std::vector<T>& values) {
    return [=](LiteGraph& g, Type) { return g.constant<T>(type, shape, values); };
}
inline Argument scalar(int32_t value) { return constant<int32_t>(kInt, {}, {value}); }
inline Argument ints(const std::vector<int32_t>& values) {
    return constant(kInt, {static_cast<int32_t>(values.size())}, values);
}
inline Argument longs(const std::vector<int64_t>& values) {
    return constant(Type::INT64, {static_cast<int32_t>(values.size())}, values);
}
inline Argument weights(const Shape& shape) { return numbers(shape, weight); }
inline Argument bias(int32_t channels) {
    return [=](LiteGraph& g, Type t) {
        if (!isQuantized(t)) return g.numbers(kFloat, {channels});
        return g.numbers(kInt, {channels}, {common(t).scale * weight(t).scale, 0});
    };
}
inline const Argument missing = [](LiteGraph&, Type) { return -1; };
inline Argument out(const Shape& shape, Scale scale = common) {
    return [=](LiteGraph& g, Type t) { return g.output(t, shape, scale(t)); };
}
inline Argument outOf(Type type, const Shape& shape) {
    return [=](LiteGraph& g, Type) { return g.output(type, shape); };
}

struct WithoutOptions {};

// The version of an operator, with signed bytes and without.
struct Version {
    Version() = default;
    Version(int32_t all) : ofSigned(all), ofOthers(all) {}
    Version(int32_t bytes, int32_t others) : ofSigned(bytes), ofOthers(others) {}

    int32_t ofSigned = 2, ofOthers = 1;
};

template <class Options = WithoutOptions>
Fill one(Op op, const std::vector<Argument>& inputs, const std::vector<Argument>& outputs,
         const Options& options = {}, Version version = {}) {
    return [=](LiteGraph& g, Type t) {
        const auto tensors = [&](const std::vector<Argument>& arguments) {
            std::vector<int32_t> indexes;
            for (const Argument& argument : arguments) indexes.push_back(argument(g, t));
            return indexes;
        };
        const std::vector<int32_t> x = tensors(inputs), y = tensors(outputs);
        const int32_t number = t == kInt8 ? version.ofSigned : version.ofOthers;
        if constexpr (std::is_same_v<Options, WithoutOptions>) {
            g.op(op, number, x, y);
        } else {
            g.op(op, number, x, y, options);
        }
    };
}

inline Fill cast(Type from, Type to) {
    return one(Op::CAST, {inOf(from, {2, 3})}, {outOf(to, {2, 3})},
               CastOptionsT{.in_data_type = from, .out_data_type = to}, /*version=*/1);
}

template <class Options>
Options activated(Activation activation) {
    Options options;
    options.fused_activation_function = activation;
    return options;
}

// Collects the files.
class Files {
   public:
    // A file for each type.
    void add(const std::string& name, const std::vector<Type>& types,
             std::vector<OperationType> becomes,
             const std::function<void(LiteFile&, LiteGraph&, Type)>& fill) {
        for (const Type type : types) {
            LiteFile file;
            fill(file, file.main(), type);
            mFiles.push_back({.name = name + "_" + EnumNameTensorType(type),
                              .bytes = file.bytes(),
                              .becomes = becomes});
        }
    }
    void add(const std::string& name, const std::vector<Type>& types,
             std::vector<OperationType> becomes, const Fill& fill) {
        add(name, types, std::move(becomes), [&](LiteFile&, LiteGraph& g, Type t) { fill(g, t); });
    }
    // Those that are not written.
    void addRead(const std::string& name, const Types& types, Becomes becomes, const Fill& fill) {
        const size_t before = mFiles.size();
        add(name, types, std::move(becomes), fill);
        for (size_t i = before; i < mFiles.size(); ++i) mFiles[i].isWritten = false;
    }
    // Those that several operations compute.
    void addComposed(const std::string& name, const Types& types, Becomes becomes,
                     const Fill& fill) {
        const size_t before = mFiles.size();
        add(name, types, std::move(becomes), fill);
        for (size_t i = before; i < mFiles.size(); ++i) mFiles[i].isComposed = true;
    }
    std::vector<OperatorFile> take() { return std::move(mFiles); }

   private:
    std::vector<OperatorFile> mFiles;
};

// Generators.
void addShapes(Files& files);
void addReductions(Files& files);
void addRecurrent(Files& files);
void addControlFlow(Files& files);
void addForms(Files& files);
void addShapeForms(Files& files);
void addImageForms(Files& files);
void addLookupForms(Files& files);
void addComposedForms(Files& files);
void addCustomForms(Files& files);

}  // namespace nn::tflite
