// nnapi/io.h -- model files, files of test cases, and descriptions of devices.
//
//   nn::Result<nn::AnyModel> model = nn::readModel("mobilenet.pb");
//   nn::Status written = nn::writeModel("mobilenet.json", *model);
//
//   nn::Result<nn::TestCaseReader> cases = nn::TestCaseReader::open("V1_0/add.jsonl.gz");
//   while (std::optional<nn::Result<nn::TestCase>> next = cases->next()) {
//       if (!next->ok()) continue;  // says file and line; the next call reads the next line
//       run((*next)->model);
//   }
//
// A model file holds one model, canonical or of one HAL version, as binary protobuf (.pb), protobuf
// text (.textproto) or JSON (.json); files of test cases are JSON lines (.jsonl, .jsonl.gz). The
// schemas are in schemas/nnapi/: model_file.proto and test_case.proto.
//
// A written object reads back as an equal object, with the same bytes in its memory pools. The
// pools have new files, so compare the bytes, not the handles. Hardware buffers and memory of an
// unknown kind keep only name and size, not their handles. The two text formats do not keep the bit
// pattern of a NaN. Caller-owned memory (POINTER) and names that are not UTF-8 are refused, as no
// file can hold them. Either the whole file is written, or no file.
//
// No global state; distinct readers may be used from distinct threads.
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

#include "nnapi/device_overlay.h"
#include "nnapi/hal/aidl/types.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"
#include "nnapi/version.h"

namespace nn {

// ---------------------------------------------------------------------------------------------
// Models

// Canonical, or of any version that has converters: V1_0::Model, V1_1::Model, ..., AidlModel.
// Move-only, as AidlModel is.
using AnyModel = std::variant<Model
#define NNAPI_HAL_MODEL(Hal, from, to) , Hal
#define NNAPI_HAL_MODELS(Hal, held, from, to) , held
#include "nnapi/convert_types.def"
                              >;

enum class Format { BINARY, TEXT, JSON };

// What the extension of a path says: .pb, .textproto, .json.
std::optional<Format> formatOf(const std::filesystem::path& path);

struct WriteOptions {
    // Memory pools of more bytes go into a side file, "<path>.data". Reading maps them from there,
    // read-only, as Memory::Fd or "mmap_fd" whatever kind they had. Empty: no side file.
    std::optional<uint64_t> sideFileAbove{};
};

// JSON may also hold a canonical model without the wrapper, as test cases do. Side files lie in or
// below the folder of the model file.
Result<AnyModel> readModel(const std::filesystem::path& path, const Limits& limits = {});
Status writeModel(const std::filesystem::path& path, const AnyModel& model,
                  const WriteOptions& options = {});

// The same from and to memory, without side files.
Result<AnyModel> parseModel(std::string_view bytes, Format format, const Limits& limits = {});
Result<std::string> serializeModel(const AnyModel& model, Format format);

// ---------------------------------------------------------------------------------------------
// Test cases

struct TestCase {
    struct Output {
        Tensor value{};
        bool ignored = false;  // not compared
        bool operator==(const Output&) const = default;
    };

    std::string name{};
    std::string spec{};                            // the file that it comes from, "V1_0/add"
    std::optional<Version> minSupportedVersion{};  // empty: not known
    bool expectFailure = false;                    // refused, or preparing or executing it fails
    float expectedMultinomialDistributionTolerance = 0.0f;
    Model model{};
    std::vector<Tensor> inputs{};   // one for each of model.main.inputIndexes
    std::vector<Output> outputs{};  // one for each of model.main.outputIndexes

    bool operator==(const TestCase&) const = default;
};

// Reads one test case after the other; holds one line in memory.
class TestCaseReader {
   public:
    // A path that ends in .jsonl or .jsonl.gz.
    static Result<TestCaseReader> open(const std::filesystem::path& path,
                                       const Limits& limits = {});

    // An open file or pipe, compressed or not, read from its current position; the name is for
    // messages.
    static Result<TestCaseReader> open(UniqueFd fd, std::string name, const Limits& limits = {});

    TestCaseReader(TestCaseReader&&) noexcept;
    TestCaseReader& operator=(TestCaseReader&&) noexcept;
    ~TestCaseReader();

    // Empty at the end of the file. A failure concerns one line, and the next call reads the line
    // after it; where the file cannot be read any further, the failure is the last answer.
    std::optional<Result<TestCase>> next();

   private:
    class File;
    explicit TestCaseReader(std::unique_ptr<File> file);
    std::unique_ptr<File> mFile;
};

// Writes one test case after the other. commit() puts the file under its name and replaces an older
// one; without commit(), or after a failure, no file appears.
class TestCaseWriter {
   public:
    // A path that ends in .jsonl or .jsonl.gz.
    static Result<TestCaseWriter> create(const std::filesystem::path& path);

    TestCaseWriter(TestCaseWriter&&) noexcept;
    TestCaseWriter& operator=(TestCaseWriter&&) noexcept;
    ~TestCaseWriter();

    Status write(const TestCase& testCase);
    Status commit();

   private:
    class File;
    explicit TestCaseWriter(std::unique_ptr<File> file);
    std::unique_ptr<File> mFile;  // null once committed, or after a failure
};

Status writeTestCases(const std::filesystem::path& path, std::span<const TestCase> testCases);

// One line, without the end of line.
Result<TestCase> parseTestCase(std::string_view line, const Limits& limits = {});
Result<std::string> serializeTestCase(const TestCase& testCase);

// ---------------------------------------------------------------------------------------------
// Devices

// Reads a description of a device; schemas/nnapi/device.proto describes the file. nn::validate
// tells whether the operands and rules that it names exist.
Result<DeviceOverlay> readDevice(const std::filesystem::path& path, const Limits& limits = {});
Result<DeviceOverlay> parseDevice(std::string_view bytes, Format format, const Limits& limits = {});

}  // namespace nn
