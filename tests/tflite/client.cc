// Runs a model by TensorFlow Lite, as an application does:
//
//   client LIBRARY MODEL OUT [--nnapi] [--all-tensors] [--invocations N] [--seed N]
//
//   LIBRARY        libtensorflowlite_c.so of TensorFlow Lite 2.9
//   --nnapi        by its NNAPI delegate, which opens libneuralnetworks.so
//   --all-tensors  all that operations write are outputs of the model
//
// OUT gets each input and output: a line "input|output NAME TYPE SCALE ZERO_POINT DIMENSIONS...",
// and the bytes, whose number follows from the type and the dimensions. Standard output has one
// line each with the number of the process's descriptors, threads and memory after half the
// invocations and after all. Exit code 0, or 1 and a sentence on standard error.
//
//   client LIBRARY --batch FOLDER
//
// runs each NAME.tflite of a folder with the bytes of NAME.inputs: those of all inputs in their
// order, as often as there are. What variables hold goes from one invocation to the next.
// NAME.outputs gets the outputs of all invocations, in the form of OUT; NAME.error instead gets the
// sentence why there are none. Files that have one of both are left out.
//
//   client LIBRARY --times THREADS MODEL...
//
// times each model by the XNNPACK delegate of TensorFlow Lite, with so many threads, and by its
// NNAPI delegate, by turns; writes a line "MODEL MICROSECONDS MICROSECONDS" of the shortest times.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "importers/tflite_generated.h"

namespace {

// ---- what TensorFlow Lite exports: opaque objects, and a code that is 0 for success

struct TfLiteModel;
struct TfLiteOptions;
struct TfLiteInterpreter;
struct TfLiteDelegate;
struct TfLiteTensor;
struct TfLiteQuantization {
    float scale;
    int32_t zeroPoint;
};

struct XnnpackOptions {
    int32_t threads;
    uint32_t flags;  // 1: int8, 2: uint8
    void* weightsCache;
};

enum TfLiteType : int { FLOAT32 = 1, INT32 = 2, UINT8 = 3, INT8 = 9 };

struct TfLite {
    TfLiteModel* (*modelCreate)(const void*, size_t);
    void (*modelDelete)(TfLiteModel*);
    TfLiteOptions* (*optionsCreate)();
    void (*optionsDelete)(TfLiteOptions*);
    void (*setThreads)(TfLiteOptions*, int32_t);
    void (*setUseNnapi)(TfLiteOptions*, bool);
    void (*addDelegate)(TfLiteOptions*, TfLiteDelegate*);
    XnnpackOptions (*xnnpackDefaults)();
    TfLiteDelegate* (*xnnpackCreate)(const XnnpackOptions*);
    void (*xnnpackDelete)(TfLiteDelegate*);
    void (*setErrorReporter)(TfLiteOptions*, void (*)(void*, const char*, va_list), void*);
    TfLiteInterpreter* (*interpreterCreate)(const TfLiteModel*, const TfLiteOptions*);
    void (*interpreterDelete)(TfLiteInterpreter*);
    int (*allocateTensors)(TfLiteInterpreter*);
    int (*invoke)(TfLiteInterpreter*);
    int32_t (*inputCount)(const TfLiteInterpreter*);
    TfLiteTensor* (*input)(const TfLiteInterpreter*, int32_t);
    int32_t (*outputCount)(const TfLiteInterpreter*);
    const TfLiteTensor* (*output)(const TfLiteInterpreter*, int32_t);
    int (*type)(const TfLiteTensor*);
    int32_t (*rank)(const TfLiteTensor*);
    int32_t (*dimension)(const TfLiteTensor*, int32_t);
    size_t (*byteSize)(const TfLiteTensor*);
    void* (*data)(const TfLiteTensor*);
    const char* (*name)(const TfLiteTensor*);
    TfLiteQuantization (*quantization)(const TfLiteTensor*);

