// An execution of a support library, with its arguments and the objects that they refer to.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "driver/support_library/prepared_model.h"
#include "driver/wrap/execution_report.h"

namespace nn::driver {

// At least 1: to a library, 0 is no limit.
uint64_t nanosecondsOf(Duration duration);

// Of memory of a device.
Request::MemoryDomainToken tokenOf(const Request::MemoryPool& pool);

class Computation {
   public:
    static GeneralResult<Computation> create(
            const std::shared_ptr<const LibraryCompilation>& compilation, const Request& request,
            const ExecutionConfig& config, bool isReusable);

    ANeuralNetworksExecution* get() const { return mExecution.get(); }
    const Library& library() const { return *mCompilation->library; }
    const NnApiSLDriverImplFL5& api() const { return library().api(); }

    // Only before the first start.
    Status setDeadline(const OptionalTimePoint& deadline) const;

    // How it has ended, with a code.
    ExecutionResult<Executed> end(std::string_view function, int code,
                                  const std::vector<Request::Argument>& outputs) const;

    // The timing if it was measured; for a fenced execution it starts at its fences.
    Timing timing(bool isFenced) const;

   private:
    Status configure(const ExecutionConfig& config, bool isReusable) const;
    const Operand& operandOf(size_t index, bool isInput) const;
    Status setArguments(const Request& request);
    GeneralResult<std::shared_ptr<ANeuralNetworksMemory>> memoryOf(const Request::MemoryPool& pool,
                                                                   size_t index) const;
    Status setArgument(const Request::Argument& argument, size_t index, bool isInput,
                       const std::vector<ANeuralNetworksMemory*>& memories) const;
    Result<std::vector<OutputShape>> shapes(size_t count) const;
    OptionalDuration duration(int32_t which) const;

    std::shared_ptr<const LibraryCompilation> mCompilation{};
    std::vector<std::shared_ptr<ANeuralNetworksMemory>> mMemories{};
    MeasureTiming mMeasure = MeasureTiming::NO;
    std::shared_ptr<ANeuralNetworksExecution> mExecution{};
};

}  // namespace nn::driver
