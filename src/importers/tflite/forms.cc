#include "importers/tflite/forms.h"

#include <absl/algorithm/container.h>

#include <algorithm>

#include "importers/tflite/options.h"
#include "importers/tflite/row_tokens.h"

namespace nn::tflite {
namespace {

struct Versions {
    BuiltinOperator code;
    std::string_view text;
};
constexpr Versions kVersions[] = {
#define TFLITE_VERSIONS(op, text) {BuiltinOperator::op, text},
#include "importers/tflite/forms.def"
};

struct Lack {
    BuiltinOperator code;
    std::string_view condition;
    std::string_view why;
};
constexpr Lack kLacks[] = {
#define TFLITE_LACKS(op, condition, why) {BuiltinOperator::op, condition, why},
#include "importers/tflite/forms.def"
};

struct TypeName {
    std::string_view name;
    TensorType type;
};
constexpr TypeName kTypes[] = {
        {"int8", TensorType::INT8},       {"uint8", TensorType::UINT8},
        {"int16", TensorType::INT16},     {"int32", TensorType::INT32},
        {"bool", TensorType::BOOL},       {"float16", TensorType::FLOAT16},
        {"float32", TensorType::FLOAT32},
};

const TypeName* typeNamed(std::string_view name) {
    const auto row =
            absl::c_find_if(kTypes, [&](const TypeName& type) { return type.name == name; });
    return row == std::end(kTypes) ? nullptr : &*row;
}

// Cuts off the part in front of the next separator, or all.
std::string_view nextPart(std::string_view& text, std::string_view separator) {
    const size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + separator.size(), text.size()));
    return part;
}

// An operator that is about to be written, and the words of conditions about it.
class Form {
   public:
    Form(const OperatorT& op, const SubGraphT& graph) : mOp(op), mGraph(graph) {}

    bool holds(std::string_view condition) const {
        while (!condition.empty()) {
            if (!holdsWord(nextPart(condition, " "))) return false;
        }
        return true;
    }

   private:
    const TensorT* tensor(int32_t index) const {
        return index < 0 ? nullptr : mGraph.tensors[static_cast<size_t>(index)].get();
    }
    const TensorT* input(size_t place) const {
        return place < mOp.inputs.size() ? tensor(mOp.inputs[place]) : nullptr;
    }
    const TensorT* output() const {
        return mOp.outputs.empty() ? nullptr : tensor(mOp.outputs.front());
    }
    static float scaleOf(const TensorT* tensor) {
        if (tensor == nullptr || tensor->quantization == nullptr) return 0;
        return tensor->quantization->scale.size() == 1 ? tensor->quantization->scale.front() : 0;
    }

    bool holdsWord(std::string_view word) const {
        if (const size_t at = word.find('@'); at != std::string_view::npos) {
            return holdsOfInput(word.substr(0, at), word.substr(at + 1));
        }
        if (const TypeName* type = typeNamed(word)) return hasType(type->type);
        if (word == "grouped") return isGrouped();
        if (word == "broadcast") return isBroadcast();
        if (word == "rescaled") {
            const float product = scaleOf(input(0)) * scaleOf(input(1)), scale = scaleOf(output());
            return product != 0 && scale != 0 && product / scale >= 1;
        }
        return holdsOfOption(word);
    }

    bool holdsOfInput(std::string_view what, std::string_view place) const {
        const size_t end = std::min(place.find_first_of(">!"), place.size());
        const TensorT* given = input(numberIn(place.substr(0, end)).value_or(UINT32_MAX));
        if (what == "none") return given == nullptr;
        if (given == nullptr) return false;
        if (what == "input") return true;
        if (what == "rank") {
            const size_t bound = numberIn(place.substr(end + 1)).value_or(0);
            return place[end] == '>' ? given->shape.size() > bound : given->shape.size() != bound;
        }
        if (const TypeName* type = typeNamed(what)) return given->type == type->type;
        const QuantizationParametersT* scales = given->quantization.get();
        if (scales == nullptr) return false;
        if (what == "channels") return scales->scale.size() > 1;
        return what == "zero" &&
               absl::c_any_of(scales->zero_point, [](int64_t z) { return z != 0; });
    }

    bool hasType(TensorType type) const {
        const auto isOfType = [&](int32_t index) {
            const TensorT* each = tensor(index);
            return each != nullptr && each->type == type;
        };
        return absl::c_any_of(mOp.inputs, isOfType) || absl::c_any_of(mOp.outputs, isOfType);
    }

    bool isGrouped() const {
        const TensorT *image = input(0), *filter = input(1);
        return image != nullptr && filter != nullptr && image->shape.size() == 4 &&
               filter->shape.size() == 4 && image->shape[3] != filter->shape[3];
    }

    bool isBroadcast() const {
        const TensorT *a = input(0), *b = input(1);
        return a != nullptr && b != nullptr && a->shape != b->shape &&
               std::max(a->shape.size(), b->shape.size()) > 4;
    }

    bool holdsOfOption(std::string_view word) const {
        const size_t end = std::min(word.find('>'), word.size());
        const auto value = option(mOp.builtin_options, word.substr(0, end));
        if (!value) return false;
        const auto bound =
                end == word.size()
                        ? 0
                        : static_cast<int32_t>(numberIn(word.substr(end + 1)).value_or(0));
        if (const bool* flag = std::get_if<bool>(&*value)) return *flag;
        const int32_t* number = std::get_if<int32_t>(&*value);
        return number != nullptr && *number > bound;
    }

    const OperatorT& mOp;
    const SubGraphT& mGraph;
};

}  // namespace

int32_t versionOf(BuiltinOperator code, const OperatorT& op, const SubGraphT& graph) {
    const auto row =
            absl::c_find_if(kVersions, [code](const Versions& row) { return row.code == code; });
    if (row == std::end(kVersions)) return 1;
    const Form form(op, graph);
    for (std::string_view text = row->text; !text.empty();) {
        std::string_view condition = nextPart(text, "; ");
        const std::string_view version = nextPart(condition, " ");
        if (form.holds(condition)) return static_cast<int32_t>(numberIn(version).value_or(1));
    }
    return 1;
}

std::optional<std::string_view> reasonAgainst(BuiltinOperator code, const OperatorT& op,
                                              const SubGraphT& graph) {
    const Form form(op, graph);
    for (const Lack& row : kLacks) {
        if (row.code == code && form.holds(row.condition)) return row.why;
    }
    return std::nullopt;
}

}  // namespace nn::tflite
