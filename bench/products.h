// The matrix products of a network without the rest: the baseline for executing it.
#pragma once

#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// A product of [rows, depth] and [depth, columns].
struct Product {
    int64_t rows, depth, columns;
    int64_t macs() const { return rows * depth * columns; }
};

// The products of the convolutions that mix channels.
inline std::vector<Product> productsOf(const Model& model) {
    std::vector<Product> products;
    for (const Operation& operation : model.main.operations) {
        if (operation.type != OperationType::CONV_2D &&
            operation.type != OperationType::FULLY_CONNECTED)
            continue;
        const auto sizesOf = [&](uint32_t operand) -> const std::vector<uint32_t>& {
            return model.main.operands[operand].dimensions;
        };
        const auto product = [](auto first, auto last) {
            int64_t size = 1;
            for (; first != last; ++first) size *= *first;
            return size;
        };
        const auto &filter = sizesOf(operation.inputs[1]), &output = sizesOf(operation.outputs[0]);
        products.push_back({.rows = product(output.begin(), output.end() - 1),
                            .depth = product(filter.begin() + 1, filter.end()),
                            .columns = filter[0]});
    }
    return products;
}

struct Factors {
    Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> a, b, c;
};
inline std::vector<Factors> factorsOf(const Model& model) {
    std::vector<Factors> all;
    for (const Product& p : productsOf(model)) {
        all.emplace_back();
        all.back().a.setRandom(p.rows, p.depth);
        all.back().b.setRandom(p.columns, p.depth);
        all.back().c.resize(p.rows, p.columns);
    }
    return all;
}

// With Eigen, for the instruction set that the project is compiled for.
inline void multiply(std::vector<Factors>& all) {
    for (auto& [a, b, c] : all) {
        c.noalias() = a * b.transpose();
        benchmark::DoNotOptimize(c.data());
    }
}

}  // namespace nn
