// nnapi.Model: files, validation, conversions and passes.
#include <fmt/format.h>

#include <array>
#include <map>
#include <span>
#include <utility>

#include "base/files.h"
#include "base/printable.h"
#include "importers/common/foreign_format.h"
#include "model_io/streams.h"
#include "nnapi/convert.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "nnapi/passes.h"
#include "nnapi/print.h"
#include "nnapi/slice.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/calls.h"
#include "python/src/errors.h"
#include "types/file_copy.h"
#ifdef NNAPI_HAS_IMPORTERS
#include "nnapi/import/onnx.h"
#include "nnapi/import/tflite.h"
#endif

namespace nn::python {
namespace {

namespace fs = std::filesystem;

// One graph of a model: the main graph, or that with an index in Model::referenced.
struct PyGraph {
    std::shared_ptr<const Model> model;
    std::optional<size_t> index{};
    std::vector<std::string> names{};

    const Model::Subgraph& get() const { return index ? model->referenced[*index] : model->main; }
};

struct PyOperand {
    std::shared_ptr<const Model> model;
    Operand operand{};
    size_t index = 0;
    std::string name{};
};

PyGraph mainOf(const PyModel& model) { return {model.model, std::nullopt, model.names}; }

PyOperand operandOf(const PyGraph& graph, size_t index) {
    const auto& operands = graph.get().operands;
    if (index >= operands.size()) {
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("operand is {}, allowed below {}", index, operands.size()));
    }
    return {graph.model, operands[index], index,
            index < graph.names.size() ? graph.names[index] : std::string()};
}

std::vector<PyOperand> operandsOf(const PyGraph& graph, const std::vector<uint32_t>& indexes) {
    std::vector<PyOperand> operands;
    for (const uint32_t index : indexes) operands.push_back(operandOf(graph, index));
    return operands;
}

std::vector<PyOperand> allOperandsOf(const PyGraph& graph) {
    std::vector<PyOperand> operands;
    for (size_t i = 0; i < graph.get().operands.size(); ++i)
        operands.push_back(operandOf(graph, i));
    return operands;
}

// The value of a constant; None for other operands.
py::object constantOf(const PyOperand& of) {
    const Operand& operand = of.operand;
    const DataLocation& location = operand.location;
    if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
        const Model::OperandValues& values = of.model->operandValues;
        if (location.offset > values.size() || location.length > values.size() - location.offset) {
            raise(ErrorStatus::INVALID_ARGUMENT,
                  fmt::format("bytes {} + {} of the constant lie outside of {} bytes",
                              location.offset, location.length, values.size()));
        }
        return arrayOf(operand.type, operand.dimensions, values.data() + location.offset,
                       location.length);
    }
    if (operand.lifetime != Operand::LifeTime::CONSTANT_REFERENCE) return py::none();
    if (location.poolIndex >= of.model->pools.size()) {
        raise(ErrorStatus::INVALID_ARGUMENT,
              fmt::format("poolIndex is {}, allowed below {}", location.poolIndex,
                          of.model->pools.size()));
    }
    ResultMemory memory(location.length);
    require(readMemory(of.model->pools[location.poolIndex], location.offset,
                       {memory.data(), location.length}));
    return memory.release(operand.type, operand.dimensions);
}

std::string representationOf(const PyOperand& of) {
    const Operand& operand = of.operand;
    std::string text = fmt::format("<nnapi.Operand {}{}: {} {}", of.index,
                                   of.name.empty() ? "" : " '" + of.name + "'",
                                   toString(operand.type), print(operand.dimensions));
    if (operand.scale != 0)
        text += fmt::format(", scale={}, zero_point={}", operand.scale, operand.zeroPoint);
    return text + ">";
}

std::vector<float> scalesOf(const PyOperand& of) {
    const auto* channels = std::get_if<Operand::SymmPerChannelQuantParams>(&of.operand.extraParams);
    return channels == nullptr ? std::vector<float>() : channels->scales;
}

// ---------------------------------------------------------------------------------------------
// Files

PyModel modelOf(AnyModel any) {
    PyModel made;
    Result<Model> model = std::visit(
            [&]<class M>(M&& held) -> Result<Model> {
                if constexpr (std::same_as<std::remove_cvref_t<M>, Model>) {
                    return std::forward<M>(held);
                } else {
                    made.version = conversion::versionIn(held);
                    return unvalidatedConvertFrom(HalModel(std::forward<M>(held)));
                }
            },
            std::move(any));
    made.model = std::make_shared<const Model>(valueOf(std::move(model)));
    return made;
}

