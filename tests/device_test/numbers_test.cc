// Kind "numbers": the drawn models, the bugs of the catalog that it finds, and that right drivers
// pass.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "device_test/bugs/bugs.h"
#include "device_test/cases/case_statistics.h"
#include "device_test/cases/drawn_case.h"
#include "device_test/cases/models.h"
#include "device_test/runner/statistics.h"
#include "fakes/hooked_device.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/driver/reference.h"
#include "nnapi/type_utils.h"

namespace nn::numbers_test {
namespace {

using bugs::Bug;
using testing::DrawnCase;
using testing::OutputStatistics;
using enum OperandType;
using enum OperationType;

// ---- drawn models

std::optional<DrawnCase> drawCase(OperationType operation, uint64_t seed,
                                  testing::DrawnSize size = testing::DrawnSize::USUAL) {
    const testing::DrawOptions options{
            .operation = operation, .seed = seed, .version = kVersionFeatureLevel8, .size = size};
    const auto drawn = testing::drawModel(options);
    return drawn ? testing::computeCase(*drawn, options) : std::nullopt;
}

// A drawn model, seen by its operation.
struct Seen {
    const DrawnCase& drawn;
    const Model::Subgraph& main = drawn.testCase.model.main;
    const Operation& operation = main.operations.front();

