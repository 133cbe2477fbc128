#include "nnapi/io.h"

#include "relu.h"

using namespace nn;

int main() {
    const auto text = serializeModel(relu(), Format::TEXT);
    const auto read = parseModel(text.value(), Format::TEXT);
    return read.ok() && std::get<Model>(*read) == relu() ? 0 : 1;
}
