// Runs models that use the extension of complex.h on (3 + 4i, i) and (2, 1 + i).
//   build/release/bin/example_extension examples/extension/*.textproto
#include <complex>
#include <cstdio>
#include <cstring>
#include <vector>

#include "complex.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"

namespace {

template <class E>
std::vector<E> elements(const nn::Tensor& tensor) {
    std::vector<E> values(tensor.data.size() / sizeof(E));
    std::memcpy(values.data(), tensor.data.data(), values.size() * sizeof(E));
    return values;
}

nn::Tensor tensor(const std::vector<std::complex<float>>& values) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    return {.dimensions = {static_cast<uint32_t>(values.size())},
            .data = {bytes, bytes + values.size() * sizeof(values[0])}};
}

nn::Status run(const char* path) {
    NNAPI_ASSIGN_OR_RETURN(file, nn::readModel(path));
    const auto* model = std::get_if<nn::Model>(&file);
    if (model == nullptr) return example::refuse("the model is not canonical");
    NNAPI_ASSIGN_OR_RETURN(prepared,
                           nn::prepare(*model, {.extensions = {example::complexExtension()}}));
    const nn::Tensor inputs[] = {tensor({{3, 4}, {0, 1}}), tensor({{2, 0}, {1, 1}})};
    NNAPI_ASSIGN_OR_RETURN(outputs, prepared.run(inputs));

    std::printf("%s\n", path);
    for (const float value : elements<float>(outputs[0])) std::printf("  |ab|^2 = %g\n", value);
    for (const auto value : elements<std::complex<float>>(outputs[1]))
        std::printf("  (ab)^2 = %g%+gi\n", value.real(), value.imag());
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (const nn::Status status = run(argv[i]); !status.ok()) {
            const std::string why(status.message());
            std::fprintf(stderr, "%s: %s\n", argv[i], why.c_str());
            return 1;
        }
    }
}
