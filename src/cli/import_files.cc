#include "cli/import_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <charconv>

#include "nnapi/memory.h"
#include "schema/files.h"
#include "types/limits.h"
#include "types/printable.h"
#ifdef NNAPI_HAS_IMPORTERS
#include "importers/common/equal_models.h"
#include "nnapi/import/onnx.h"
#include "nnapi/import/tflite.h"
#endif

namespace nn::cli {
namespace {

namespace fs = std::filesystem;

#ifdef NNAPI_HAS_IMPORTERS

std::span<const uint8_t> asBytes(std::string_view text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

Result<ImportOptions> importOptionsOf(const Options& options) {
    NNAPI_ASSIGN_OR_RETURN(shapes, shapesOf(options.shapes));
    ImportOptions chosen{
            .shapes = std::move(shapes), .partial = options.partial, .limits = options.limits};
    if (options.hal) chosen.target = toVersion(*options.hal);
    return chosen;
}

#else

Status notBuilt() {
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     "this program was built without the readers of other formats");
}

#endif

}  // namespace

bool isImportable(const fs::path& path) {
    return path.extension() == ".tflite" || path.extension() == ".onnx";
}

bool hasImportableBytes([[maybe_unused]] std::string_view bytes) {
#ifdef NNAPI_HAS_IMPORTERS
    return isTflite(asBytes(bytes)) || isOnnx(asBytes(bytes));
#else
    return false;
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
                             fmt::format("--shape is {}, allowed NAME=1,3,48,192", inQuotes(text)));
        }
        shapes[text.substr(0, equals)] = std::move(dimensions);
    }
    return shapes;
}

#ifdef NNAPI_HAS_IMPORTERS

// Its constants may lie in files beside it.
static Result<Import> importOnnxFile(const fs::path& path, const Options& options) {
    NNAPI_ASSIGN_OR_RETURN(chosen, importOptionsOf(options));
    NNAPI_ASSIGN_OR_RETURN(bytes, schema::readFile(path, options.limits));
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    auto imported = importOnnx(asBytes(bytes), {.common = std::move(chosen), .folder = folder});
    if (!imported.ok()) return schema::within(schema::nameOf(path) + ": ", imported.status());
    return imported;
}

static Result<Import> importTfliteFile(const fs::path& path, const Options& options) {
    NNAPI_ASSIGN_OR_RETURN(chosen, importOptionsOf(options));
    NNAPI_ASSIGN_OR_RETURN(fd, schema::openRegularFile(path));
    struct stat status {};
    if (fstat(fd.get(), &status) != 0) return schema::systemError(path);
    const auto size = static_cast<size_t>(status.st_size);
    NNAPI_RETURN_IF_ERROR(within(options.limits, &Limits::fileBytes, size, schema::nameOf(path)));
    const std::string place = schema::nameOf(path) + ": ";
    if (size == 0) return makeError(ErrorStatus::INVALID_ARGUMENT, place + "is empty");
    const auto memory = createSharedMemory(size, PROT_READ, fd.get(), 0);
    if (!memory.ok()) return schema::within(place, memory.status());
    auto imported = importTflite(*memory, chosen);
    if (!imported.ok()) return schema::within(place, imported.status());
    return imported;
}

Result<Import> importFile(const fs::path& path, const Options& options) {
    return path.extension() == ".onnx" ? importOnnxFile(path, options)
                                       : importTfliteFile(path, options);
}

Result<Import> importBytes(std::string_view bytes, const std::string& name,
                           const Options& options) {
    NNAPI_ASSIGN_OR_RETURN(chosen, importOptionsOf(options));
    auto imported = isTflite(asBytes(bytes))
                            ? importTflite(asBytes(bytes), chosen)
                            : importOnnx(asBytes(bytes), {.common = std::move(chosen)});
    if (!imported.ok()) return schema::within(name + ": ", imported.status());
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
    return schema::within(schema::nameOf(path) + ": ", notBuilt());
}

Result<Import> importBytes(std::string_view, const std::string& name, const Options&) {
    return schema::within(name + ": ", notBuilt());
}

#endif

}  // namespace nn::cli
