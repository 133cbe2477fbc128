// A fuzz target is a file <name>_fuzzer.cc with one NNAPI_FUZZ_TARGET, which must be outside of
// namespaces.
//
//   NNAPI_FUZZ_TARGET(json, JSON) { nn::fuzz::expect(...); }
//
// The body receives `bytes`. For any bytes it must return within little time and memory. Linked
// with libFuzzer, a target is a program of its own; otherwise all targets are one program with the
// driver of standalone.cc, which is a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace nn::fuzz {

// The kind of a target's bytes, which determines the seeds and the mutations.
enum class Kind {
    TEXTPROTO,  // a model file in one of the text formats
    JSON,
    TEST_CASE,  // a line of JSON
    DEVICE,     // a device profile
    CHOICES,    // read by testing::Source
    RECORDS,    // choices, each call or object of its own record; mutated record by record
    MODEL,      // a binary model file, and choices after it; mutated field by field
    HAL_MODEL,  // the same for HAL versions
    TFLITE,     // a file of TensorFlow Lite; mutated field by field, or a random graph
    ONNX,       // a file of ONNX; the same
};

struct Target {
    std::string_view name;
    Kind kind;
    void (*run)(std::span<const uint8_t> bytes);
};

// Registers a target with the driver. Objects of this type are static.
struct Registration {
    explicit Registration(const Target& target);
};

// Prints the message and aborts the program unless the condition holds.
void expect(bool condition, std::string_view what);

// The mutation functions that libFuzzer's hooks call: in mutator.cc, import_mutator.cc and
// records.cc. `data` has a capacity of `maxSize` bytes.
size_t mutateModelFile(uint8_t* data, size_t size, size_t maxSize, unsigned seed);
size_t crossModelFiles(std::span<const uint8_t> a, std::span<const uint8_t> b,
                       std::span<uint8_t> out, unsigned seed);
size_t mutateOnnxFile(uint8_t* data, size_t size, size_t maxSize, unsigned seed);
size_t crossOnnxFiles(std::span<const uint8_t> a, std::span<const uint8_t> b,
                      std::span<uint8_t> out, unsigned seed);
size_t mutateTfliteFile(uint8_t* data, size_t size, size_t maxSize, unsigned seed);
size_t crossTfliteFiles(std::span<const uint8_t> a, std::span<const uint8_t> b,
                        std::span<uint8_t> out, unsigned seed);
size_t mutateRecords(uint8_t* data, size_t size, size_t maxSize, unsigned seed);
size_t crossRecords(std::span<const uint8_t> a, std::span<const uint8_t> b, std::span<uint8_t> out,
                    unsigned seed);

}  // namespace nn::fuzz

// A mutation of plain bytes without fields: libFuzzer's own, or that of standalone.cc.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

#define NNAPI_FUZZ_BY_BYTES
#define NNAPI_FUZZ_BY(mutate, cross)                                                              \
    extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize,         \
                                              unsigned seed) {                                    \
        return nn::fuzz::mutate(data, size, maxSize, seed);                                       \
    }                                                                                             \
    extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t aSize, const uint8_t* b, \
                                                size_t bSize, uint8_t* out, size_t outSize,       \
                                                unsigned seed) {                                  \
        return nn::fuzz::cross({a, aSize}, {b, bSize}, {out, outSize}, seed);                     \
    }

#define NNAPI_FUZZ_HOOKS_TEXTPROTO NNAPI_FUZZ_BY_BYTES
#define NNAPI_FUZZ_HOOKS_JSON NNAPI_FUZZ_BY_BYTES
#define NNAPI_FUZZ_HOOKS_TEST_CASE NNAPI_FUZZ_BY_BYTES
#define NNAPI_FUZZ_HOOKS_DEVICE NNAPI_FUZZ_BY_BYTES
#define NNAPI_FUZZ_HOOKS_CHOICES NNAPI_FUZZ_BY_BYTES
#define NNAPI_FUZZ_HOOKS_TFLITE NNAPI_FUZZ_BY(mutateTfliteFile, crossTfliteFiles)
#define NNAPI_FUZZ_HOOKS_ONNX NNAPI_FUZZ_BY(mutateOnnxFile, crossOnnxFiles)
#define NNAPI_FUZZ_HOOKS_RECORDS NNAPI_FUZZ_BY(mutateRecords, crossRecords)
#define NNAPI_FUZZ_HOOKS_MODEL NNAPI_FUZZ_BY(mutateModelFile, crossModelFiles)
#define NNAPI_FUZZ_HOOKS_HAL_MODEL NNAPI_FUZZ_HOOKS_MODEL

#ifdef NNAPI_FUZZ_STANDALONE
#define NNAPI_FUZZ_TARGET(name, kind)                       \
    static void name##Run(std::span<const uint8_t> bytes);  \
    static const nn::fuzz::Registration name##Registration( \
            {#name, nn::fuzz::Kind::kind, name##Run});      \
    static void name##Run([[maybe_unused]] std::span<const uint8_t> bytes)
#else
#define NNAPI_FUZZ_TARGET(name, kind)                                         \
    static void name##Run(std::span<const uint8_t> bytes);                    \
    extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { \
        name##Run({data, size});                                              \
        return 0;                                                             \
    }                                                                         \
    NNAPI_FUZZ_HOOKS_##kind static void name##Run([[maybe_unused]] std::span<const uint8_t> bytes)
#endif
