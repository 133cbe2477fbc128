#include "tools/nnapi/import_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/files.h"
#include "base/limits.h"
#include "base/printable.h"
#include "importers/common/foreign_format.h"
#include "model_io/streams.h"
#include "nnapi/memory.h"
#include "types/file_copy.h"
#ifdef NNAPI_HAS_IMPORTERS
#include "importers/common/equal_models.h"
#include "importers/onnx/constant.h"
#include "importers/onnx/file.h"
#include "nnapi/import/onnx.h"
#include "nnapi/import/tflite.h"
#endif

namespace nn::cli {
namespace {

namespace fs = std::filesystem;
using importing::ForeignFormat;

std::string_view textOf(const Mapping& mapping) {
    return {reinterpret_cast<const char*>(mapping.data()), mapping.size()};
}

Status givenTwice(std::string_view option, const std::string& name) {
    return makeError(ErrorStatus::INVALID_ARGUMENT,
                     fmt::format("{} names the input {} twice", option, inQuotes(name)));
}

#ifdef NNAPI_HAS_IMPORTERS

using importing::asBytes;

Result<ImportOptions> importOptionsOf(const Options& options) {
    NNAPI_ASSIGN_OR_RETURN(shapes, shapesOf(options.shapes));
    ImportOptions chosen{
            .shapes = std::move(shapes), .partial = options.partial, .limits = options.limits};
    if (const auto& target = options.importFor ? options.importFor : options.hal)
        chosen.target = toVersion(*target);
    return chosen;
}

// "0.5,-1"; empty for a text that is not a list of numbers.
std::optional<std::vector<double>> numbersOf(std::string_view text) {
    std::vector<double> numbers;
    for (const char *at = text.data(), *end = at + text.size();; ++at) {
        const auto [next, error] = std::from_chars(at, end, numbers.emplace_back());
        if (error != std::errc() || (next != end && *next != ',')) return std::nullopt;
        if (next == end) return numbers;
        at = next;
    }
}

// Elements of a type; empty where numbers are none of it.
std::optional<std::vector<uint8_t>> elementsOf(onnx::ElementType type,
                                               const std::vector<double>& numbers) {
    const Dimensions list{static_cast<uint32_t>(numbers.size())};
    onnx::Constant constant;
    if (type == onnx::ElementType::FLOAT) {
        constant = onnx::makeFloats(list, std::vector<float>(numbers.begin(), numbers.end()));
    } else {
        std::vector<int64_t> integers;
        for (const double number : numbers) {
            constexpr double kExact = 1LL << 53;
            if (std::abs(number) > kExact || number != std::trunc(number)) return std::nullopt;
            integers.push_back(static_cast<int64_t>(number));
        }
        constant = onnx::makeIntegers(type, list, integers);
        if (constant.integers() != integers) return std::nullopt;
    }
    return std::vector<uint8_t>(constant.bytes.begin(), constant.bytes.end());
}

// The dimensions of an input with that many elements: given ones, those in the file, or a list.
Result<Dimensions> dimensionsOf(const onnx::ValueMessage& input, size_t count,
                                const std::map<std::string, Dimensions>& shapes) {
    const std::string name(input.name);
    if (const auto given = shapes.find(name); given != shapes.end()) return given->second;
    const size_t rank = input.dimensions ? input.dimensions->size() : 1;
    if (rank == 1) return Dimensions{static_cast<uint32_t>(count)};
    Dimensions dimensions;
    for (size_t i = 0; i < rank; ++i) {
        const int64_t size = (*input.dimensions)[i].value.value_or(-1);
        if (!std::in_range<uint32_t>(size)) {
            return makeError(ErrorStatus::INVALID_ARGUMENT,
                             fmt::format("--value gives {} elements, but the dimensions of {} are "
                                         "open, which --shape gives",
                                         count, inQuotes(name)));
        }
        dimensions.push_back(static_cast<uint32_t>(size));
    }
    return dimensions;
}

// "sr=16000", or "sr=FILE": the name of an input and its elements, of the type in the file.
Result<std::map<std::string, Tensor>> valuesOf(std::string_view bytes, const Options& options,
                                               const std::map<std::string, Dimensions>& shapes) {
    std::map<std::string, Tensor> values;
    if (options.values.empty()) return values;
    NNAPI_ASSIGN_OR_RETURN(file, onnx::parseFile(bytes, options.limits));
    for (const std::string& text : options.values) {
        const size_t equals = text.find('=');
        if (equals == std::string::npos) {
            return makeError(
                    ErrorStatus::INVALID_ARGUMENT,
                    fmt::format("--value is {}, allowed NAME=1,2 or NAME=FILE", inQuotes(text)));
        }
        const std::string name = text.substr(0, equals), elements = text.substr(equals + 1);
        const auto input = std::ranges::find_if(
                file.graph.inputs,
                [&](const onnx::ValueMessage& each) { return each.name.raw == name; });
        if (input == file.graph.inputs.end()) {
            return makeError(ErrorStatus::INVALID_ARGUMENT,
                             fmt::format("the model has no input {}", inQuotes(name)));
        }
        if (values.contains(name)) return givenTwice("--value", name);
        Tensor& tensor = values[name];
        if (const auto numbers = numbersOf(elements)) {
            const auto made = elementsOf(input->type, *numbers);
            if (!made) {
                return makeError(ErrorStatus::INVALID_ARGUMENT,
                                 fmt::format("--value is {}, but the input is of {}",
                                             inQuotes(text), toString(input->type)));
            }
            tensor.data = *made;
        } else {
            NNAPI_ASSIGN_OR_RETURN(content, readFile(elements, options.limits));
            tensor.data.assign(content.begin(), content.end());
        }
        const size_t size = std::max<size_t>(onnx::elementSize(input->type), 1);
        NNAPI_ASSIGN_OR_RETURN(dimensions, dimensionsOf(*input, tensor.data.size() / size, shapes));
        tensor.dimensions = std::move(dimensions);
    }
    return values;
}

// From the memory or the bytes of a file whose constants may lie in that folder.
Result<Import> importOnnxFrom(const auto& source, std::string_view bytes, const fs::path& folder,
                              const Options& options, ImportOptions common) {
    NNAPI_ASSIGN_OR_RETURN(values, valuesOf(bytes, options, common.shapes));
    return importOnnx(source, OnnxOptions{.common = std::move(common),
                                          .folder = folder,
                                          .values = std::move(values)});
}

// What only files of ONNX have.
Status requireNoValues(const Options& options) {
    if (options.values.empty()) return {};
    return makeError(ErrorStatus::INVALID_ARGUMENT, "--value is for files of ONNX");
}

#else

Status notBuilt() {
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     "this program was built without the readers of other formats");
}

#endif

}  // namespace

