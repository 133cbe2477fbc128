#include "nnapi/import/imported_model.h"
#include "nnapi/import/onnx.h"
#include "nnapi/import/tflite.h"

#include "relu.h"

using namespace nn;

int main() {
    const Result<std::vector<uint8_t>> file = exportTflite(relu());
    if (!file.ok() || !isTflite(*file) || isOnnx(*file)) return 1;
    Result<Import> imported = importTflite(*file);
    if (!imported.ok()) return 1;
    const Result<Model> model = wholeModelOf(*std::move(imported));
    return model.ok() && model->main.operations == relu().main.operations ? 0 : 1;
}
