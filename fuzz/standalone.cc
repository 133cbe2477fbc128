// All targets in one program, for use without libFuzzer:
//
//   nnapi_fuzz_test                  every target on its seeds and on mutations of them: a test
//   nnapi_fuzz_test TARGET FILE...   one target on files, to see a finding again
//   nnapi_fuzz_test --list           names of targets
//   nnapi_fuzz_test --corpus FOLDER  the start of libFuzzer: <target>/ and <target>.dict
//
// The mutations are the same in every run; NNAPI_FUZZ_RUNS sets the number for each target. An
// input that aborts the program is kept as finding-<target>.
#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "driver/cache/digest.h"
#include "fuzz/input.h"
#ifdef NNAPI_HAS_IMPORTERS
#include "importers/graphs/any_graph.h"
#include "importers/onnx_operator_files.h"
#include "importers/operator_files.h"
#endif
#include "nnapi/convert.h"
#include "nnapi/device.pb.h"
#include "nnapi/model_file.pb.h"
#include "nnapi/test_case.pb.h"

extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace nn::fuzz {
namespace {

namespace fs = std::filesystem;
namespace pb = google::protobuf;
using Bytes = std::vector<uint8_t>;

constexpr size_t kMaxBytes = 4096;    // of a seed, and of its mutations
constexpr unsigned kMaxSeconds = 20;  // of one run

std::vector<Target>& targets() {
    static std::vector<Target> all;
    return all;
}

std::minstd_rand& engine() {
    static std::minstd_rand instance;
    return instance;
}

size_t below(size_t bound) { return bound == 0 ? 0 : engine()() % bound; }

Bytes bytesOf(std::string_view text) { return {text.begin(), text.end()}; }

// ---------------------------------------------------------------------------------------------
// The formats

void addWords(const pb::Descriptor& type, std::set<const pb::Descriptor*>& seen,
              std::set<std::string>& words) {
    if (!seen.insert(&type).second) return;
    for (int i = 0; i < type.field_count(); ++i) {
        const pb::FieldDescriptor& field = *type.field(i);
        words.insert(field.name());
        if (field.message_type() != nullptr) addWords(*field.message_type(), seen, words);
        for (int e = 0; field.enum_type() != nullptr && e < field.enum_type()->value_count(); ++e) {
            words.insert(field.enum_type()->value(e)->name());
        }
    }
}

// Names of fields and enumerators of the text formats; empty for the others.
const std::vector<std::string>& wordsOf(Kind kind) {
    const auto of = [](const pb::Descriptor& type) {
        std::set<const pb::Descriptor*> seen;
        std::set<std::string> words{"true", "false", "NaN", "inf", "4294967295", "-1"};
        addWords(type, seen, words);
        return std::vector<std::string>(words.begin(), words.end());
    };
    static const std::vector<std::string> kNone;
    static const auto kModel = of(*nnapi::ModelFile::descriptor());
    static const auto kTestCase = of(*nnapi::TestCase::descriptor());
    static const auto kDevice = of(*nnapi::Device::descriptor());
    switch (kind) {
        case Kind::TEXTPROTO:
        case Kind::JSON:
            return kModel;
        case Kind::TEST_CASE:
            return kTestCase;
        case Kind::DEVICE:
            return kDevice;
        default:
            return kNone;
    }
}

// ---------------------------------------------------------------------------------------------
// Seeds

Bytes readFile(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    expect(file.good(), path.string() + " cannot be read");
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> filesIn(const fs::path& folder) {
    std::vector<fs::path> files;
    if (!fs::exists(folder)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

// The first test case of every small file of tests/vectors.
const std::vector<TestCase>& vectors() {
    static const std::vector<TestCase> kCases = [] {
        std::vector<TestCase> cases;
        for (const fs::path& path : filesIn(NNAPI_SOURCE_DIR "/tests/vectors")) {
            if (path.extension() != ".gz" || fs::file_size(path) > 2 * kMaxBytes) continue;
            auto reader = TestCaseReader::open(path);
            auto next = reader.ok() ? reader->next() : std::nullopt;
            if (next && next->ok()) cases.push_back(**std::move(next));
        }
        return cases;
    }();
    return kCases;
}

// The seeds that a target derives from a test case: several, or none.
void addSeeds(const TestCase& testCase, Kind kind, std::vector<Bytes>& seeds) {
    const auto add = [&](const Result<std::string>& text) {
        if (text.ok() && text->size() <= kMaxBytes) seeds.push_back(bytesOf(*text));
    };
    switch (kind) {
        case Kind::TEXTPROTO:
            return add(serializeModel(testCase.model, Format::TEXT));
        case Kind::JSON:
            return add(serializeModel(testCase.model, Format::JSON));
        case Kind::TEST_CASE:
            return add(serializeTestCase(testCase));
        case Kind::MODEL: {
            Result<std::string> file = serializeModel(testCase.model, Format::BINARY);
            if (!file.ok()) return;
            for (const Tensor& input : testCase.inputs) {  // the bytes from which anyBits chooses
                file->append(input.data.begin(), input.data.end());
            }
            return add(file);
        }
        case Kind::HAL_MODEL:
            for (const HalVersion version : kConvertibleVersions) {
                auto model = convertTo(version, testCase.model);
                if (!model.ok()) continue;
                std::visit(
                        [&](auto& m) {
                            add(serializeModel(AnyModel(std::move(m)), Format::BINARY));
                        },
                        *model);
            }
            return;
        case Kind::DEVICE:
        case Kind::CHOICES:
        case Kind::RECORDS:
        case Kind::TFLITE:
        case Kind::ONNX:
            return;
    }
}

// Splits bytes into records that are shorter than a limit.
void divide(Bytes& bytes, uint8_t length) {
    for (size_t at = 0; at < bytes.size(); at += size_t{1} + bytes[at]) bytes[at] %= length;
}

// Hand-picked seeds come first: findings, and inputs that reach otherwise uncovered code.
std::vector<Bytes> seedsOf(const Target& target) {
    std::vector<Bytes> seeds{{}};
    const fs::path folder = NNAPI_SOURCE_DIR "/fuzz/seeds";
    for (const fs::path& path : filesIn(folder / target.name)) seeds.push_back(readFile(path));
    if (target.kind == Kind::DEVICE) {
        for (const fs::path& path : filesIn(NNAPI_SOURCE_DIR "/examples/devices")) {
            seeds.push_back(readFile(path));
        }
    }
#ifdef NNAPI_HAS_IMPORTERS
    if (target.kind == Kind::TFLITE || target.kind == Kind::ONNX) {
        const bool isOnnx = target.kind == Kind::ONNX;
        for (uint64_t number = 1; number <= 200; ++number) {
            const Bytes choices = graphs::choicesOf(number);
            testing::Source source(choices);
            Bytes graph =
                    graphs::anyGraph(isOnnx ? graphs::FileFormat::ONNX : graphs::FileFormat::TFLITE,
                                     source)
                            .bytes;
            if (graph.size() <= kMaxBytes) seeds.push_back(std::move(graph));
        }
    }
    if (target.kind == Kind::TFLITE) {
        for (tflite::OperatorFile& file : tflite::operatorFiles()) {
            seeds.push_back(std::move(file.bytes));
        }
        return seeds;
    }
    if (target.kind == Kind::ONNX) {
        for (const onnx::OnnxOperatorFile& file : onnx::onnxOperatorFiles()) {
            seeds.push_back(bytesOf(file.bytes));
        }
        return seeds;
    }
#endif
    if (target.kind == Kind::CHOICES || target.kind == Kind::RECORDS) {
        for (int i = 0; i < 100; ++i) {
            Bytes& seed = seeds.emplace_back(below(1024));
            for (uint8_t& byte : seed) byte = static_cast<uint8_t>(engine()() >> 8);
            if (target.kind == Kind::RECORDS) divide(seed, i % 2 == 0 ? 16 : 64);
        }
    } else {
        for (const TestCase& testCase : vectors()) addSeeds(testCase, target.kind, seeds);
    }
    return seeds;
}

// ---------------------------------------------------------------------------------------------
// Runs

// The current run, reported if it aborts the program.
struct {
    char file[64] = {};
    std::span<const uint8_t> bytes{};
} current;

// Async-signal-safe.
void keepInput() {
    const int fd = ::open(current.file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return;
    const bool isKept = ::write(fd, current.bytes.data(), current.bytes.size()) >= 0;
    constexpr std::string_view kText = "The input is kept in ";
    if (isKept && ::write(STDERR_FILENO, kText.data(), kText.size()) >= 0 &&
        ::write(STDERR_FILENO, current.file, std::string_view(current.file).size()) >= 0) {
        static_cast<void>(!::write(STDERR_FILENO, "\n", 1));
    }
    ::close(fd);
}

void onSignal(int signal) {
    keepInput();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void watch() {
    if (__sanitizer_set_death_callback != nullptr) {
        __sanitizer_set_death_callback(keepInput);
    } else {
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, onSignal);
    }
    for (const int signal : {SIGABRT, SIGALRM}) std::signal(signal, onSignal);
}

void run(const Target& target, const Bytes& bytes) {
    *fmt::format_to_n(current.file, sizeof(current.file) - 1, "finding-{}", target.name).out = '\0';
    current.bytes = bytes;
    alarm(kMaxSeconds);
    target.run(bytes);
    alarm(0);
    current.bytes = {};
}

// How the bytes of a kind are mutated and crossed.
struct Mutations {
    size_t (*mutate)(uint8_t* data, size_t size, size_t maxSize, unsigned seed);
    size_t (*cross)(std::span<const uint8_t> a, std::span<const uint8_t> b, std::span<uint8_t> out,
                    unsigned seed);
};

Mutations mutationsOf(Kind kind) {
    switch (kind) {
        case Kind::MODEL:
        case Kind::HAL_MODEL:
            return {mutateModelFile, crossModelFiles};
        case Kind::RECORDS:
            return {mutateRecords, crossRecords};
#ifdef NNAPI_HAS_IMPORTERS
        case Kind::ONNX:
            return {mutateOnnxFile, crossOnnxFiles};
        case Kind::TFLITE:
            return {mutateTfliteFile, crossTfliteFiles};
#endif
        default:
            return {[](uint8_t* data, size_t size, size_t maxSize, unsigned) {
                        return LLVMFuzzerMutate(data, size, maxSize);
                    },
                    nullptr};
    }
}

Bytes mutant(const Target& target, const std::vector<Bytes>& seeds) {
    const auto [mutate, cross] = mutationsOf(target.kind);
    Bytes bytes = seeds[below(seeds.size())];
    const size_t most = std::max(bytes.size(), kMaxBytes);
    if (cross != nullptr && below(4) == 0) {
        const Bytes& other = seeds[below(seeds.size())];
        Bytes crossed(most);
        crossed.resize(cross(bytes, other, crossed, static_cast<unsigned>(engine()())));
        bytes = std::move(crossed);
    }
    for (size_t n = 1 + below(2); n != 0; --n) {
        const size_t size = bytes.size();
        bytes.resize(most);
        const auto seed = static_cast<unsigned>(engine()());
        bytes.resize(mutate(bytes.data(), size, most, seed));
        const auto& words = wordsOf(target.kind);
        if (!words.empty() && below(2) == 0) {
            const std::string& word = words[below(words.size())];
            bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(below(bytes.size() + 1)),
                         word.begin(), word.end());
            bytes.resize(std::min(bytes.size(), most));
        }
    }
    return bytes;
}

void test(const Target& target, size_t runs) {
    engine().seed(1);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<Bytes> seeds = seedsOf(target);
    for (const Bytes& seed : seeds) run(target, seed);
    for (size_t i = 0; i < runs; ++i) run(target, mutant(target, seeds));
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    fmt::print("{}: {} seeds, {} mutants, {:.1f} s\n", target.name, seeds.size(), runs,
               time.count());
    std::fflush(stdout);
}

void writeCorpus(const Target& target, const fs::path& folder) {
    engine().seed(1);
    fs::create_directories(folder / target.name);
    const std::vector<Bytes> seeds = seedsOf(target);
    for (size_t i = 0; i < seeds.size(); ++i) {
        std::ofstream file(folder / target.name / fmt::format("seed{:04}", i), std::ios::binary);
        file.write(reinterpret_cast<const char*>(seeds[i].data()),
                   static_cast<std::streamsize>(seeds[i].size()));
    }
    std::ofstream dictionary(folder / fmt::format("{}.dict", target.name));
    for (const std::string& word : wordsOf(target.kind)) dictionary << '"' << word << "\"\n";
}

int main(std::span<char* const> arguments) {
    std::ranges::sort(targets(), {}, &Target::name);
    watch();
    // libcrypto never frees the state of its first use on a thread: on this thread it stays
    // reachable.
    (void)cache::sha256({});
    const std::string_view command = arguments.empty() ? "" : arguments[0];
    if (command.empty()) {
        const char* runs = std::getenv("NNAPI_FUZZ_RUNS");
        for (const Target& target : targets()) {
            test(target, runs == nullptr ? 500 : std::strtoull(runs, nullptr, 10));
        }
        return 0;
    }
    if (command == "--list") {
        for (const Target& target : targets()) fmt::print("{}\n", target.name);
        return 0;
    }
    if (command == "--corpus" && arguments.size() == 2) {
        for (const Target& target : targets()) writeCorpus(target, arguments[1]);
        return 0;
    }
    const auto target = std::ranges::find(targets(), command, &Target::name);
    if (target == targets().end()) {
        fmt::print(stderr, "{} is no target; --list names them\n", command);
        return 2;
    }
    for (const char* path : arguments.subspan(1)) run(*target, readFile(path));
    return 0;
}

}  // namespace

Registration::Registration(const Target& target) { targets().push_back(target); }

}  // namespace nn::fuzz

// Changes a few bytes: sets, flips, inserts, removes, repeats.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize) {
    using nn::fuzz::below;
    static constexpr uint8_t kBytes[] = {0, 1, 0x7F, 0x80, 0xFF, '{', '}', '"', ',', '0', '-'};
    const auto any = [] {
        return below(2) == 0 ? kBytes[below(std::size(kBytes))] : static_cast<uint8_t>(below(256));
    };
    if (size == 0) {
        if (maxSize == 0) return 0;
        data[0] = any();
        return 1;
    }
    const size_t at = below(size);
    const size_t count = 1 + below(std::min<size_t>(size - at, 16));
    switch (below(5)) {
        case 0:
            data[at] = any();
            return size;
        case 1:
            data[at] ^= static_cast<uint8_t>(1u << below(8));
            return size;
        case 2:  // takes away
            std::copy(data + at + count, data + size, data + at);
            return size - count;
        default: {  // repeats or inserts
            if (size + count > maxSize) return size;
            std::copy_backward(data + at, data + size, data + size + count);
            if (below(2) == 0) std::generate(data + at, data + at + count, any);
            return size + count;
        }
    }
}

int main(int argc, char** argv) {
    return nn::fuzz::main({argv + 1, static_cast<size_t>(argc - 1)});
}