bool hasImportableBytes(std::string_view bytes) {
    return importing::provenForeignFormat(bytes).has_value();
}

bool isImportable(const fs::path& path, std::string_view head) {
    const bool isOwn = schema::provenFormat(head).has_value();
    if (importing::foreignFormatOf(path, head, isOwn)) return true;
    if (isOwn) return false;
    // The outermost fields of ONNX follow behind its graph.
    const auto memory = readIntoMemory(path, {});
    if (!memory.ok()) return false;
    const auto mapping = map(*memory);
    return mapping.ok() && hasImportableBytes(textOf(*mapping));
}

bool isNamedImportable([[maybe_unused]] const fs::path& path) {
#ifdef NNAPI_HAS_IMPORTERS
    return importing::namedForeignFormat(path).has_value();
#else
    return false;
#endif
}

std::string_view modelExtensions() {
#ifdef NNAPI_HAS_IMPORTERS
    return ".pb, .textproto, .json, .tflite and .onnx";
#else
    return ".pb, .textproto and .json";
#endif
}

Result<std::map<std::string, Dimensions>> shapesOf(const std::vector<std::string>& texts) {
    std::map<std::string, Dimensions> shapes;
    for (const std::string& text : texts) {
        const size_t equals = text.rfind('=');
        Dimensions dimensions;
        bool isLegal = equals != std::string::npos && equals > 0;
        for (size_t at = equals; isLegal && at < text.size();) {
            const char* end = text.data() + text.size();
            uint32_t size = 0;
            const auto [next, error] = std::from_chars(text.data() + at + 1, end, size);
            isLegal = error == std::errc() && (next == end || *next == ',');
            dimensions.push_back(size);
            at = static_cast<size_t>(next - text.data());
        }
        if (!isLegal) {
            return makeError(ErrorStatus::INVALID_ARGUMENT,
                             fmt::format("--shape is {}, allowed NAME=1,3,48,192 with "
                                         "numbers below 2^32",
                                         inQuotes(text)));
        }
        const std::string name = text.substr(0, equals);
        if (!shapes.try_emplace(name, std::move(dimensions)).second)
            return givenTwice("--shape", name);
    }
    return shapes;
}

