// The bugs other than those of arithmetic (numbers_test.cc) and protocol (protocol_test.cc): the
// cases of the device test that find each. Those of parameters are found with any seed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
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

// With those of the built-in test vectors.
std::vector<DeviceCase> casesOf(const DeviceTestOptions& options) {
    std::vector<DeviceCase> cases = nn::testing::listCases(options);
    for (const auto& testCase : nn::testing::builtInTestCases()) {
        for (DeviceCase& one : nn::testing::listCases(testCase, options)) {
            cases.push_back(std::move(one));
        }
    }
    return cases;
}

// The first failure among the cases of a run whose names begin with `prefix`; empty if there is
// none. Counts those that have passed.
std::string firstFailure(const SharedDevice& device, const DeviceTestOptions& options,
                         std::string_view prefix, size_t* passed = nullptr) {
    for (const DeviceCase& one : casesOf(options)) {
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

// Of cases that are the same with each seed, and the effect that the message names.
struct FixedRow {
    Bug bug;
    const char* prefix;
    const char* found;
};
const FixedRow kFixed[] = {
        {Bug::supports_count, "basics/supported_operations", "4 results, allowed 5"},
        {Bug::supports_referenced, "basics/supported_control_flow", "3 results, allowed 1"},
        {Bug::supports_then_refuses, "numbers/SOFTMAX/", "prepareModel: INVALID_ARGUMENT"},
        {Bug::supports_invalid, "refused/model/empty", "getSupportedOperations (empty): succeeds"},
        {Bug::supports_by_order, "extensions/unknown_operation", "that it supports an operation"},
        {Bug::supports_differs, "numbers/MUL/",
         "getSupportedOperations: true at first, and false later; two results for one model differ "
         "[device.supported_operations]"},
        {Bug::prepares_unsupported, "random/100000", "results of "},

        {Bug::reduce_keep_dims, "numbers/MEAN/", "the driver reports"},
        {Bug::dynamic_shape_stale, "execution/sizes_of_request", "dimensions [5], expected [7]"},
        {Bug::insufficient_shape_zero, "vectors/relu_float/insufficient",
         "execute with some dimensions in the request: the driver reports outputShapes[0] with "
         "dimensions [0, 0], allowed [0, 2], where 0 is not known beforehand "
         "[execution.insufficient_shapes]"},

        {Bug::writes_past_output, "execution/sizes_of_request", "which is behind the output"},
        {Bug::writes_input, "execution/reusable_with_other_inputs", "has written to input 0"},
        {Bug::reads_past_input, "refused/", "behind the pool): GENERAL_FAILURE"},
        {Bug::ignores_offset, "execution/reusable_with_other_inputs", "element 0: 0, expected 10"},
        {Bug::ignores_output_offset, "execution/offsets/", "which is behind the output"},
        {Bug::ignores_dimensions_of_request, "execution/sizes_of_request", "INVALID_ARGUMENT"},
        {Bug::buffer_token_reused, "memory/executes", "the device has no buffer with token"},
        {Bug::buffer_uninitialized_read, "memory/copies", "copyTo of what has no value: succeeds"},
        {Bug::buffer_copy_size, "memory/copies", "copyTo a memory that is too large: succeeds"},

        {Bug::cache_ignores_token, "cache/wrong_token", "prepareModelFromCache: succeeds"},
        {Bug::cache_ignores_corruption, "cache/saved_with_wrong_count/model_one_more",
         "prepareModelFromCache: succeeds"},
        {Bug::cache_not_truncated, "cache/longer_files",
         "prepareModel with cache files: model file 0 still ends as before, allowed where nothing "
         "was written: a driver truncates a file before it writes to it [cache.handles, "
         "cache.used_files]"},
        {Bug::cache_count_differs, "basics/stable", "other values after a preparation"},
        {Bug::cache_failure_fails, "cache/saved_with_wrong_count/model_one_more",
         "prepareModel with cache files: GENERAL_FAILURE"},
        {Bug::cache_offset, "cache/offsets", "prepareModelFromCache with offsets: GENERAL_FAILURE"},
        {Bug::cache_first_model, "cache/saved_over",
         "prepareModelFromCache of files that had another model: GENERAL_FAILURE"},

        {Bug::race_shared_scratch, "concurrency/one_model", "results: "},
        {Bug::race_two_models, "cache/concurrently", "results: "},
        {Bug::burst_interleaved, "concurrency/one_burst", "results: "},
        {Bug::release_ends_executions, "concurrency/coming_and_going",
         "the prepared model is gone"},

        {Bug::time_driver_below_device, "deadlines/soon/sync",
         "2 ns on the device, allowed at most"},
        {Bug::time_unmeasured, "execution/reusable_with_other_inputs",
         "returns a time, allowed none"},
        {Bug::deadline_past_accepted, "deadlines/prepare/past", "prepareModel: succeeds"},
        {Bug::misses_ample_deadlines, "deadlines/ample/sync", "MISSED_DEADLINE_TRANSIENT: late"},

        {Bug::leaks_descriptor_execution, "growth/sync", "more descriptors after"},
        {Bug::leaks_descriptor_preparation, "growth/preparing", "more descriptors after"},
        {Bug::leaks_descriptor_zero, "growth/descriptor_0",
         "descriptor 0 was free, and stays open"},
        {Bug::leaks_mapping, "growth/sync", "more mappings after"},
        {Bug::leaks_memory, "growth/sync", "more bytes of memory after"},
        {Bug::thread_per_execution, "growth/sync", "more threads after"},
        {Bug::holds_prepared_models, "basics/released", "still holds the prepared model"},
        // Rule object.float_environment.
        {Bug::changes_rounding, "growth/sync",
         "the device: a call has changed how its thread rounds, counts subnormal numbers or traps, "
         "allowed is what was set before [object.float_environment]"},
        {Bug::slower_each_time, "growth/sync", "each takes longer"},
        {Bug::stops_after_refusal, "refused/prepare/", "GENERAL_FAILURE: the device is in"},

        {Bug::specializes_first_shape, "execution/sizes_of_request", ""},
        {Bug::nested_ifs_swapped, "execution/nested/if_in_if", ""},
        {Bug::only_one_is_true, "execution/truth/", ""},
        {Bug::input_offset_rounded, "execution/offsets/", ""},
        {Bug::maps_pools_writable, "execution/pools/read_only", ""},
        {Bug::file_offset_ignored, "execution/pools/file_at_offset", ""},
        {Bug::maps_constants_writable, "execution/constants/read_only", ""},
        {Bug::constant_offset_ignored, "execution/constants/file_at_offset", ""},
        {Bug::copies_whole_pool, "concurrency/one_pool", ""},
        {Bug::buffer_keeps_value, "memory/after_failure", ""},
        {Bug::waits_for_first_fence, "execution/each_of_two_fences", ""},
        {Bug::execution_info_once, "execution/waits_for_fence", ""},
        {Bug::load_past_deadline_accepted, "cache/deadlines", ""},
        {Bug::first_deadline_kept, "deadlines/each_compute", ""},
        {Bug::timing_of_last_measured, "execution/measured_in_turn/", ""},
        {Bug::leaks_descriptor_failure, "growth/failures/", ""},
        {Bug::leaks_memory_refusal, "growth/failures/model", ""},
        {Bug::constants_by_structure, "execution/twins/", ""},
        {Bug::cached_by_structure, "cache/twins/", ""},
        {Bug::unranked_output_flattened, "vectors/", ""},
};

TEST(FixedBugs, AreFoundByTheirCases) {
    std::set<std::string_view> passed;  // by the driver without a bug
    for (const FixedRow& row : kFixed) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        size_t count = 0;
        if (passed.insert(row.prefix).second) {
            EXPECT_EQ(firstFailure(bugs::canonicalDriver(Bug::none), kFewExecutions, row.prefix,
                                   &count),
                      "");
            EXPECT_GT(count, 0u);
        }
        // Allocators of sanitizers do not count the memory that a process holds.
        if (kIsSanitized &&
            (row.bug == Bug::leaks_memory_refusal || row.bug == Bug::leaks_memory)) {
            continue;
        }
        // A busy machine may hide races, and small differences between a few times.
        const bool isSlower = row.bug == Bug::slower_each_time;
        const bool mayBeHidden = row.bug == Bug::copies_whole_pool || isSlower ||
                                 bugs::rowOf(row.bug).family == "THREADS";
        const DeviceTestOptions options = isSlower ? DeviceTestOptions{} : kFewExecutions;
        std::string failure;
        for (int tries = mayBeHidden ? 5 : 1; tries > 0 && failure.empty(); --tries) {
            failure = firstFailure(bugs::canonicalDriver(row.bug), options, row.prefix);
        }
        EXPECT_NE(failure, "");
        EXPECT_THAT(failure, ::testing::HasSubstr(row.found));
    }
}

// Of cases that end the process, or never end.
struct EndRow {
    Bug bug;
    const char* prefix;
    int signal;  // SIGALRM: it does not return
};
const EndRow kEnds[] = {
        {Bug::empty_tensor_crash, "numbers/AVERAGE_POOL_2D/2", SIGSEGV},
        {Bug::omitted_operand_crash, "numbers/SVDF/", SIGSEGV},
        {Bug::cache_truncated_crash, "cache/loaded", SIGSEGV},
        {Bug::crashes_after_1000, "growth/sync", SIGSEGV},
        {Bug::deadlock_concurrent_prepare, "cache/concurrently", SIGALRM},
        {Bug::hangs_third_burst, "growth/burst", SIGALRM},
};

TEST(FixedBugsDeathTest, EndTheProcessOrHang) {
    for (const EndRow& row : kEnds) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        EXPECT_EQ(firstFailure(bugs::canonicalDriver(Bug::none), kFewExecutions, row.prefix), "");
        const auto act = [&] {
            (void)signal(SIGALRM, SIG_DFL);
            alarm(row.signal == SIGALRM ? 3 : 60);
            (void)firstFailure(bugs::canonicalDriver(row.bug), {}, row.prefix);
        };
        EXPECT_EXIT(act(), ::testing::KilledBySignal(row.signal), "");
    }
}

