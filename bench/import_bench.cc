// Importing a network compared with reading its bytes from a file in the page cache (see
// baseline.h): `times` should be less than 3.
//
//   build/release/bin/nnapi_bench --benchmark_filter=BesideReading
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/mman.h>

#include <fstream>
#include <string>
#include <type_traits>
#include <utility>

#include "baseline.h"
#include "importers/onnx_file.h"
#include "nnapi/import/onnx.h"
#include "nnapi/import/tflite.h"
#include "nnapi/memory.h"
#include "temporary_folder.h"

namespace nn {
namespace {

std::span<const uint8_t> bytesOf(const std::string& text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// 4 MB of weights in layers of 256 units.
std::string dense() {
    onnx::OnnxFile file(13);
    file.input("x0", {1, 256});
    for (int i = 0; i < 16; ++i) {
        const std::string number = std::to_string(i), next = std::to_string(i + 1);
        file.floats("w" + number, {256, 256}, std::vector<float>(size_t{256} * 256, 0.5f));
        file.node("Gemm", {"x" + number, "w" + number}, {"x" + next}, {{"transB", 1}});
    }
    return file.output("x16").bytes();
}

// 4 MB of 3 by 3 filters, whose axes are reordered.
std::string convolutions() {
    onnx::OnnxFile file(13);
    file.input("x0", {1, 128, 8, 8});
    for (int i = 0; i < 7; ++i) {
        const std::string number = std::to_string(i), next = std::to_string(i + 1);
        file.floats("w" + number, {128, 128, 3, 3},
                    std::vector<float>(size_t{128} * 128 * 9, 0.5f));
        file.node("Conv", {"x" + number, "w" + number}, {"x" + next}, {{"pads", {1, 1, 1, 1}}});
    }
    return file.output("x7").bytes();
}

template <class Import>
void besideReading(benchmark::State& state, std::span<const uint8_t> bytes, Import&& import) {
    const TemporaryFolder folder;
    const std::string path = folder / "network";
    std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    std::string content;
    const auto read = [&] {
        content = std::string(bytes.size(), '\0');
        return std::ifstream(path, std::ios::binary)
                .read(content.data(), static_cast<std::streamsize>(content.size()))
                .good();
    };
    const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if constexpr (std::is_invocable_v<Import, SharedMemory>) {
        const auto mapped = [&] {
            const auto memory = createSharedMemory(bytes.size(), PROT_READ, fd.get(), 0);
            return memory.ok() && import(*memory);
        };
        besides(state, read, mapped);
    } else {
        besides(state, read, [&] { return import(bytesOf(content)); });
    }
}

bool isImported(const Result<Import>& imported) {
    return imported.ok() && !imported->parts.empty();
}

void OnnxDenseBesideReading(benchmark::State& state) {
    const std::string file = dense();
    besideReading(state, bytesOf(file),
                  [](std::span<const uint8_t> bytes) { return isImported(importOnnx(bytes)); });
}
BENCHMARK(OnnxDenseBesideReading)->UseManualTime();

void OnnxDenseMappedBesideReading(benchmark::State& state) {
    const std::string file = dense();
    besideReading(state, bytesOf(file),
                  [](const SharedMemory& memory) { return isImported(importOnnx(memory)); });
}
BENCHMARK(OnnxDenseMappedBesideReading)->UseManualTime();

void OnnxConvolutionsBesideReading(benchmark::State& state) {
    const std::string file = convolutions();
    besideReading(state, bytesOf(file),
                  [](std::span<const uint8_t> bytes) { return isImported(importOnnx(bytes)); });
}
BENCHMARK(OnnxConvolutionsBesideReading)->UseManualTime();

void TfliteDenseBesideReading(benchmark::State& state) {
    const std::string onnx = dense();
    auto imported = importOnnx(bytesOf(onnx));
    const auto model = imported.ok() ? wholeModelOf(*std::move(imported)) : imported.status();
    const auto file = model.ok() ? exportTflite(*model) : model.status();
    if (!file.ok()) return state.SkipWithError("the network is not exported");
    besideReading(state, *file,
                  [](std::span<const uint8_t> bytes) { return isImported(importTflite(bytes)); });
}
BENCHMARK(TfliteDenseBesideReading)->UseManualTime();

}  // namespace
}  // namespace nn
