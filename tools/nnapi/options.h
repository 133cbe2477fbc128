// The parsed arguments of a command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nnapi/limits.h"
#include "nnapi/version.h"

namespace nn::schema {
enum class StreamFormat;
}  // namespace nn::schema

namespace nn::cli {

// Options of commands that open devices.
struct PeerChoices {
    // PEM files.
    std::string certificate{};
    std::string key{};
    std::string authorities{};
    std::string serverName{};
    bool insecurePlainTcp = false;
    size_t heartbeat = 1000;  // milliseconds; 0: none
    bool operator==(const PeerChoices&) const = default;
};

// Options of test-device and report; conformance has filters and timeout, verify html.
struct CaseOptions {
    bool list = false;
    std::vector<std::string> filters{};
    std::string knownFailures{};
    std::string tolerances{};
    std::string earlier{};  // --compare
    size_t bias = 25;       // hundredths of a step
    std::string shard{};    // "2/4"
    std::string results{};
    bool resume = false;
    size_t workers = 0;      // 0: one for each processor
    size_t timeout = 20000;  // milliseconds
    size_t soak = 0;         // seconds
    bool failFast = false;
    size_t maxFailures = 0;  // 0: any number
    size_t timeLimit = 0;    // seconds; 0: none
    size_t maxHangs = 3;     // of a kind; 0: any number
    std::string junit{};
    std::string html{};
    std::string shrink{};     // a folder
    size_t shrinkLimit = 30;  // seconds for each failure
};

// Options of serve.
struct ServeChoices {
    std::string listen{};
    size_t clients = 64;
    size_t clientsPerAddress = 32;
    size_t greetings = 128;
    size_t objects = 16384;
    uint64_t bytes = uint64_t{8} << 30;
    size_t calls = 256;
    size_t queues = 16;
    std::optional<size_t> descriptors{};
    uint64_t ceiling = 600;  // seconds
    size_t polling = 50;     // microseconds
    size_t threads = 4;
};

// Options of exec.
struct ExecChoices {
    std::vector<std::string> words{};  // the program and its arguments
    std::string record{};
    uint64_t executions = 0;
    bool report = false;
    bool isWithoutHost = false;
};

// Options of new-driver.
struct NewDriverChoices {
    std::string name{};
    std::string level = "canonical";
    bool burst = false;
    bool caching = false;
    bool memoryDomains = false;
};

struct Options {
    std::vector<std::string> files{};
    Limits limits{};
    std::optional<schema::StreamFormat> format{};  // of input or output without an extension
    size_t threads = 1;                            // of the commands that execute
    size_t jobs = 1;                               // conformance
    bool json = false;
    std::string color = "auto";
    bool all = false;                 // validate, verify, dot
    std::string device{};             // a file: validate, dot; a device: run, diff, test-device ...
    std::optional<HalVersion> hal{};  // --hal of validate, diff, dot, generate
    std::string to{};                 // convert: a version, canonical or tflite
    bool minimize = false;            // convert, verify
    bool slice = false;               // convert
    std::vector<std::string> shapes{};  // of inputs of files of other formats
    std::vector<std::string> values{};  // of inputs of files of ONNX
    bool partial = false;               // of such files
    // The version for which such files are imported; empty: as the command says.
    std::optional<HalVersion> importFor{};
    std::string out{};                   // convert, run, diff, generate
    std::vector<std::string> inputs{};   // run, diff
    bool exact = false;                  // diff
    bool each = false;                   // diff
    std::string dump{};                  // run, diff
    std::string trace{};                 // run, exec
    std::string drawing{};               // diff --dot
    std::vector<std::string> names{};    // ops, generate --op, new-driver --operations, help
    std::string action{};                // report
    bool markdown = false;               // ops, limits
    size_t repeat = 5;                   // bench
    uint64_t seed = 1;                   // generate
    uint64_t count = 1;                  // generate
    size_t operations = 6;               // generate: most operations of a model
    bool unknownDimensions = false;      // generate
    bool man = false;                    // help
    std::string completion{};            // help
    bool nan = false;                    // generate
    bool failing = false;                // generate
    std::vector<std::string> devices{};  // devices, serve, exec
    CaseOptions cases{};                 // test-device
    ServeChoices serve{};                // serve
    ExecChoices exec{};                  // exec
    NewDriverChoices driver{};           // new-driver
    PeerChoices peers{};                 // of all that open devices
};

}  // namespace nn::cli