    const Operand& in(size_t i) const { return main.operands[operation.inputs[i]]; }
    const Operand& out() const { return main.operands[operation.outputs.front()]; }
    std::vector<uint32_t> shape(size_t i) const { return in(i).dimensions; }
    int32_t integer(size_t i) const {
        int32_t value = 0;
        const auto bytes = *testing::constantOf(drawn.testCase.model, in(i));
        std::copy_n(bytes.begin(), std::min(bytes.size(), sizeof(value)),
                    reinterpret_cast<uint8_t*>(&value));
        return value;
    }
    const Tensor& result() const { return drawn.testCase.outputs.front().value; }
    double count(double value) const {
        double found = 0;
        for (size_t i = 0; i < testing::elementCount(out().type, result()); ++i) {
            found += testing::elementValue(out().type, result(), i) == value ? 1 : 0;
        }
        return found;
    }
    size_t values() const { return testing::elementCount(out().type, result()); }
};

// A dimension of 1 in one input where that of the other, counted from the last one, is longer.
bool hasOneAgainst(const std::vector<uint32_t>& one, const std::vector<uint32_t>& other,
                   bool last) {
    const size_t common = std::min(one.size(), other.size());
    for (size_t i = 1; i <= common; ++i) {
        const bool isAsked = last == (i == 1);
        if (isAsked && one[one.size() - i] == 1 && other[other.size() - i] > 1) return true;
    }
    return false;
}

struct DrawnRow {
    const char* what;
    OperationType operation;
    size_t least;  // of 400 models
    std::function<bool(const Seen&)> is;
};

bool isBeside(uint32_t size) {
    return size == 7 || size == 9 || size == 15 || size == 17 || size == 31 || size == 33;
}
bool isAtEnd(const Operand& operand) {
    const bool isSigned = operand.type == TENSOR_QUANT8_ASYMM_SIGNED;
    return operand.scale != 0 && (operand.zeroPoint == (isSigned ? -128 : 0) ||
                                  operand.zeroPoint == (isSigned ? 127 : 255));
}
bool isPowerOfTwo(float scale) {
    int exponent = 0;
    return std::frexp(scale, &exponent) == 0.5f;
}

TEST(Numbers, DrawWhatDriversGetWrong) {
    const DrawnRow kRows[] = {
            {"a last 1 of the first input", ADD, 20,
             [](const Seen& s) { return hasOneAgainst(s.shape(0), s.shape(1), true); }},
            {"a last 1 of the second input", ADD, 20,
             [](const Seen& s) { return hasOneAgainst(s.shape(1), s.shape(0), true); }},
            {"an inner 1 of the first input", ADD, 20,
             [](const Seen& s) { return hasOneAgainst(s.shape(0), s.shape(1), false); }},
            {"an inner 1 of the second input", ADD, 20,
             [](const Seen& s) { return hasOneAgainst(s.shape(1), s.shape(0), false); }},
            {"a lower rank of the first input", ADD, 20,
             [](const Seen& s) { return s.shape(0).size() < s.shape(1).size(); }},
            {"a lower rank of the second input", ADD, 20,
             [](const Seen& s) { return s.shape(1).size() < s.shape(0).size(); }},
            {"one element", ADD, 5, [](const Seen& s) { return s.values() == 1; }},
            {"RELU6 that clamps some", ADD, 10,
             [](const Seen& s) {
                 const double found = s.count(6);
                 return s.integer(2) == 3 && s.out().type == TENSOR_FLOAT32 && found > 0 &&
                        found < static_cast<double>(s.values());
             }},
            {"values above and below 6", RELU6, 20,
             [](const Seen& s) {
                 return s.out().type == TENSOR_FLOAT32 && s.count(6) > 0 && s.count(0) > 0;
             }},
            {"both bounds", RELU1, 40,
             [](const Seen& s) {
                 return s.out().type == TENSOR_FLOAT32 && s.count(1) > 0 && s.count(-1) > 0;
             }},
            {"a zero point at an end", ADD, 40,
             [](const Seen& s) { return isAtEnd(s.in(0)) || isAtEnd(s.in(1)); }},
            {"an output that saturates", ADD, 20,
             [](const Seen& s) { return s.out().type == TENSOR_QUANT8_ASYMM && s.count(255) > 3; }},
            {"scales that are no powers of two", MUL, 80,
             [](const Seen& s) { return s.out().scale != 0 && !isPowerOfTwo(s.out().scale); }},
            {"results between two steps", MUL, 40,
             [](const Seen& s) {
                 if (s.drawn.unrounded.empty()) return false;
                 const auto& all = s.drawn.unrounded.front();
                 return std::ranges::count_if(all, [](double x) {
                            return std::fabs(x - std::floor(x) - 0.5) < 0.1;
                        }) > 0;
             }},
            {"exponents above 80", EXP, 20,
             [](const Seen& s) { return s.out().type == TENSOR_FLOAT32 && s.count(INFINITY) > 0; }},
            {"several batches", CONV_2D, 150, [](const Seen& s) { return s.shape(0)[0] > 1; }},
            {"channels beside a vector", CONV_2D, 40,
             [](const Seen& s) { return isBeside(s.shape(1)[0]) || isBeside(s.shape(1)[3]); }},
            {"three channels", CONV_2D, 20, [](const Seen& s) { return s.shape(1)[3] == 3; }},
            {"scales of channels far apart", CONV_2D, 10,
             [](const Seen& s) {
                 const auto* channels =
                         std::get_if<Operand::SymmPerChannelQuantParams>(&s.in(1).extraParams);
                 if (channels == nullptr || channels->scales.size() < 2) return false;
                 const auto [least, most] = std::ranges::minmax(channels->scales);
                 return most > 16 * least;
             }},
            {"large biases", CONV_2D, 20,
             [](const Seen& s) {
                 return s.in(2).type == TENSOR_INT32 && std::abs(s.integer(2)) > 100;
             }},
            {"NCHW", CONV_2D, 20, [](const Seen& s) { return s.shape(0)[3] != s.shape(1)[3]; }},
            {"strides that differ", MAX_POOL_2D, 100,
             [](const Seen& s) {
                 const size_t first = s.operation.inputs.size() >= 10 ? 5 : 2;
                 return s.integer(first) != s.integer(first + 1);
             }},
    };
    for (const DrawnRow& row : kRows) {
        size_t found = 0, all = 0;
        for (uint64_t seed = 0; seed < 400; ++seed) {
            const auto drawn = drawCase(row.operation, seed);
            if (!drawn) continue;
            ++all;
            found += row.is({.drawn = *drawn}) ? 1 : 0;
        }
        EXPECT_GE(all, 300u) << row.what;
        EXPECT_GE(found, row.least) << row.what << " of " << all;
    }
}

TEST(Numbers, DrawMoreElementsThan16BitsCount) {
    for (const OperationType operation : {ADD, RELU, SOFTMAX, DEQUANTIZE}) {
        const auto drawn = drawCase(operation, 1, testing::DrawnSize::HUGE);
        ASSERT_TRUE(drawn) << toString(operation);
        EXPECT_GT(Seen{.drawn = *drawn}.values(), 65536u) << toString(operation);
    }
}

TEST(Numbers, EqualSeedsDrawEqualCases) {
    for (const OperationType operation : testing::drawnOperations()) {
        const auto first = drawCase(operation, 3);
        const auto second = drawCase(operation, 3);
        ASSERT_EQ(first.has_value(), second.has_value()) << toString(operation);
        if (!first) continue;
        EXPECT_EQ(first->testCase.inputs.size(), second->testCase.inputs.size());
        for (size_t i = 0; i < first->testCase.outputs.size(); ++i) {
            EXPECT_EQ(first->testCase.outputs[i].value.data, second->testCase.outputs[i].value.data)
                    << toString(operation);
        }
    }
}

// ---- which bugs are found

struct Tested {
    std::string failure{};  // of the first case that fails
    testing::DeviceReport report{};
};

// All cases of kind numbers of one operation, until one fails.
Tested testNumbers(const SharedDevice& device, OperationType operation, uint64_t seed = 1) {
    Tested tested;
    const std::string prefix = fmt::format("numbers/{}/", toString(operation));
    for (const testing::DeviceCase& each : testing::listCases({.seed = seed})) {
        if (!each.name.starts_with(prefix)) continue;
        testing::CaseResult result{.head = {.name = each.name, .kind = each.kind},
                                   .outcome = testing::runCase(device, each)};
        if (result.outcome.result == testing::DeviceOutcome::Result::FAILED) {
            tested.failure = toString(result.outcome);
            return tested;
        }
        tested.report.results.push_back(std::move(result));
    }
    return tested;
}

std::string biasOf(const Tested& tested) {
    for (const auto& result : biasResults(tested.report, testing::kMaxBias)) {
        if (result.isBad()) return result.head.name + ": " + reasonOf(result);
    }
    return "";
}

uint64_t outputsOf(const Tested& tested) {
    uint64_t outputs = 0;
    for (const OutputStatistics& row : statisticsOf(tested.report)) outputs += row.outputs;
    return outputs;
}

struct FoundRow {
    Bug bug;
    OperationType operation;
    const char* by;  // "numbers" or "bias"
};

const FoundRow kFound[] = {
        {Bug::truncates_conv, CONV_2D, "bias"},
        {Bug::truncates_depthwise, DEPTHWISE_CONV_2D, "bias"},
        {Bug::truncates_fully_connected, FULLY_CONNECTED, "bias"},
        {Bug::floors_rest_of_shift, CONV_2D, "bias"},
        {Bug::multiplier_of_8_bits, CONV_2D, "numbers"},
        {Bug::accumulates_16_bits, CONV_2D, "numbers"},
        {Bug::saturates_sum_16_bits, CONV_2D, "numbers"},
        {Bug::bias_scale_ignored, CONV_2D, "numbers"},
        {Bug::bias_left_out_last_channel, CONV_2D, "numbers"},
        {Bug::pads_with_stored_zero, CONV_2D, "numbers"},
        {Bug::filter_zero_point_ignored, CONV_2D, "numbers"},
        {Bug::per_channel_first_scale, CONV_2D, "numbers"},
        {Bug::per_channel_reversed, CONV_2D, "numbers"},
        {Bug::per_channel_depthwise_multiplier, DEPTHWISE_CONV_2D, "numbers"},
        {Bug::activation_before_bias, CONV_2D, "numbers"},
        {Bug::float16_sums, CONV_2D, "numbers"},
        {Bug::truncates_add, ADD, "bias"},
        {Bug::truncates_mul, MUL, "bias"},
        {Bug::output_wraps, ADD, "numbers"},
        {Bug::fused_activation_ignored, ADD, "numbers"},
        {Bug::dequantize_signed_as_unsigned, DEQUANTIZE, "numbers"},
        {Bug::quantize_truncates, QUANTIZE, "bias"},
        {Bug::quantize_wraps, QUANTIZE, "numbers"},
        {Bug::div_by_reciprocal, DIV, "numbers"},
        {Bug::rsqrt_approximate, RSQRT, "numbers"},
        {Bug::exp_overflow, EXP, "numbers"},
        {Bug::pow_negative_base, POW, "numbers"},
        {Bug::floor_truncates, FLOOR, "numbers"},
        {Bug::abs_masks_sign, ABS, "numbers"},
        {Bug::offsets_16_bits, ADD, "numbers"},
        {Bug::relu6_bound, RELU6, "numbers"},
        {Bug::relu6_int8_unsigned, RELU6, "numbers"},
        {Bug::relu1_as_relu6, RELU1, "numbers"},
        {Bug::logistic_table_256, LOGISTIC, "numbers"},
        {Bug::tanh_saturates_early, TANH, "numbers"},
        {Bug::truncates_hard_swish, HARD_SWISH, "numbers"},
        {Bug::truncates_softmax, SOFTMAX, "bias"},
        {Bug::softmax_beta_ignored, SOFTMAX, "numbers"},
        {Bug::softmax_no_max, SOFTMAX, "numbers"},
        {Bug::softmax_unstable, SOFTMAX, "numbers"},
        {Bug::softmax_sum_overflows, SOFTMAX, "numbers"},
        {Bug::softmax_axis_ignored, SOFTMAX, "numbers"},
        {Bug::truncates_average_pool, AVERAGE_POOL_2D, "bias"},
        {Bug::average_includes_padding, AVERAGE_POOL_2D, "numbers"},
        {Bug::max_pool_padding_zero, MAX_POOL_2D, "numbers"},
        {Bug::mean_divides_by_first, MEAN, "numbers"},
        {Bug::instance_norm_layout, INSTANCE_NORMALIZATION, "numbers"},
        {Bug::l2_norm_epsilon, L2_NORMALIZATION, "numbers"},
        {Bug::lrn_radius, LOCAL_RESPONSE_NORMALIZATION, "numbers"},
        {Bug::lstm_gate_order, LSTM, "numbers"},
        {Bug::lstm_cell_clip_ignored, LSTM, "numbers"},
        {Bug::lstm_state_shared, LSTM, "numbers"},
        {Bug::svdf_state_shift, SVDF, "numbers"},
        {Bug::broadcast_modulo, ADD, "numbers"},
        {Bug::broadcast_first_row, ADD, "numbers"},
        {Bug::broadcast_ranks_left, ADD, "numbers"},
        {Bug::broadcast_two_dims, ADD, "numbers"},
        {Bug::broadcast_first_input, ADD, "numbers"},
        {Bug::broadcast_scalar_tensor, ADD, "numbers"},
        {Bug::channels_of_three, CONV_2D, "numbers"},
        {Bug::channels_beside_vector, CONV_2D, "numbers"},
        {Bug::depth_multiplier, DEPTHWISE_CONV_2D, "numbers"},
        {Bug::grouped_channels, GROUPED_CONV_2D, "numbers"},
        {Bug::batch_first_only, CONV_2D, "numbers"},
        {Bug::nchw_ignored, CONV_2D, "numbers"},
        {Bug::same_padding_left, CONV_2D, "numbers"},
        {Bug::same_padding_dilation, CONV_2D, "numbers"},
        {Bug::padding_two_of_four, CONV_2D, "numbers"},
        {Bug::stride_exchanged, CONV_2D, "numbers"},
        {Bug::stride_floor, CONV_2D, "numbers"},
        {Bug::dilation_ignored, CONV_2D, "numbers"},
        {Bug::resize_swapped, RESIZE_BILINEAR, "numbers"},
        {Bug::resize_align_corners, RESIZE_BILINEAR, "numbers"},
        {Bug::resize_half_pixel, RESIZE_BILINEAR, "numbers"},
        {Bug::transpose_inverse, TRANSPOSE, "numbers"},
        {Bug::pad_rank_three, PAD, "numbers"},
        {Bug::pad_value_ignored, PAD_V2, "numbers"},
        {Bug::concat_requantize, CONCATENATION, "numbers"},
        {Bug::split_repeats_first, SPLIT, "numbers"},
        {Bug::strided_slice_negative, STRIDED_SLICE, "numbers"},
        {Bug::slice_shrink_minus_one, STRIDED_SLICE, "numbers"},
        {Bug::strided_slice_masks, STRIDED_SLICE, "numbers"},
        {Bug::gather_negative, GATHER, "numbers"},
        {Bug::argmax_axis_negative, ARGMAX, "numbers"},
        {Bug::topk_order, TOPK_V2, "numbers"},
        {Bug::space_to_batch_order, SPACE_TO_BATCH_ND, "numbers"},
};

TEST(Numbers, FindBugs) {
    for (const FoundRow& row : kFound) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        const Tested tested = testNumbers(bugs::canonicalDriver(row.bug), row.operation);
        if (row.by == std::string_view("numbers")) {
            EXPECT_THAT(tested.failure, ::testing::HasSubstr("results: "));
        } else {
            EXPECT_EQ(tested.failure, "");
            EXPECT_THAT(biasOf(tested),
                        ::testing::StartsWith(fmt::format("bias/{}/", toString(row.operation))));
        }
    }
}

// Each bug of these families has a row.
TEST(Numbers, HaveARowForEachBugOfTheArithmetic) {
    const std::set<std::string_view> kFamilies = {
            "CONVOLUTION", "ELEMENTWISE", "ACTIVATION", "POOL",   "REDUCTION", "NORMALIZATION",
            "RECURRENT",   "BROADCAST",   "SHAPE",      "WINDOW", "MOVEMENT"};
    for (const bugs::BugRow& row : bugs::catalog()) {
        if (row.isPermitted || !kFamilies.contains(row.family)) continue;
        EXPECT_EQ(std::ranges::count(kFound, row.bug, &FoundRow::bug), 1) << row.name;
    }
}

// ---- that right drivers pass

TEST(Numbers, PermittedBehaviorPasses) {
    for (const auto& [bug, operation] :
         {std::pair(Bug::flushes_subnormals, MUL), std::pair(Bug::nan_becomes_zero, MAXIMUM),
          std::pair(Bug::argmax_last, ARGMAX)}) {
        const Tested tested = testNumbers(bugs::canonicalDriver(bug), operation);
        EXPECT_EQ(tested.failure, "") << bugs::rowOf(bug).name;
        EXPECT_EQ(biasOf(tested), "") << bugs::rowOf(bug).name;
    }
}

TEST(Numbers, ADriverWithItsOwnArithmeticPasses) {
    const SharedDevice device = bugs::canonicalDriver(Bug::none);
    for (const OperationType operation : {ADD, MUL, CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED,
                                          AVERAGE_POOL_2D, SOFTMAX, LOGISTIC, QUANTIZE}) {
        for (const uint64_t seed : {1, 2}) {
            const Tested tested = testNumbers(device, operation, seed);
            EXPECT_EQ(tested.failure, "") << toString(operation);
            EXPECT_EQ(biasOf(tested), "");
            EXPECT_GE(outputsOf(tested), 200u) << toString(operation);
        }
    }
}

TEST(Numbers, ADriverWithoutABugPassesWhereBugsAreFound) {
    std::set<OperationType> operations;
    for (const FoundRow& row : kFound) operations.insert(row.operation);
    for (const OperationType operation : operations) {
        const Tested tested = testNumbers(bugs::canonicalDriver(Bug::none), operation);
        EXPECT_EQ(tested.failure, "") << toString(operation);
        EXPECT_EQ(biasOf(tested), "") << toString(operation);
    }
}

// ---- drivers that support a small part of an operation

// The reference, for the models that `has` accepts.
SharedDevice smallPart(bool (*has)(const Model&)) {
    return fakes::hooked(referenceDevice(),
                         {.support = [=](const Model& model, const IDevice& inner) {
                             auto supported = inner.getSupportedOperations(model);
                             if (supported.has_value() && !has(model))
                                 supported->assign(supported->size(), false);
                             return supported;
                         }});
}

// An operand of the first operation.
const Operand& inputOf(const Model& model, size_t i) {
    return model.main.operands[model.main.operations.front().inputs[i]];
}
int32_t integerOf(const Model& model, size_t i) {
    int32_t value = -1;
    const auto bytes = testing::constantOf(model, inputOf(model, i));
    if (bytes.ok() && bytes->size() == sizeof(value))
        std::memcpy(&value, bytes->data(), sizeof(value));
    return value;
}

TEST(Numbers, DrawWhatADriverSupports) {
    const struct {
        const char* what;
        OperationType operation;
        bool (*has)(const Model&);
    } kRows[] = {
            {"sums of floats, variables of one shape, without activation", ADD,
             [](const Model& model) {
                 const Operand &a = inputOf(model, 0), &b = inputOf(model, 1);
                 return a.type == TENSOR_FLOAT32 && a.dimensions == b.dimensions &&
                        a.lifetime == Operand::LifeTime::SUBGRAPH_INPUT &&
                        b.lifetime == a.lifetime && integerOf(model, 2) == 0;
             }},
            {"sums of signed bytes with RELU6", ADD,
             [](const Model& model) {
                 return inputOf(model, 0).type == TENSOR_QUANT8_ASYMM_SIGNED &&
                        integerOf(model, 2) == 3;
             }},
            {"convolutions of floats with explicit padding", CONV_2D,
             [](const Model& model) {
                 return inputOf(model, 0).type == TENSOR_FLOAT32 &&
                        model.main.operations.front().inputs.size() == 10 &&
                        integerOf(model, 9) == 0;
             }},
            {"SOFTMAX of half floats along the last of two axes", SOFTMAX, [](const Model& model) {
                 return inputOf(model, 0).type == TENSOR_FLOAT16 &&
                        inputOf(model, 0).dimensions.size() == 2 &&
                        model.main.operations.front().inputs.size() == 2;
             }}};
    for (const auto& row : kRows) {
        for (const uint64_t seed : {1, 2, 3}) {
            const auto device = smallPart(row.has);
            const Tested tested = testNumbers(device, row.operation, seed);
            EXPECT_EQ(tested.failure, "") << row.what;
            EXPECT_GE(outputsOf(tested), 200u) << row.what << ", seed " << seed;
        }
    }
}

// ---- ways to round

double halvesUp(double x) { return std::floor(x + 0.5); }
double halvesToEven(double x) { return std::nearbyint(x); }
// First to 6 bits behind the point, then to whole steps.
double twice(double x) { return std::floor(std::floor(x * 64 + 0.5) / 64 + 0.5); }

struct HabitRow {
    const char* name;
    double (*round)(double steps);  // from the zero point
    const char* words;              // of the failure; empty: none
};
const HabitRow kHabits[] = {
        {"halves away from zero", [](double x) { return std::round(x); }, ""},
        {"halves up", halvesUp, ""},
        {"halves to even", halvesToEven, ""},
        {"twice", twice, ""},
        {"down", [](double x) { return std::floor(x); }, "too small"},
        {"up", [](double x) { return std::ceil(x); }, "too large"},
        {"to zero", [](double x) { return std::trunc(x); }, "too near to zero"},
};

TEST(Numbers, TellWaysToRound) {
    for (const HabitRow& habit : kHabits) {
        for (const OperationType operation : {ADD, MUL, CONV_2D, AVERAGE_POOL_2D, SOFTMAX, TANH}) {
            Tested tested;
            std::vector<OutputStatistics> rows;
            for (uint64_t seed = 0; seed < 200; ++seed) {
                const auto drawn = drawCase(operation, seed);
                if (!drawn || drawn->unrounded.empty()) continue;
                const Operand& out = Seen{.drawn = *drawn}.out();
                if (out.type != TENSOR_QUANT8_ASYMM) continue;
                const Tensor& expected = drawn->testCase.outputs.front().value;
                Tensor actual = expected;
                for (size_t i = 0; i < actual.data.size(); ++i) {
                    const double steps = drawn->unrounded.front()[i] - out.zeroPoint;
                    actual.data[i] = static_cast<uint8_t>(
                            std::clamp(habit.round(steps) + out.zeroPoint, 0.0, 255.0));
                }
                OutputStatistics one{.operation = operation, .type = out.type, .outputs = 1};
                one.values.add(out.type, expected, actual);
                one.rounding = testing::roundingOf(out, drawn->unrounded.front(), expected, actual);
                testing::addTo(rows, one);
            }
            tested.report.results.push_back({.outcome = {.statistics = rows}});
            ASSERT_EQ(biasResults(tested.report, testing::kMaxBias).size(), 1u)
                    << toString(operation);
            const std::string failure = biasOf(tested);
            const bool isOneSided = operation == SOFTMAX;  // zero is the least of its results
            if (*habit.words == '\0') {
                EXPECT_EQ(failure, "") << habit.name;
            } else {
                EXPECT_THAT(failure,
                            ::testing::HasSubstr(isOneSided && habit.round(0.5) == 0 ? "too small"
                                                                                     : habit.words))
                        << habit.name << " " << toString(operation);
            }
        }
    }
}

}  // namespace
}  // namespace nn::numbers_test