#ifdef NNAPI_HAS_IMPORTERS
PyModel modelOf(Import imported) {
    require(preparationErrors(imported));
    ImportedPart& part = imported.parts.front();
    return {.model = std::make_shared<const Model>(std::move(part.model)),
            .names = std::move(part.operandNames),
            .losses = std::move(imported.losses)};
}
#else
[[noreturn]] void refuseImport() {
    raise(ErrorStatus::GENERAL_FAILURE,
          "this module was built without the readers of other formats");
}
#endif

struct WholeFile {
    SharedMemory memory{};
    Mapping mapping{};

    std::string_view text() const {
        return {reinterpret_cast<const char*>(mapping.data()), mapping.size()};
    }
};

WholeFile wholeFileOf(const fs::path& path) {
    return valueOf(unlocked([&]() -> Result<WholeFile> {
        NNAPI_ASSIGN_OR_RETURN(memory, readIntoMemory(path, Limits()));
        NNAPI_ASSIGN_OR_RETURN(mapping, map(memory));
        return WholeFile{std::move(memory), std::move(mapping)};
    }));
}

using Shapes = std::map<std::string, Dimensions>;
using Values = std::map<std::string, py::object>;

// Shapes and values that the format does not have are refused.
void checkOptions(const Shapes& shapes, const Values& values,
                  const std::optional<importing::ForeignFormat>& foreign) {
    const bool isOnnx = foreign == importing::ForeignFormat::ONNX;
    if ((shapes.empty() || foreign) && (values.empty() || isOnnx)) return;
    raise(ErrorStatus::INVALID_ARGUMENT,
          "shapes are for files of ONNX and TensorFlow Lite, values for files of ONNX");
}

#ifdef NNAPI_HAS_IMPORTERS
OnnxOptions importOptions(const Shapes& shapes, const Values& values,
                          const std::optional<std::string>& target) {
    const Version wanted = target ? toVersion(versionOf(*target)) : kNewestVersion;
    OnnxOptions options{.common = {.shapes = shapes, .target = wanted}};
    for (const auto& [name, value] : values) {
        // The importer checks the bytes against the type of the input in the file.
        const py::array array = py::module_::import("numpy").attr("asarray")(value);
        if (std::string_view("biuf").find(array.dtype().kind()) == std::string_view::npos) {
            raise(ErrorStatus::INVALID_ARGUMENT,
                  fmt::format("values['{}']: dtype is {}, allowed those of numbers", name,
                              std::string(py::str(array.attr("dtype")))));
        }
        options.values[name] = elementsOf("values['" + name + "']", array, array.dtype()).tensor();
    }
    return options;
}
#endif

PyModel load(const fs::path& path, const Shapes& shapes, const Values& values,
             const std::optional<std::string>& target) {
    if (target) (void)versionOf(*target);
    const std::string head =
            valueOf(unlocked([&] { return readHead(path, schema::kFormatBytes); }));
    const bool isOwn = schema::provenFormat(head).has_value();
    const WholeFile file = isOwn ? WholeFile() : wholeFileOf(path);
    const auto foreign = importing::foreignFormatOf(path, isOwn ? head : file.text(), isOwn);
    checkOptions(shapes, values, foreign);
    if (!foreign) return modelOf(valueOf(unlocked([&] { return readModel(path); })));
#ifdef NNAPI_HAS_IMPORTERS
    OnnxOptions options = importOptions(shapes, values, target);
    options.folder = path.has_parent_path() ? path.parent_path() : ".";
    Import imported = valueOf(unlocked([&]() -> Result<Import> {
        auto import = foreign == importing::ForeignFormat::ONNX
                              ? importOnnx(file.memory, options)
                              : importTflite(file.memory, options.common);
        if (!import.ok()) return within(nn::nameOf(path) + ": ", import.status());
        return import;
    }));
    return modelOf(std::move(imported));
#else
    refuseImport();
#endif
}

