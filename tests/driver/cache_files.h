// Cache files in a folder of their own, and models that are distinguishable by their results.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "driver/models.h"
#include "nnapi/type_utils.h"
#include "temporary_folder.h"

namespace nn::driver_cache_files {

using Bytes = std::vector<uint8_t>;
namespace fs = std::filesystem;

// A folder with cache files.
struct Folder : TemporaryFolder {
    SharedHandle open(const std::string& name, int flags = O_RDWR | O_CREAT) const {
        const int fd = ::open((*this / name).c_str(), flags | O_CLOEXEC, 0600);
        EXPECT_GE(fd, 0) << name;
        return std::make_shared<const Handle>(fd);
    }
    Bytes read(const std::string& name) const {
        std::ifstream file(*this / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(const std::string& name, const Bytes& bytes) const {
        std::ofstream file(*this / name, std::ios::binary | std::ios::trunc);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }
};

// The cache arguments of a client.
struct Cache {
    std::vector<SharedHandle> model{};
    std::vector<SharedHandle> data{};
    CacheToken token{1, 2, 3};

    GeneralResult<SharedPreparedModel> save(const IDevice& device, const Model& which) const {
        return device.prepareModel(which, ExecutionPreference::LOW_POWER, Priority::HIGH, {}, model,
                                   data, token, {}, {});
    }
    GeneralResult<SharedPreparedModel> load(const IDevice& device) const {
        return device.prepareModelFromCache({}, model, data, token);
    }
};

inline Cache cacheIn(const Folder& folder, int flags = O_RDWR | O_CREAT) {
    return {.model = {folder.open("m", flags)}, .data = {folder.open("d", flags)}};
}

// y = x + value, computed in this many steps.
inline Model adds(float value, size_t operations = 1) {
    Model model;
    Graph main(model);
    uint32_t last = main.input(TENSOR_FLOAT32, {4});
    for (size_t i = 0; i < operations; ++i) {
        const bool isLast = i + 1 == operations;
        const uint32_t sum =
                isLast ? main.output(TENSOR_FLOAT32, {4}) : main.temporary(TENSOR_FLOAT32, {4});
        const float step = value / static_cast<float>(operations);
        const auto constant = main.constant<float>(TENSOR_FLOAT32, {4}, {step, step, step, step});
        main.add(OperationType::ADD, {last, constant, main.scalar(0)}, {sum});
        last = sum;
    }
    model.main = main.graph;
    return model;
}

// The model's result for {0, 0, 0, 0}; empty if the execution fails.
inline std::vector<float> computed(const SharedPreparedModel& prepared) {
    std::vector<float> x(4), y(4);
    const Request request{.inputs = {pointerTo(x)}, .outputs = {pointerTo(y)}};
    const auto executed = prepared->execute(request, MeasureTiming::NO, {}, {}, {}, {});
    return executed.has_value() ? y : std::vector<float>();
}

MATCHER_P(Adds, value, "adds " + ::testing::PrintToString(value)) {
    if (!arg.has_value()) {
        *result_listener << arg.error().message;
        return false;
    }
    return ::testing::ExplainMatchResult(
            ::testing::Eq(std::vector<float>(4, static_cast<float>(value))), computed(*arg),
            result_listener);
}

MATCHER_P(FailsAs, code, "fails with " + toString(code)) {
    if (arg.has_value()) return false;
    *result_listener << toString(arg.error().code) << " " << arg.error().message;
    return arg.error().code == code;
}

}  // namespace nn::driver_cache_files