#ifdef NNAPI_HAS_IMPORTERS

Result<Import> importFile(const fs::path& path, const Options& options) {
    NNAPI_ASSIGN_OR_RETURN(chosen, importOptionsOf(options));
    NNAPI_ASSIGN_OR_RETURN(memory, readIntoMemory(path, options.limits));
    const std::string place = nameOf(path) + ": ";
    const auto mapping = map(memory);
    if (!mapping.ok()) return within(place, mapping.status());
    const std::string_view bytes = textOf(*mapping);
    const bool isLite =
            importing::foreignFormatOf(path, bytes, false).value_or(ForeignFormat::TFLITE) ==
            ForeignFormat::TFLITE;
    if (isLite) NNAPI_RETURN_IF_ERROR(requireNoValues(options));
    // Constants of ONNX may lie in other files of its folder.
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    auto imported = isLite ? importTflite(memory, chosen)
                           : importOnnxFrom(memory, bytes, folder, options, std::move(chosen));
    if (!imported.ok()) return within(place, imported.status());
    return imported;
}

Result<Import> importBytes(std::string_view bytes, const std::string& name,
                           const Options& options) {
    NNAPI_ASSIGN_OR_RETURN(chosen, importOptionsOf(options));
    const bool isLite = importing::provenForeignFormat(bytes) == ForeignFormat::TFLITE;
    if (isLite) NNAPI_RETURN_IF_ERROR(requireNoValues(options));
    auto imported = isLite ? importTflite(asBytes(bytes), chosen)
                           : importOnnxFrom(asBytes(bytes), bytes, {}, options, std::move(chosen));
    if (!imported.ok()) return within(name + ": ", imported.status());
    return imported;
}

Result<std::string> exportBytes(const Model& model, const std::vector<std::string>& names,
                                Losses& losses) {
    NNAPI_ASSIGN_OR_RETURN(bytes, exportTflite(model, &losses, {.operands = names}));
    return std::string(bytes.begin(), bytes.end());
}

Result<std::string> differenceOfTflite(std::string_view bytes, const std::string& name,
                                       const Model& model, const Options& options) {
    Options whole = options;
    whole.shapes.clear();
    whole.values.clear();
    NNAPI_ASSIGN_OR_RETURN(imported, importBytes(bytes, name, whole));
    NNAPI_ASSIGN_OR_RETURN(back, wholeModelOf(std::move(imported)));
    return importing::differenceOf(model, back);
}

#else

Result<std::string> differenceOfTflite(std::string_view, const std::string&, const Model&,
                                       const Options&) {
    return notBuilt();
}

Result<std::string> exportBytes(const Model&, const std::vector<std::string>&, Losses&) {
    return notBuilt();
}

Result<Import> importFile(const fs::path& path, const Options&) {
    return within(nameOf(path) + ": ", notBuilt());
}

Result<Import> importBytes(std::string_view, const std::string& name, const Options&) {
    return within(name + ": ", notBuilt());
}

#endif

}  // namespace nn::cli
