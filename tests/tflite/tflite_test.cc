// TensorFlow Lite, unmodified, over libneuralnetworks.so.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "kernel_comparison.h"
#include "lite_models.h"
#include "lite_tensors.h"
#include "nnapi/import/tflite.h"
#include "nnapi/io.h"
#include "nnapi/print.h"
#include "temporary_folder.h"

namespace nn {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The output of a run of the client.
struct Ran {
    int code = -1;
    std::string out{};
    std::string err{};
    std::vector<LiteTensor> tensors{};
};

// Runs a model; `environment` and `arguments` as a shell takes them.
Ran runClient(const LiteModel& model, const std::string& arguments,
              const std::string& environment = "") {
    const TemporaryFolder folder;
    const std::string command = fmt::format("env {} '{}' '{}' '{}' '{}' {} >'{}' 2>'{}'",
                                            environment, NNAPI_TFLITE_CLIENT, kLiteLibrary,
                                            pathOf(model), (folder / "tensors").string(), arguments,
                                            (folder / "out").string(), (folder / "err").string());
    const int status = std::system(command.c_str());
    Ran ran{.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = contentsOf(folder / "out"),
            .err = contentsOf(folder / "err")};
    if (ran.code == 0) ran.tensors = readLiteTensors(folder / "tensors");
    return ran;
}

#ifdef NNAPI_HAS_SERVICE
// A driver in a process of its own.
class ServedInterpreter {
   public:
    ServedInterpreter() {
        std::vector<std::string> words = {
                NNAPI_PROGRAM, "serve",
                "--device",    NNAPI_PLUGINS "/nnapi_plugin_tflite.so:interpreter",
                "--listen",    "unix:" + path()};
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        EXPECT_EQ(posix_spawn(&mProcess, words[0].c_str(), nullptr, nullptr, arguments.data(),
                              environ),
                  0);
        for (int i = 0; i < 500 && !std::filesystem::exists(path()); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
    ServedInterpreter(const ServedInterpreter&) = delete;
    // It removes its socket, which lies in the folder.
    ~ServedInterpreter() {
        if (mProcess <= 0) return;
        kill(mProcess, SIGTERM);
        waitpid(mProcess, nullptr, 0);
    }
    std::string path() const { return (mFolder / "socket").string(); }

   private:
    TemporaryFolder mFolder;
    pid_t mProcess = -1;
};
#endif

// The switches of libneuralnetworks.so, whose devices are the lines of a configuration.
class Environment {
   public:
    explicit Environment(const std::string& configuration, const std::string& more = "") {
        std::ofstream(mFolder / "devices") << configuration;
        mText = fmt::format("LD_LIBRARY_PATH='{}' NNAPI_CONFIG='{}' NNAPI_RECORD='{}' {}",
                            NNAPI_LIBRARY_FOLDER, (mFolder / "devices").string(),
                            (mFolder / "record").string(), more);
    }
    const std::string& text() const { return mText; }

    // The files that were recorded, with this ending.
    std::vector<std::filesystem::path> recorded(std::string_view ending) const {
        std::vector<std::filesystem::path> files;
        if (!std::filesystem::exists(mFolder / "record")) return files;
        for (const auto& entry : std::filesystem::directory_iterator(mFolder / "record")) {
            if (entry.path().string().ends_with(ending)) files.push_back(entry.path());
        }
        std::ranges::sort(files);
        return files;
    }
    std::string folder() const { return (mFolder / "record").string(); }

   private:
    TemporaryFolder mFolder;
    std::string mText;
};

const std::string kPlugin = "device " NNAPI_PLUGINS "/nnapi_plugin_tflite.so:";

// Where the devices are: the lines of a configuration.
struct Devices {
    const char* name;
    std::string configuration;
};
const std::vector<Devices>& devices() {
    static const std::vector<Devices> all = {
            {"host", ""},
            {"interpreter", "host off\n" + kPlugin + "interpreter\n"},
            // It lacks some operations.
            {"xnnpack and interpreter", "host off\ndevice nnapi-xnnpack\n" + kPlugin + "slow\n"},
            {"halves", "host off\n" + kPlugin + "half-1\n" + kPlugin + "half-2\n"},
    };
    return all;
}

// The operations that a model has more, and less, than another: "+1 ADD -2 MUL".
std::string differenceOf(const Model& model, const Model& from) {
    std::map<OperationType, int> counts;
    for (const Operation& operation : model.main.operations) ++counts[operation.type];
    for (const Operation& operation : from.main.operations) --counts[operation.type];
    std::vector<std::string> differences;
    for (const auto& [type, count] : counts) {
        if (count != 0) differences.push_back(fmt::format("{:+} {}", count, toString(type)));
    }
    return fmt::format("{}", fmt::join(differences, " "));
}

// What TensorFlow Lite cannot delegate, it executes itself without a word.
TEST_F(TensorFlowLite, DelegatesWhatIsImported) {
    for (const LiteModel& model : kModels) {
        SCOPED_TRACE(model.name);
        const Environment environment("");
        const Ran byNnapi = runClient(model, "--nnapi", environment.text());
        ASSERT_EQ(byNnapi.code, 0) << byNnapi.err;
        const auto models = environment.recorded(".pb");
        ASSERT_THAT(models, SizeIs(1));
        const Result<AnyModel> recorded = readModel(models[0]);
        ASSERT_TRUE(recorded.ok()) << recorded.status();
        const std::string file = contentsOf(pathOf(model));
        auto imported = importTflite({reinterpret_cast<const uint8_t*>(file.data()), file.size()});
        ASSERT_TRUE(imported.ok()) << imported.status();
        const Result<Model> whole = wholeModelOf(*std::move(imported));
        ASSERT_TRUE(whole.ok()) << whole.status();
        EXPECT_EQ(differenceOf(*whole, std::get<Model>(*recorded)), "");
    }
}

TEST_F(TensorFlowLite, EachOperationIsThatOfItsOwnKernels) {
    for (const LiteModel& model : kModels) {
        SCOPED_TRACE(model.name);
        const Environment environment("", "NNAPI_RECORD_EXECUTIONS=1");
        const Ran byNnapi = runClient(model, "--nnapi --all-tensors", environment.text());
        const Ran byLite = runClient(model, "--all-tensors");
        ASSERT_EQ(byNnapi.code, 0) << byNnapi.err;
        ASSERT_EQ(byLite.code, 0) << byLite.err;
        const auto executions = environment.recorded(".jsonl");
        ASSERT_THAT(executions, SizeIs(1));
        auto reader = TestCaseReader::open(executions[0]);
        ASSERT_TRUE(reader.ok()) << reader.status();
        const auto recorded = reader->next();
        ASSERT_TRUE(recorded && recorded->ok()) << (recorded ? recorded->status() : Status());
        const OperationsComparison comparison =
                compareOperations(**recorded, byNnapi.tensors, byLite.tensors);
        EXPECT_EQ(comparison.operations, model.operations);
        EXPECT_GE(comparison.compared, model.operations / 2);
        EXPECT_THAT(comparison.failures, IsEmpty());
        fmt::print("{}: {} of {} operations have outputs in TensorFlow Lite\n", model.name,
                   comparison.compared, comparison.operations);
    }
}

// The host, the interpreter, the fast driver, and two devices that divide the model among them.
TEST_F(TensorFlowLite, WholeNetworksOnEachDevice) {
    for (const LiteModel& model : kModels) {
        SCOPED_TRACE(model.name);
        const Ran byLite = runClient(model, "");
        ASSERT_EQ(byLite.code, 0) << byLite.err;
        for (const Devices& device : devices()) {
            SCOPED_TRACE(device.name);
            const Environment environment(device.configuration);
            const Ran byNnapi = runClient(model, "--nnapi", environment.text());
            ASSERT_EQ(byNnapi.code, 0) << byNnapi.err;
            EXPECT_THAT(environment.recorded(".pb"), ::testing::Not(IsEmpty()));
            const NetworkComparison comparison = compareNetworks(byNnapi.tensors, byLite.tensors);
            EXPECT_TRUE(comparison.sameTop);
            fmt::print("{} on {}: differs by {:.2g} of the largest number of an output\n",
                       model.name, device.name, comparison.largest);
        }
    }
}

#ifdef NNAPI_HAS_SERVICE
TEST_F(TensorFlowLite, ThroughAServiceInAnotherProcess) {
    const ServedInterpreter server;
    for (const LiteModel& model : kModels) {
        SCOPED_TRACE(model.name);
        const Ran here =
                runClient(model, "--nnapi", Environment(devices()[1].configuration).text());
        const Environment environment("host off\ndevice unix:" + server.path() + "\n");
        const Ran there = runClient(model, "--nnapi", environment.text());
        ASSERT_EQ(there.code, 0) << there.err;
        EXPECT_THAT(environment.recorded(".pb"), SizeIs(1));
        ASSERT_EQ(there.tensors.size(), here.tensors.size());
        for (size_t i = 0; i < here.tensors.size(); ++i) {
            EXPECT_EQ(there.tensors[i].value, here.tensors[i].value) << here.tensors[i].name;
        }
    }
}
#endif

TEST_F(TensorFlowLite, HearsOfADriverThatDies) {
    const Environment environment("host off\n" + kPlugin + "dying\n");
    const Ran ran = runClient(kModels[0], "--nnapi", environment.text());
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.err, HasSubstr("ANEURALNETWORKS_DEAD_OBJECT"));
}

TEST_F(TensorFlowLite, DoesNotGrow) {
    const Environment environment("");
    const Ran ran = runClient(kModels[1], "--nnapi --invocations 1000", environment.text());
    ASSERT_EQ(ran.code, 0) << ran.err;
    std::istringstream lines(ran.out);
    std::map<std::string, std::vector<size_t>> used;
    for (std::string what; lines >> what;) {
        size_t count = 0;
        lines >> count;
        used[what].push_back(count);
    }
    ASSERT_THAT(used, SizeIs(3));
    EXPECT_EQ(used["descriptors"][0], used["descriptors"][1]);
    EXPECT_EQ(used["threads"][0], used["threads"][1]);
    EXPECT_LE(used["kilobytes"][1], used["kilobytes"][0] + 512);
}

// Recorded executions of an application are cases for all tools.
TEST_F(TensorFlowLite, WhatIsRecordedPassesAllTools) {
    for (const LiteModel& model : {kModels[1], kModels[0]}) {
        SCOPED_TRACE(model.name);
        const Environment environment("host off\n" + kPlugin + "interpreter\n",
                                      "NNAPI_RECORD_EXECUTIONS=2");
        const Ran ran = runClient(model, "--nnapi --invocations 3", environment.text());
        ASSERT_EQ(ran.code, 0) << ran.err;
        ASSERT_THAT(environment.recorded(".jsonl"), SizeIs(2));
        for (const char* command : {"info", "validate", "verify", "run", "conformance",
                                    "test-device --device nnapi-reference --filter 'vectors/*'"}) {
            const std::string line = fmt::format("'{}' {} '{}'/*.jsonl >/dev/null", NNAPI_PROGRAM,
                                                 command, environment.folder());
            EXPECT_EQ(std::system(line.c_str()), 0) << line;
        }
    }
}

}  // namespace
}  // namespace nn