// A hang is a call that has not returned: a case of many calls that take longer together than the
// time limit is none.
TEST(PermittedBugs, SlowCallsAreNoHang) {
    setenv("NNAPI_BUG", "slow_calls", 1);
    const auto ran = device_test_test::runProgram(
            "--timeout 500 --jobs 2 --filter growth/preparing --filter growth/sync "
            "--filter numbers/ADD/1 --device " NNAPI_PLUGINS "/nnapi_buggy_driver.so");
    unsetenv("NNAPI_BUG");
    EXPECT_EQ(ran.code, 0) << ran.output;
}

// The HAL permits to refuse the model: there is a remark, and no failure.
TEST(PermittedBugs, RemarksOnRefusalOfUnusedExtension) {
    const SharedDevice device = bugs::canonicalDriver(Bug::unused_extension_refused);
    for (const DeviceCase& one : nn::testing::listCases()) {
        if (one.name != "extensions/unused") continue;
        const DeviceOutcome outcome = nn::testing::runCase(device, one);
        EXPECT_EQ(outcome.result, DeviceOutcome::Result::PASSED);
        EXPECT_EQ(outcome.remarks.size(), 1u);
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
    // In presets where all take too long, with the first seeds.
    const uint64_t seeds = kSeeds / fromEnvironment("NNAPI_DEVICE_SHARE", 1);
    for (const Row& row : kDrawn) {
        SCOPED_TRACE(bugs::rowOf(row.bug).name);
        const SharedDevice device = bugs::canonicalDriver(row.bug);
        for (uint64_t seed = 1; seed <= std::max<uint64_t>(seeds, 1); ++seed) {
            // Patient, since a case executes fewer models where they take long.
            DeviceTestOptions options = kFewExecutions;
            options.seed = seed;
            options.patience = std::chrono::hours(1);
            EXPECT_NE(firstFailure(device, options, row.prefix), "") << seed;
        }
    }
}

// ---- the catalog

// Each bug of these families is in one of the tables.
TEST(Bugs, HaveRows) {
    const std::set<std::string_view> kFamilies = {"CLIENT",  "PARAMETER", "DYNAMIC",
                                                  "SUPPORT", "MEMORY",    "CACHE",
                                                  "THREADS", "TIME",      "RESOURCES"};
    // Of protocol_test.cc.
    std::set<Bug> tested{Bug::time_too_long,        Bug::time_too_short,
                         Bug::time_constant,        Bug::time_since_boot,
                         Bug::loop_timeout_ignored, Bug::timeout_after_fence_ignored};
    for (const FixedRow& row : kFixed) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const EndRow& row : kEnds) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const Row& row : kDrawn) EXPECT_TRUE(tested.insert(row.bug).second);
    for (const bugs::BugRow& row : bugs::catalog()) {
        if (row.isPermitted || !kFamilies.contains(row.family)) continue;
        EXPECT_TRUE(tested.contains(row.bug)) << row.name;
    }
}

TEST(Bugs, AreManyAndDistinct) {
    std::set<std::string_view> names, sentences;
    size_t bugs = 0;
    for (const bugs::BugRow& row : bugs::catalog()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_TRUE(sentences.insert(row.what).second || bugs::isAidl(row.level)) << row.what;
        EXPECT_EQ(bugs::bugNamed(row.name), row.bug);
        EXPECT_FALSE(row.isPermitted && row.where.empty()) << row.name << " needs a reason";
        bugs += row.isPermitted ? 0 : 1;
    }
    EXPECT_GE(bugs, 120u);
    EXPECT_EQ(bugs::bugNamed(""), Bug::none);
    EXPECT_EQ(bugs::bugNamed("none_of_these"), std::nullopt);
}

}  // namespace
}  // namespace nn::found_bugs_test