// The same for the bytes of a file, which show their format.
PyModel loadBytes(const py::buffer& buffer, const Shapes& shapes, const Values& values,
                  const std::optional<std::string>& target) {
    if (target) (void)versionOf(*target);
    // Copied, since other threads may change the bytes meanwhile.
    const std::string bytes = py::bytes(py::memoryview(buffer).attr("tobytes")());
    const auto foreign = importing::provenForeignFormat(bytes);
    checkOptions(shapes, values, foreign);
    if (!foreign) {
        const schema::StreamFormat format = schema::guessFormat(bytes);
        if (bytes.empty() || format == schema::StreamFormat::TEST_CASES) {
            raise(ErrorStatus::INVALID_ARGUMENT,
                  bytes.empty() ? "the model has no bytes"
                                : "the bytes are test cases, allowed a model; read_cases() reads "
                                  "a file of test cases");
        }
        return modelOf(
                valueOf(unlocked([&] { return parseModel(bytes, schema::modelFormat(format)); })));
    }
#ifdef NNAPI_HAS_IMPORTERS
    const OnnxOptions options = importOptions(shapes, values, target);
    return modelOf(valueOf(unlocked([&]() -> Result<Import> {
        const std::span<const uint8_t> data(reinterpret_cast<const uint8_t*>(bytes.data()),
                                            bytes.size());
        return foreign == importing::ForeignFormat::ONNX ? importOnnx(data, options)
                                                         : importTflite(data, options.common);
    })));
#else
    refuseImport();
#endif
}

Losses save(const PyModel& model, const fs::path& path) {
    Losses losses;
    require(unlocked([&]() -> Status {
        if (path.extension() == ".tflite") {
#ifdef NNAPI_HAS_IMPORTERS
            NNAPI_ASSIGN_OR_RETURN(bytes,
                                   exportTflite(*model.model, &losses, {.operands = model.names}));
            return writeFile(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
#else
            return makeError(ErrorStatus::GENERAL_FAILURE,
                             "this module was built without the writer of TensorFlow Lite");
#endif
        }
        if (!formatOf(path)) {
            return makeError(ErrorStatus::INVALID_ARGUMENT,
                             fmt::format("{}: extension is {}, allowed .pb, .textproto, .json and "
                                         ".tflite for a model",
                                         nn::nameOf(path), inQuotes(path.extension().string())));
        }
        if (!model.version) return writeModel(path, AnyModel(*model.model));
        NNAPI_ASSIGN_OR_RETURN(hal, unvalidatedConvertTo(*model.version, *model.model, &losses));
        return writeModel(path, std::visit([]<class Held>(Held&& held)
                                                   -> AnyModel { return std::forward<Held>(held); },
                                           std::move(hal)));
    }));
    return losses;
}

// ---------------------------------------------------------------------------------------------
// Validation, conversions and passes

struct PyDiagnostic {
    Diagnostic diagnostic{};
    std::string level{};
};

std::vector<PyDiagnostic> diagnosticsOf(const PyModel& model,
                                        const std::optional<std::string>& target) {
    ValidateOptions options;
    if (target) options.target = toVersion(versionOf(*target));
    const Findings findings = untilInterrupted([&](StopFunction stop) {
        options.until.isCancelled = std::move(stop);
        return validateAll(*model.model, options);
    });
    std::vector<PyDiagnostic> all;
    for (const Diagnostic& error : findings.errors) all.push_back({error, "error"});
    for (const Diagnostic& warning : findings.warnings) all.push_back({warning, "warning"});
    return all;
}

int requiredLevelOf(const PyModel& model) {
    return featureLevel(valueOf(untilInterrupted([&](StopFunction stop) {
        return nn::validate(*model.model, {}, {.isCancelled = std::move(stop)});
    })));
}

std::pair<PyModel, Losses> convert(const PyModel& model, const std::string& version) {
    const HalVersion target = versionOf(version);
    Losses losses;
    Result<Model> back = unlocked([&]() -> Result<Model> {
        NNAPI_ASSIGN_OR_RETURN(converted, convertTo(target, *model.model, &losses));
        return unvalidatedConvertFrom(std::move(converted));
    });
    return {PyModel{.model = std::make_shared<const Model>(valueOf(std::move(back))),
                    .version = target,
                    .names = model.names},
            std::move(losses)};
}

// The names of the operands that are left.
std::vector<std::string> namesOf(const PyModel& model, const GraphOrigin& origin) {
    std::vector<std::string> names;
    for (const uint32_t operand : origin.operands) {
        if (operand >= model.names.size()) return {};
        names.push_back(model.names[operand]);
    }
    return names;
}

std::pair<PyModel, std::vector<Removal>> minimize(const PyModel& model) {
    Minimized small = unlocked([&] { return minimize(*model.model); });
    return {PyModel{.model = std::make_shared<const Model>(std::move(small.model)),
                    .version = model.version,
                    .names = namesOf(model, small.origin.main)},
            std::move(small.removed)};
}

std::pair<PyModel, std::vector<uint32_t>> slice(const PyModel& model, const std::string& version) {
    const HalVersion target = versionOf(version);
    Slice part = valueOf(unlocked([&] { return sliceForVersion(*model.model, target); }));
    return {PyModel{.model = std::make_shared<const Model>(std::move(part.model)),
                    .names = namesOf(model, part.origin.main)},
            part.origin.main.operations};
}

// What pickle writes: a function of the module, and its arguments.
py::tuple reducedOf(const PyModel& model) {
    const std::string bytes = valueOf(
            unlocked([&] { return serializeModel(AnyModel(*model.model), Format::BINARY); }));
    const std::optional<std::string> version =
            model.version ? std::optional(std::string(toString(*model.version))) : std::nullopt;
    py::list losses;
    for (const Loss& loss : model.losses) {
        losses.append(py::make_tuple(textOf(loss.path), textOf(loss.before), textOf(loss.after),
                                     textOf(loss.why)));
    }
    py::list names;
    for (const std::string& name : model.names) names.append(py::bytes(name));
    return py::make_tuple(py::module_::import("nnapi._nnapi").attr("restored_model"),
                          py::make_tuple(py::bytes(bytes), version, names, losses));
}

PyModel restoredModel(const std::string& bytes, const std::optional<std::string>& version,
                      const std::vector<py::bytes>& names,
                      const std::vector<std::array<std::string, 4>>& losses) {
    PyModel model = modelOf(valueOf(unlocked([&] { return parseModel(bytes, Format::BINARY); })));
    if (version) model.version = versionOf(*version);
    for (const py::bytes& name : names) model.names.push_back(name);
    for (const auto& [path, before, after, why] : losses)
        model.losses.push_back({.path = path, .before = before, .after = after, .why = why});
    return model;
}

std::string summaryOf(const PyModel& model) {
    const Model::Subgraph& main = model.model->main;
    return fmt::format("<nnapi.Model{}: {} operations, {} operands, {} inputs, {} outputs>",
                       model.version ? fmt::format(" of {}", titleOf(*model.version)) : "",
                       main.operations.size(), main.operands.size(), main.inputIndexes.size(),
                       main.outputIndexes.size());
}

template <class T>
py::str printed(const T& value) {
    return textOf(toString(value));
}

}  // namespace

