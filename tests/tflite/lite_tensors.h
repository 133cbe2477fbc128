// The tensors that the client program writes.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "nnapi/tensor.h"
#include "nnapi/type_utils.h"
#include "nnapi/types.h"

namespace nn {

// A tensor of TensorFlow Lite.
struct LiteTensor {
    bool isInput = false;
    std::string name{};
    OperandType type{};
    float scale = 0;
    int32_t zeroPoint = 0;
    Tensor value{};

    size_t elements() const { return value.data.size() / elementSize(type); }
    bool isFloat() const { return type == OperandType::TENSOR_FLOAT32; }
    double element(size_t i) const {
        if (!isFloat()) return (static_cast<int8_t>(value.data[i]) - zeroPoint) * scale;
        float number;
        std::memcpy(&number, &value.data[i * sizeof(float)], sizeof(number));
        return number;
    }
};

// Fails the test and returns nothing for a file with tensors of other types.
inline std::vector<LiteTensor> readLiteTensors(const std::filesystem::path& path) {
    const std::map<int, OperandType> types = {
            {1, OperandType::TENSOR_FLOAT32},      {2, OperandType::TENSOR_INT32},
            {3, OperandType::TENSOR_QUANT8_ASYMM}, {6, OperandType::TENSOR_BOOL8},
            {7, OperandType::TENSOR_QUANT16_SYMM}, {9, OperandType::TENSOR_QUANT8_ASYMM_SIGNED},
            {10, OperandType::TENSOR_FLOAT16}};
    std::vector<LiteTensor> tensors;
    std::ifstream file(path, std::ios::binary);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        LiteTensor tensor;
        std::string kind;
        int type = 0;
        words >> kind >> tensor.name >> type >> tensor.scale >> tensor.zeroPoint;
        if (!types.contains(type)) {
            ADD_FAILURE() << path << ": " << line;
            return {};
        }
        tensor.isInput = kind == "input";
        tensor.type = types.at(type);
        size_t bytes = elementSize(tensor.type);
        for (uint32_t dimension; words >> dimension;) {
            tensor.value.dimensions.push_back(dimension);
            bytes *= dimension;
        }
        tensor.value.data.resize(bytes);
        file.read(reinterpret_cast<char*>(tensor.value.data.data()),
                  static_cast<std::streamsize>(bytes));
        tensors.push_back(std::move(tensor));
    }
    EXPECT_FALSE(tensors.empty()) << path;
    return tensors;
}

}  // namespace nn
