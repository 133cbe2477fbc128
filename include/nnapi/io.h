// nnapi/io.h -- Reads and writes model files, test cases and device descriptions.
//
//   nn::Result<nn::AnyModel> model = nn::readModel("mobilenet.pb");
//   nn::Status written = nn::writeModel("mobilenet.json", *model);
//
//   nn::Result<nn::TestCaseReader> cases = nn::TestCaseReader::open("V1_0/add.jsonl.gz");
//   while (std::optional<nn::Result<nn::TestCase>> next = cases->next()) {
//       if (!next->ok()) continue;  // a bad line, named in the error; next() continues after it
//       run((*next)->model);
//   }
//
// A model file holds one model, canonical or of one HAL version, as binary protobuf (.pb), protobuf
// text (.textproto) or JSON (.json). Test cases are JSON lines (.jsonl, .jsonl.gz). Schemas:
// model_file.proto and test_case.proto in schemas/nnapi/.
//
// An object that was written reads back equal, with the same bytes in its memory pools; the pools
// have new files, so compare their bytes, not their handles. Hardware buffers and memory of unknown
// kind keep only name and size. The text formats do not preserve the bits of a NaN. Caller-owned
// memory (POINTER) and names that are not UTF-8 are rejected, since no file can hold them. A failed
// write leaves no partial file.
//
// Failures name the file and, for text, line and column. No global state; distinct readers may be
// used from distinct threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "nnapi/device_profile.h"
#include "nnapi/hal/aidl/model.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"
#include "nnapi/version.h"

namespace nn {

// ---------------------------------------------------------------------------------------------
// Models

// A canonical model, or a model of any version with converters: V1_0::Model, V1_1::Model, ...,
// AidlModel. Move-only, as AidlModel is.
using AnyModel = std::variant<Model
#define NNAPI_HAL_MODEL(Hal, from, to) , Hal
#define NNAPI_HAL_MODELS(Hal, held, from, to) , held
#include "nnapi/convert_types.def"
                              >;

// Encoding of a file.
enum class Format { BINARY, TEXT, JSON };

// The format of a file name's extension (.pb, .textproto, .json); empty for any other extension.
std::optional<Format> formatOf(const std::filesystem::path& path);

// Options of writeModel().
struct WriteOptions {
    // Pools larger than this many bytes go into a side file, "<path>.data". Reading copies them
    // from there into sealed memory, as Memory::Fd or "mmap_fd", regardless of their original kind.
    // Empty: no side file.
    std::optional<uint64_t> sideFileAbove{};
};

// Reads model files in the format that their bytes show, writes them in the format of the
// extension. JSON may hold a canonical model without the wrapper message, as test cases do. Side
// files are in the file's folder or below.
Result<AnyModel> readModel(const std::filesystem::path& path, const Limits& limits = {});
Status writeModel(const std::filesystem::path& path, const AnyModel& model,
                  const WriteOptions& options = {});

// The same in memory, without side files.
Result<AnyModel> parseModel(std::string_view bytes, Format format, const Limits& limits = {});
Result<std::string> serializeModel(const AnyModel& model, Format format);

// ---------------------------------------------------------------------------------------------
// Test cases

// A model with inputs and expected outputs.
struct TestCase {
    struct Output {
        Tensor value{};        // dimensions and elements that are expected
        bool ignored = false;  // not compared
        bool operator==(const Output&) const = default;
    };

    std::string name{};                            // "add_2"
    std::string spec{};                            // the file it was made from, "V1_0/add"
    std::optional<Version> minSupportedVersion{};  // empty: unknown
    bool expectFailure = false;                    // validation, preparation or execution fails
    // Only for a RANDOM_MULTINOMIAL: how far the frequencies of the outputs may be from the
    // probabilities, 0 to 1. 0: the outputs are not random.
    float expectedMultinomialDistributionTolerance = 0.0f;

    Model model{};                  // not validated by readers
    std::vector<Tensor> inputs{};   // one for each of model.main.inputIndexes
    std::vector<Output> outputs{};  // one for each of model.main.outputIndexes

    bool operator==(const TestCase&) const = default;
};

// Reads test cases one by one; holds one line in memory. Not thread-safe.
class TestCaseReader {
   public:
    // Opens a .jsonl or .jsonl.gz file, either of them compressed or not.
    static Result<TestCaseReader> open(const std::filesystem::path& path,
                                       const Limits& limits = {});

    // Reads an open file or pipe, compressed or not, from its current position; `name` is used in
    // messages.
    static Result<TestCaseReader> open(UniqueFd fd, std::string name, const Limits& limits = {});

    TestCaseReader(TestCaseReader&&) noexcept;
    TestCaseReader& operator=(TestCaseReader&&) noexcept;
    ~TestCaseReader();

    // Empty at the end of the file. A failure concerns one line, and the next call reads the line
    // after it; if the file cannot be read further, it is the last result. A file without test
    // cases is a failure.
    std::optional<Result<TestCase>> next();

   private:
    class File;
    explicit TestCaseReader(std::unique_ptr<File> file);
    std::unique_ptr<File> mFile;
};

// Writes test cases one by one. commit() puts the file under its name, replacing an older one;
// without commit(), or after a failure, no file appears. Not thread-safe.
class TestCaseWriter {
   public:
    // Creates a .jsonl or .jsonl.gz file.
    static Result<TestCaseWriter> create(const std::filesystem::path& path);

    TestCaseWriter(TestCaseWriter&&) noexcept;
    TestCaseWriter& operator=(TestCaseWriter&&) noexcept;
    ~TestCaseWriter();

    // Adds a line. Fails, and with it the file, for a test case that no line can hold and if
    // writing fails.
    Status write(const TestCase& testCase);
    // Closes the file and renames it to its final name, once. Fails after a failed write() too.
    Status commit();

   private:
    class File;
    explicit TestCaseWriter(std::unique_ptr<File> file);
    std::unique_ptr<File> mFile;  // null once committed, or after a failure
};

// Writes a whole file.
Status writeTestCases(const std::filesystem::path& path, std::span<const TestCase> testCases);

// One test case as a line of JSON, without the line end.
Result<TestCase> parseTestCase(std::string_view line, const Limits& limits = {});
Result<std::string> serializeTestCase(const TestCase& testCase);

// ---------------------------------------------------------------------------------------------
// Devices

// Reads a device description; schema: schemas/nnapi/device.proto. nn::validate checks that the
// operands and rules that it names exist.
Result<DeviceProfile> readDevice(const std::filesystem::path& path, const Limits& limits = {});
Result<DeviceProfile> parseDevice(std::string_view bytes, Format format, const Limits& limits = {});

}  // namespace nn
