// The bugs of what few clients do, and of parameters that are not looked at: the cases of the
// device test that find each, without test vectors and with any seed.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <set>

#include "device_test/bugs/bugs.h"
#include "device_test/program.h"
#include "nnapi/device_test/device_test.h"
#include "sanitized.h"

namespace nn::found_bugs_test {
namespace {

using bugs::Bug;
using nn::testing::DeviceCase;
using nn::testing::DeviceOutcome;
using nn::testing::DeviceTestOptions;

constexpr uint64_t kSeeds = 10;

const DeviceTestOptions kFewExecutions{.executions = 200};

// The first failure among the cases of a run whose names begin with `prefix`; empty if there is
// none. Counts those that have passed.
std::string firstFailure(const SharedDevice& device, const DeviceTestOptions& options,
                         std::string_view prefix, size_t* passed = nullptr) {
    for (const DeviceCase& one : nn::testing::listCases(options)) {
        if (!one.name.starts_with(prefix)) continue;
        const DeviceOutcome outcome = nn::testing::runCase(device, one);
        if (outcome.result == DeviceOutcome::Result::FAILED) {
            return one.name + ": " + nn::testing::toString(outcome);
        }
        const bool isPassed = outcome.result == DeviceOutcome::Result::PASSED;
        if (isPassed && passed != nullptr) ++*passed;
    }
    return "";
}

struct Row {
    Bug bug;
    const char* prefix;  // of the cases that find it
};

// Of cases that are the same with each seed.
const Row kClients[] = {
        {Bug::specializes_first_shape, "execution/sizes_of_request"},
        {Bug::nested_ifs_swapped, "execution/nested/if_in_if"},
        {Bug::only_one_is_true, "execution/truth/"},
        {Bug::input_offset_rounded, "execution/offsets/"},
        {Bug::maps_pools_writable, "execution/pools/read_only"},
        {Bug::file_offset_ignored, "execution/pools/file_at_offset"},
        {Bug::maps_constants_writable, "execution/constants/read_only"},
        {Bug::constant_offset_ignored, "execution/constants/file_at_offset"},
        {Bug::copies_whole_pool, "concurrency/one_pool"},
        {Bug::buffer_keeps_value, "memory/after_failure"},
        {Bug::waits_for_first_fence, "execution/each_of_two_fences"},
        {Bug::execution_info_once, "execution/waits_for_fence"},
        {Bug::load_past_deadline_accepted, "cache/deadlines"},
        {Bug::first_deadline_kept, "deadlines/each_compute"},
        {Bug::timing_of_last_measured, "execution/measured_in_turn/"},
        {Bug::leaks_descriptor_failure, "growth/failures/"},
        {Bug::leaks_memory_refusal, "growth/failures/model"},
        {Bug::constants_by_structure, "execution/twins/"},
        {Bug::cached_by_structure, "cache/twins/"},
};

TEST(ClientBugs, AreFoundByTheirCases) {
    for (const Row& row : kClients) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        size_t passed = 0;
        EXPECT_EQ(
                firstFailure(bugs::canonicalDriver(Bug::none), kFewExecutions, row.prefix, &passed),
                "");
        EXPECT_GT(passed, 0u);
        // Allocators of sanitizers do not count the memory that a process holds.
        if (kIsSanitized && row.bug == Bug::leaks_memory_refusal) continue;
        // A race, which a busy machine may hide.
        const int maxTries = row.bug == Bug::copies_whole_pool ? 5 : 1;
        std::string failure;
        for (int tries = 0; tries < maxTries && failure.empty(); ++tries) {
            failure = firstFailure(bugs::canonicalDriver(row.bug), kFewExecutions, row.prefix);
        }
        EXPECT_NE(failure, "");
    }
}

// A hang is a call that has not returned: a case of many calls that take longer together than the
// time limit is none.
TEST(ClientBugs, SlowCallsAreNoHang) {
    setenv("NNAPI_BUG", "slow_calls", 1);
    const auto ran = device_test_test::runProgram(
            "--timeout 500 --jobs 2 --filter growth/preparing --filter growth/sync "
            "--filter numbers/ADD/1 --device " NNAPI_PLUGINS "/nnapi_buggy_driver.so");
    unsetenv("NNAPI_BUG");
    EXPECT_EQ(ran.code, 0) << ran.output;
}

// The HAL permits to refuse the model: there is a remark, and no failure.
TEST(ClientBugs, RemarksOnRefusalOfUnusedExtension) {
    const SharedDevice device = bugs::canonicalDriver(Bug::unused_extension_refused);
    for (const DeviceCase& one : nn::testing::listCases()) {
        if (one.name != "extensions/unused") continue;
        const DeviceOutcome outcome = nn::testing::runCase(device, one);
        EXPECT_EQ(outcome.result, DeviceOutcome::Result::PASSED);
        EXPECT_EQ(outcome.remarks.size(), 1u);
    }
}

TEST(ClientBugs, FlattenedOutputIsFoundByUnrankedVectors) {
    for (const Bug bug : {Bug::none, Bug::unranked_output_flattened}) {
        size_t failed = 0;
        for (const auto& testCase : nn::testing::builtInTestCases()) {
            for (const DeviceCase& one : nn::testing::listCases(testCase)) {
                if (one.path != "unranked") continue;
                const auto outcome = nn::testing::runCase(bugs::canonicalDriver(bug), one);
                failed += outcome.result == DeviceOutcome::Result::FAILED ? 1 : 0;
            }
        }
        EXPECT_EQ(failed > 0, bug != Bug::none);
    }
}

const Row kDrawn[] = {
        {Bug::slice_shrink_minus_one, "numbers/STRIDED_SLICE/"},
        {Bug::conv_activation_ignored, "numbers/CONV_2D/"},
        {Bug::depthwise_activation_ignored, "numbers/DEPTHWISE_CONV_2D/"},
        {Bug::transpose_conv_activation_ignored, "numbers/TRANSPOSE_CONV_2D/"},
        {Bug::l2_pool_activation_ignored, "numbers/L2_POOL_2D/"},
        {Bug::average_pool_activation_ignored, "numbers/AVERAGE_POOL_2D/"},
        {Bug::fully_connected_activation_ignored, "numbers/FULLY_CONNECTED/"},
        {Bug::batch_matmul_adjoint_ignored, "numbers/BATCH_MATMUL/"},
        {Bug::log_softmax_beta_ignored, "numbers/LOG_SOFTMAX/"},
        {Bug::log_softmax_axis_ignored, "numbers/LOG_SOFTMAX/"},
        {Bug::elu_alpha_ignored, "numbers/ELU/"},
        {Bug::lrn_axis_ignored, "numbers/LOCAL_RESPONSE_NORMALIZATION/"},
        {Bug::l2_norm_axis_ignored, "numbers/L2_NORMALIZATION/"},
        {Bug::mirror_pad_mode_ignored, "numbers/MIRROR_PAD/"},
        {Bug::reverse_first_axis, "numbers/REVERSE/"},
        {Bug::rnn_activation_fixed, "numbers/RNN/"},
        {Bug::lstm_activation_fixed, "numbers/LSTM/"},
        {Bug::lstm_projection_clip_ignored, "numbers/LSTM/"},
        {Bug::sequence_rnn_time_major, "numbers/UNIDIRECTIONAL_SEQUENCE_RNN/"},
        {Bug::space_to_depth_nchw_ignored, "numbers/SPACE_TO_DEPTH/"},
        {Bug::roi_align_samples_fixed, "numbers/ROI_ALIGN/"},
        {Bug::channel_shuffle_groups_ignored, "numbers/CHANNEL_SHUFFLE/"},
        {Bug::nms_kernel_ignored, "numbers/BOX_WITH_NMS_LIMIT/"},
        {Bug::instance_norm_beta_ignored, "numbers/INSTANCE_NORMALIZATION/"},
        {Bug::refuses_same_input_twice, "random/"},
        {Bug::refuses_constant_first, "execution/constants/first_input"},
        {Bug::consumed_output_is_zero, "random/"},
        {Bug::outputs_share_memory, "random/"},
        {Bug::max_pool_writes_input, "numbers/MAX_POOL_2D/"},
        {Bug::refuses_long_models, "random/"},
};

TEST(ParameterBugs, AreFoundWithEachSeed) {
    for (const Row& row : kDrawn) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        const SharedDevice device = bugs::canonicalDriver(row.bug);
        for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
            // Patient, since a case executes fewer models where they take long.
            DeviceTestOptions options = kFewExecutions;
            options.seed = seed;
            options.patience = std::chrono::hours(1);
            EXPECT_NE(firstFailure(device, options, row.prefix), "") << seed;
        }
    }
}

// Each bug of these families is in one of the tables.
TEST(ParameterBugs, AllHaveRows) {
    std::set<Bug> tested{Bug::unused_extension_refused, Bug::unranked_output_flattened,
                         Bug::slow_calls};
    for (const Row& row : kClients) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const Row& row : kDrawn) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const bugs::BugRow& row : bugs::catalog()) {
        if (row.family != "CLIENT" && row.family != "PARAMETER") continue;
        EXPECT_TRUE(tested.contains(row.bug)) << row.name;
    }
}

}  // namespace
}  // namespace nn::found_bugs_test