    explicit TfLite(const char* path) {
        void* library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
        if (library == nullptr) throw std::runtime_error(dlerror());
        const auto find = [&](auto& function, const char* symbol) {
            void* found = dlsym(library, symbol);
            if (found == nullptr) throw std::runtime_error(dlerror());
            std::memcpy(&function, &found, sizeof(found));
        };
        find(modelCreate, "TfLiteModelCreate");
        find(modelDelete, "TfLiteModelDelete");
        find(optionsCreate, "TfLiteInterpreterOptionsCreate");
        find(optionsDelete, "TfLiteInterpreterOptionsDelete");
        find(setThreads, "TfLiteInterpreterOptionsSetNumThreads");
        find(setUseNnapi, "TfLiteInterpreterOptionsSetUseNNAPI");
        find(addDelegate, "TfLiteInterpreterOptionsAddDelegate");
        find(xnnpackDefaults, "TfLiteXNNPackDelegateOptionsDefault");
        find(xnnpackCreate, "TfLiteXNNPackDelegateCreate");
        find(xnnpackDelete, "TfLiteXNNPackDelegateDelete");
        find(setErrorReporter, "TfLiteInterpreterOptionsSetErrorReporter");
        find(interpreterCreate, "TfLiteInterpreterCreate");
        find(interpreterDelete, "TfLiteInterpreterDelete");
        find(allocateTensors, "TfLiteInterpreterAllocateTensors");
        find(invoke, "TfLiteInterpreterInvoke");
        find(inputCount, "TfLiteInterpreterGetInputTensorCount");
        find(input, "TfLiteInterpreterGetInputTensor");
        find(outputCount, "TfLiteInterpreterGetOutputTensorCount");
        find(output, "TfLiteInterpreterGetOutputTensor");
        find(type, "TfLiteTensorType");
        find(rank, "TfLiteTensorNumDims");
        find(dimension, "TfLiteTensorDim");
        find(byteSize, "TfLiteTensorByteSize");
        find(data, "TfLiteTensorData");
        find(name, "TfLiteTensorName");
        find(quantization, "TfLiteTensorQuantizationParams");
    }
};

void require(bool condition, const std::string& message) {
    if (!condition) throw std::runtime_error(message);
}

// ---- the model's file

std::vector<char> bytesOf(const char* path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
    require(!bytes.empty(), std::string(path) + " cannot be read");
    return bytes;
}

// The file with the outputs of all operations as those of the model; but without outputs of those
// that only unpack constants, which the delegate needs as such.
std::vector<char> withAllOutputs(const std::vector<char>& file) {
    const auto model = nn::tflite::UnPackModel(file.data());
    nn::tflite::SubGraphT& graph = *model->subgraphs.front();
    std::vector<int32_t> known = graph.inputs;
    graph.outputs.clear();
    for (const auto& operation : graph.operators) {
        const auto& inputs = operation->inputs;
        const bool isOfConstants = std::ranges::find_first_of(inputs, known) == inputs.end();
        if (isOfConstants) continue;
        for (const int32_t tensor : operation->outputs) {
            known.push_back(tensor);
            graph.outputs.push_back(tensor);
        }
    }
    flatbuffers::FlatBufferBuilder builder;
    FinishModelBuffer(builder, nn::tflite::Model::Pack(builder, model.get()));
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

// ---- tensors

// The same values for the same seed: floats from 0 to 1, and all bytes.
void fill(const TfLite& lite, TfLiteTensor* tensor, std::mt19937& random) {
    const size_t size = lite.byteSize(tensor);
    auto* bytes = static_cast<unsigned char*>(lite.data(tensor));
    if (lite.type(tensor) != FLOAT32) {
        for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(random());
        return;
    }
    for (size_t i = 0; i + sizeof(float) <= size; i += sizeof(float)) {
        const float value = static_cast<float>(random() >> 8) / static_cast<float>(1 << 24);
        std::memcpy(bytes + i, &value, sizeof(value));
    }
}

void write(const TfLite& lite, const char* what, const TfLiteTensor* tensor, std::ostream& out) {
    const TfLiteQuantization quantization = lite.quantization(tensor);
    std::string name = lite.name(tensor);
    for (char& c : name) c = c <= ' ' ? '_' : c;
    out.precision(std::numeric_limits<float>::max_digits10);
    out << what << ' ' << name << ' ' << lite.type(tensor) << ' ' << quantization.scale << ' '
        << quantization.zeroPoint;
    for (int32_t i = 0; i < lite.rank(tensor); ++i) out << ' ' << lite.dimension(tensor, i);
    out << '\n';
    out.write(static_cast<const char*>(lite.data(tensor)),
              static_cast<std::streamsize>(lite.byteSize(tensor)));
}

// ---- the process

size_t entriesOf(const char* folder) {
    const auto entries = std::filesystem::directory_iterator(folder);
    return static_cast<size_t>(std::distance(begin(entries), end(entries)));
}

// In KiB.
size_t memoryInUse() {
    std::ifstream file("/proc/self/status");
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6));
    }
    return 0;
}

void tellUse() {
    std::printf("descriptors %zu threads %zu kilobytes %zu\n", entriesOf("/proc/self/fd"),
                entriesOf("/proc/self/task"), memoryInUse());
}