HalVersion versionOf(const std::string& text) {
    if (const auto version = parseHalVersion(text)) return *version;
    std::string allowed;
    for (const HalVersion version : kHalVersions)
        allowed += fmt::format("{}'{}'", allowed.empty() ? "" : ", ", toString(version));
    raise(ErrorStatus::INVALID_ARGUMENT, fmt::format("version is '{}', allowed {}", text, allowed));
}

void bindModels(py::module_& module) {
    py::list versions;
    for (const HalVersion version : kHalVersions) versions.append(textOf(toString(version)));
    module.attr("VERSIONS") = py::tuple(versions);

    py::class_<PyDiagnostic>(module, "Diagnostic", "Why a model, or a part of it, is refused.")
            .def_readonly("level", &PyDiagnostic::level, "\"error\" or \"warning\".")
            .def_property_readonly(
                    "rule", [](const PyDiagnostic& d) { return textOf(d.diagnostic.rule); },
                    "The id of the rule, as \"operand.scale\".")
            .def_property_readonly(
                    "path", [](const PyDiagnostic& d) { return textOf(d.diagnostic.path); },
                    "The place, as \"main.operands[3]\".")
            .def_property_readonly(
                    "operation",
                    [](const PyDiagnostic& d) { return textOf(d.diagnostic.operation); },
                    "The type of the operation at that place; empty elsewhere.")
            .def_property_readonly(
                    "message", [](const PyDiagnostic& d) { return textOf(d.diagnostic.message); },
                    "What was found, and what is allowed.")
            .def_property_readonly(
                    "since", [](const PyDiagnostic& d) { return levelOf(d.diagnostic.since); },
                    "The feature level from which on it is legal; None if it never is.")
            .def("__str__", [](const PyDiagnostic& d) { return printed(d.diagnostic); })
            .def("__repr__", [](const PyDiagnostic& d) {
                return textOf(
                        fmt::format("<nnapi.Diagnostic {}: {}>", d.level, toString(d.diagnostic)));
            });
    py::class_<Loss>(module, "Loss", "A part of a model that a conversion changed.")
            .def_property_readonly(
                    "path", [](const Loss& loss) { return textOf(loss.path); },
                    "The place, as \"main.operations[4]\".")
            .def_property_readonly(
                    "before", [](const Loss& loss) { return textOf(loss.before); },
                    "What the model has.")
            .def_property_readonly(
                    "after", [](const Loss& loss) { return textOf(loss.after); },
                    "What it becomes.")
            .def_property_readonly(
                    "why", [](const Loss& loss) { return textOf(loss.why); }, "Why it changes.")
            .def("__str__", [](const Loss& loss) { return printed(loss); })
            .def("__repr__",
                 [](const Loss& loss) { return textOf("<nnapi.Loss " + toString(loss) + ">"); });
    py::class_<Removal>(module, "Removal", "A part of a model that minimize() removed.")
            .def_property_readonly(
                    "path", [](const Removal& removal) { return textOf(removal.path); },
                    "The place, as \"main.operations[4].inputs[7]\".")
            .def_property_readonly(
                    "why", [](const Removal& removal) { return textOf(removal.why); },
                    "Why results do not change.")
            .def("__str__", [](const Removal& removal) { return printed(removal); })
            .def("__repr__", [](const Removal& removal) {
                return textOf("<nnapi.Removal " + toString(removal) + ">");
            });

    py::class_<PyOperand>(module, "Operand", "A value of a graph.")
            .def_readonly("index", &PyOperand::index, "The index in Graph.operands.")
            .def_property_readonly(
                    "name", [](const PyOperand& o) { return textOf(o.name); },
                    "The name in the imported file, or of the builder; empty if it has none.")
            .def_property_readonly(
                    "type", [](const PyOperand& o) { return toString(o.operand.type); },
                    "The type, as \"TENSOR_FLOAT32\".")
            .def_property_readonly(
                    "dimensions",
                    [](const PyOperand& o) { return py::tuple(py::cast(o.operand.dimensions)); },
                    "The sizes; 0 for an unknown one, () for a scalar and for an unknown rank.")
            .def_property_readonly(
                    "scale", [](const PyOperand& o) { return o.operand.scale; },
                    "What a step of a quantized value stands for; 0 for other types.")
            .def_property_readonly(
                    "zero_point", [](const PyOperand& o) { return o.operand.zeroPoint; },
                    "The quantized value that stands for 0.")
            .def_property_readonly(
                    "scales", [](const PyOperand& o) { return py::tuple(py::cast(scalesOf(o))); },
                    "The scales of the channels of TENSOR_QUANT8_SYMM_PER_CHANNEL.")
            .def_property_readonly(
                    "lifetime", [](const PyOperand& o) { return toString(o.operand.lifetime); },
                    "Where the value comes from, as \"SUBGRAPH_INPUT\" or \"CONSTANT_COPY\".")
            .def_property_readonly(
                    "dtype", [](const PyOperand& o) { return dtypeOf(o.operand.type); },
                    "The type of NumPy for its elements; None if there is none.")
            .def_property_readonly("value", &constantOf, "The array of a constant, else None.")
            .def("__str__", [](const PyOperand& o) { return textOf(print(o.operand)); })
            .def("__repr__", [](const PyOperand& o) { return textOf(representationOf(o)); });
    py::class_<Operation>(module, "Operation", "An operation, with indexes of its operands.")
            .def_property_readonly(
                    "type", [](const Operation& operation) { return toString(operation.type); },
                    "The type, as \"ADD\".")
            .def_property_readonly(
                    "inputs",
                    [](const Operation& operation) {
                        return py::tuple(py::cast(operation.inputs));
                    },
                    "Indexes of operands.")
            .def_property_readonly(
                    "outputs",
                    [](const Operation& operation) {
                        return py::tuple(py::cast(operation.outputs));
                    },
                    "Indexes of operands.")
            .def("__repr__", [](const Operation& operation) {
                return textOf(fmt::format("<nnapi.Operation {} of {} to {}>",
                                          toString(operation.type), print(operation.inputs),
                                          print(operation.outputs)));
            });
    py::class_<PyGraph>(module, "Graph", "A graph that IF or WHILE refers to.")
            .def_property_readonly("operands", &allOperandsOf, "All operands, by index.")
            .def_property_readonly(
                    "operations", [](const PyGraph& graph) { return graph.get().operations; },
                    "All operations, in the order of execution.")
            .def_property_readonly(
                    "inputs",
                    [](const PyGraph& graph) {
                        return operandsOf(graph, graph.get().inputIndexes);
                    },
                    "The operands that are inputs.")
            .def_property_readonly(
                    "outputs",
                    [](const PyGraph& graph) {
                        return operandsOf(graph, graph.get().outputIndexes);
                    },
                    "The operands that are outputs.")
            .def("__repr__", [](const PyGraph& graph) {
                return fmt::format("<nnapi.Graph: {} operations, {} operands>",
                                   graph.get().operations.size(), graph.get().operands.size());
            });

    py::class_<PyModel>(module, "Model", "A model: immutable, in its canonical form.")
            .def_property_readonly(
                    "version",
                    [](const PyModel& model) -> std::optional<std::string> {
                        if (!model.version) return std::nullopt;
                        return std::string(toString(*model.version));
                    },
                    "The version whose form the model has, as \"1.2\"; None for a canonical model.")
            .def_readonly("import_losses", &PyModel::losses,
                          "What computes differently than in the imported file.")
            .def_property_readonly(
                    "operands", [](const PyModel& model) { return allOperandsOf(mainOf(model)); },
                    "All operands of the main graph, by index.")
            .def_property_readonly(
                    "operations", [](const PyModel& model) { return model.model->main.operations; },
                    "All operations of the main graph, in the order of execution.")
            .def_property_readonly(
                    "inputs",
                    [](const PyModel& model) {
                        return operandsOf(mainOf(model), model.model->main.inputIndexes);
                    },
                    "The operands that are inputs of the main graph.")
            .def_property_readonly(
                    "outputs",
                    [](const PyModel& model) {
                        return operandsOf(mainOf(model), model.model->main.outputIndexes);
                    },
                    "The operands that are outputs of the main graph.")
            .def_property_readonly(
                    "referenced",
                    [](const PyModel& model) {
                        std::vector<PyGraph> graphs;
                        for (size_t i = 0; i < model.model->referenced.size(); ++i)
                            graphs.push_back({model.model, i});
                        return graphs;
                    },
                    "The graphs that IF and WHILE refer to.")
            .def_property_readonly(
                    "counts",
                    [](const PyModel& model) {
                        std::map<std::string, size_t> counts;
                        for (const Operation& operation : model.model->main.operations)
                            ++counts[toString(operation.type)];
                        return counts;
                    },
                    "How many operations of each type the main graph has.")
            .def_property_readonly(
                    "is_relaxed",
                    [](const PyModel& model) {
                        return model.model->relaxComputationFloat32toFloat16;
                    },
                    "True if float32 may be computed as float16.")
            .def_property_readonly(
                    "required_level", &requiredLevelOf,
                    "The lowest feature level that can represent the model, 1 for HAL 1.0.\n\n"
                    "Raises\n------\nValidationError\n    If no level can.")
            .def("validate", &diagnosticsOf, py::arg("target") = py::none(),
                 "validate(self, target=None)\n--\n\nAll errors, then all warnings.\n\n"
                 "Parameters\n----------\ntarget : str, optional\n"
                 "    A version, as \"1.2\" or \"aidl1\": what it cannot represent is an error, "
                 "too.\n\n"
                 "Returns\n-------\nlist of Diagnostic\n    Empty for a legal model without "
                 "warnings.")
            .def("save", &save, py::arg("path"),
                 "save(self, path)\n--\n\nWrites a file: .pb, .textproto, .json or .tflite.\n\n"
                 "Returns\n-------\nlist of Loss\n    What the file cannot carry.")
            .def("__eq__",
                 [](const PyModel& a, const py::object& b) -> py::object {
                     if (!py::isinstance<PyModel>(b))
                         return py::reinterpret_borrow<py::object>(Py_NotImplemented);
                     return py::bool_(*a.model == *b.cast<const PyModel&>().model);
                 })
            .def("__str__", [](const PyModel& model) { return textOf(print(*model.model)); })
            .def("__copy__", [](py::object self) { return self; })
            .def("__deepcopy__", [](py::object self, const py::object&) { return self; })
            .def("__reduce__", &reducedOf)
            .def("__repr__", &summaryOf);

    module.def("load", &load, py::arg("path"), py::kw_only(), py::arg("shapes") = py::dict(),
               py::arg("values") = py::dict(), py::arg("target") = py::none());
    module.def("load_bytes", &loadBytes, py::arg("bytes"), py::kw_only(), py::arg("shapes"),
               py::arg("values"), py::arg("target"));
    module.def("restored_model", &restoredModel);
    module.def("convert", &convert, py::arg("model"), py::arg("version"));
    module.def("minimize", &minimize, py::arg("model"));
    module.def("slice", &slice, py::arg("model"), py::arg("version"));
}

}  // namespace nn::python
