// Shared by the generators of files with one operator.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "importers/lite_file.h"
#include "importers/operator_files.h"

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
inline bool isQuantized(Type type) { return type == kUint8 || type == kInt8; }
inline int32_t versionFor(Type type) { return type == kInt8 ? 2 : 1; }

using Activation = ActivationFunctionType;

using Shape = std::vector<int32_t>;
using Fill = std::function<void(LiteGraph&, Type)>;

// One more form of an operator, which is added for each of the types.
struct Form {
    const char* name;
    Types types;
    Becomes becomes;
    Fill fill;
};

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
    void add(std::span<const Form> forms) {
        for (const Form& form : forms) add(form.name, form.types, form.becomes, form.fill);
    }
    // Those that are not written.
    void addRead(std::span<const Form> forms) {
        const size_t before = mFiles.size();
        add(forms);
        for (size_t i = before; i < mFiles.size(); ++i) mFiles[i].isWritten = false;
    }
    // Those that several operations compute.
    void addComposed(std::span<const Form> forms) {
        const size_t before = mFiles.size();
        add(forms);
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
void addRecurrentForms(Files& files);
void addLookupForms(Files& files);
void addComposedForms(Files& files);
void addCustomForms(Files& files);

}  // namespace nn::tflite