struct Arguments {
    const char* library = nullptr;
    const char* batch = nullptr;
    int32_t threads = 0;
    std::vector<const char*> timed{};
    const char* model = nullptr;
    const char* out = nullptr;
    bool nnapi = false;
    bool allTensors = false;
    unsigned long invocations = 1;
    unsigned seed = 1;

    Arguments(int argc, char** argv) {
        require(argc >= 4,
                "usage: LIBRARY MODEL OUT [--nnapi] [--all-tensors] [--invocations N] [--seed N], "
                "LIBRARY --batch FOLDER, or LIBRARY --times THREADS MODEL...");
        library = argv[1];
        if (argv[2] == std::string_view("--batch")) {
            batch = argv[3];
            return;
        }
        if (argv[2] == std::string_view("--times")) {
            threads = std::stoi(argv[3]);
            timed.assign(argv + 4, argv + argc);
            return;
        }
        model = argv[2];
        out = argv[3];
        for (int i = 4; i < argc; ++i) {
            const std::string_view argument = argv[i];
            const bool hasNext = i + 1 < argc;
            if (argument == "--nnapi") {
                nnapi = true;
            } else if (argument == "--all-tensors") {
                allTensors = true;
            } else if (argument == "--invocations" && hasNext) {
                invocations = std::stoul(argv[++i]);
            } else if (argument == "--seed" && hasNext) {
                seed = static_cast<unsigned>(std::stoul(argv[++i]));
            } else {
                throw std::runtime_error("unknown argument " + std::string(argument));
            }
        }
    }
};

// Who computes a model: TensorFlow Lite's own kernels, NNAPI, or XNNPACK with so many threads.
struct Computer {
    bool nnapi = false;
    int32_t xnnpackThreads = 0;
};

// A model that is ready to be invoked. The file must outlive it.
class Interpreter {
   public:
    Interpreter(const TfLite& lite, const std::vector<char>& file, Computer computer)
        : mLite(lite) {
        mModel = lite.modelCreate(file.data(), file.size());
        require(mModel != nullptr, "TensorFlow Lite refuses the model");
        mOptions = lite.optionsCreate();
        lite.setThreads(mOptions, 1);
        lite.setUseNnapi(mOptions, computer.nnapi);
        if (computer.xnnpackThreads != 0) {
            XnnpackOptions options = lite.xnnpackDefaults();
            options.threads = computer.xnnpackThreads;
            options.flags = 1 | 2;
            options.weightsCache = nullptr;
            mDelegate = lite.xnnpackCreate(&options);
            require(mDelegate != nullptr, "TensorFlow Lite has no XNNPACK");
            lite.addDelegate(mOptions, mDelegate);
        }
        lite.setErrorReporter(
                mOptions,
                [](void* said, const char* format, va_list values) {
                    char line[1024];
                    std::vsnprintf(line, sizeof(line), format, values);
                    *static_cast<std::string*>(said) += std::string(": ") + line;
                },
                &mSaid);
        mInterpreter = lite.interpreterCreate(mModel, mOptions);
        requireNow(mInterpreter != nullptr, "TensorFlow Lite makes no interpreter");
        requireNow(lite.allocateTensors(mInterpreter) == 0, "allocating tensors fails");
    }
    Interpreter(const Interpreter&) = delete;
    ~Interpreter() {
        if (mInterpreter != nullptr) mLite.interpreterDelete(mInterpreter);
        if (mDelegate != nullptr) mLite.xnnpackDelete(mDelegate);
        mLite.optionsDelete(mOptions);
        mLite.modelDelete(mModel);
    }

    void invoke() { requireNow(mLite.invoke(mInterpreter) == 0, "invoking the model fails"); }

    std::vector<TfLiteTensor*> inputs() const {
        std::vector<TfLiteTensor*> tensors;
        for (int32_t i = 0; i < mLite.inputCount(mInterpreter); ++i) {
            tensors.push_back(mLite.input(mInterpreter, i));
        }
        return tensors;
    }
    std::vector<const TfLiteTensor*> outputs() const {
        std::vector<const TfLiteTensor*> tensors;
        for (int32_t i = 0; i < mLite.outputCount(mInterpreter); ++i) {
            tensors.push_back(mLite.output(mInterpreter, i));
        }
        return tensors;
    }

   private:
    // With what TensorFlow Lite has said of it.
    void requireNow(bool condition, const char* message) const {
        if (!condition) throw std::runtime_error(message + mSaid);
    }

    const TfLite& mLite;
    std::string mSaid;
    TfLiteModel* mModel = nullptr;
    TfLiteOptions* mOptions = nullptr;
    TfLiteDelegate* mDelegate = nullptr;
    TfLiteInterpreter* mInterpreter = nullptr;
};

void runOne(const TfLite& lite, const Arguments& arguments) {
    std::vector<char> file = bytesOf(arguments.model);
    if (arguments.allTensors) file = withAllOutputs(file);
    Interpreter interpreter(lite, file, {.nnapi = arguments.nnapi});
    std::mt19937 random(arguments.seed);
    for (unsigned long i = 1; i <= arguments.invocations; ++i) {
        // The same each time.
        random.seed(arguments.seed);
        for (TfLiteTensor* input : interpreter.inputs()) fill(lite, input, random);
        interpreter.invoke();
        if (i == (arguments.invocations + 1) / 2) tellUse();
    }
    tellUse();

    std::ofstream out(arguments.out, std::ios::binary);
    for (const TfLiteTensor* input : interpreter.inputs()) write(lite, "input", input, out);
    for (const TfLiteTensor* output : interpreter.outputs()) write(lite, "output", output, out);
    require(out.flush().good(), std::string(arguments.out) + " cannot be written");
}

std::string runWithInputs(const TfLite& lite, const std::filesystem::path& model) {
    const std::vector<char> file = bytesOf(model.c_str());
    Interpreter interpreter(lite, file, {});
    std::ifstream in(std::filesystem::path(model).replace_extension("inputs"), std::ios::binary);
    std::ostringstream out;
    while (in.peek() != std::ifstream::traits_type::eof()) {
        for (TfLiteTensor* input : interpreter.inputs()) {
            const auto size = static_cast<std::streamsize>(lite.byteSize(input));
            in.read(static_cast<char*>(lite.data(input)), size);
            require(in.gcount() == size, "the inputs are cut off");
        }
        interpreter.invoke();
        for (const TfLiteTensor* output : interpreter.outputs()) write(lite, "output", output, out);
    }
    return out.str();
}

void runBatch(const TfLite& lite, const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> models;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".tflite") models.push_back(entry.path());
    }
    std::ranges::sort(models);
    for (const std::filesystem::path& model : models) {
        auto outputs = model, error = model;
        outputs.replace_extension("outputs");
        error.replace_extension("error");
        if (std::filesystem::exists(outputs) || std::filesystem::exists(error)) continue;
        try {
            const std::string bytes = runWithInputs(lite, model);
            std::ofstream(outputs, std::ios::binary) << bytes;
        } catch (const std::runtime_error& failure) {
            std::ofstream(error) << failure.what();
        }
    }
}

// In microseconds, for two seconds together.
void time(const TfLite& lite, const char* model, int32_t threads) {
    const std::vector<char> file = bytesOf(model);
    Interpreter xnnpack(lite, file, {.xnnpackThreads = threads});
    Interpreter nnapi(lite, file, {.nnapi = true});
    std::mt19937 random(1);
    using Clock = std::chrono::steady_clock;
    std::array<Clock::duration, 2> shortest{Clock::duration::max(), Clock::duration::max()};
    const std::array<Interpreter*, 2> both{&xnnpack, &nnapi};
    for (Interpreter* interpreter : both) {
        for (TfLiteTensor* input : interpreter->inputs()) fill(lite, input, random);
    }
    for (const auto end = Clock::now() + std::chrono::seconds(2); Clock::now() < end;) {
        for (size_t i = 0; i < both.size(); ++i) {
            // Several in a row, so that each finds its own data in the caches.
            for (int n = 0; n < 5; ++n) {
                const auto begin = Clock::now();
                both[i]->invoke();
                shortest[i] = std::min(shortest[i], Clock::now() - begin);
            }
        }
    }
    const auto microseconds = [](Clock::duration time) {
        return std::chrono::duration<double, std::micro>(time).count();
    };
    std::printf("%s %.1f %.1f\n", std::filesystem::path(model).stem().c_str(),
                microseconds(shortest[0]), microseconds(shortest[1]));
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Arguments arguments(argc, argv);
        const TfLite lite(arguments.library);
        if (arguments.batch != nullptr) {
            runBatch(lite, arguments.batch);
        } else if (arguments.threads != 0) {
            for (const char* model : arguments.timed) time(lite, model, arguments.threads);
        } else {
            runOne(lite, arguments);
        }
        return 0;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return 1;
    }
}
