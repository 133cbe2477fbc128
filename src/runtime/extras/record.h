// Records the compilations and executions of an application, as files that `nnapi
// info|validate|verify|run|diff|test-device` read (NNAPI_RECORD).
//
//   FOLDER/model_PID_3.pb                    the third model that the process has compiled
//   FOLDER/model_PID_3_execution_1.jsonl     its first execution: model, inputs and outputs
//
// Thread-safe. Failures to write are logged and never reach the application.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/vlog.h"

namespace nn::runtime {

// Observes compilations.
class IRecorder {
   public:
    virtual ~IRecorder() = default;
    virtual SharedPreparedModel record(std::shared_ptr<const Model> model,
                                       SharedPreparedModel preparedModel) const = 0;
};

class Recorder final : public IRecorder {
   public:
    // Creates the folder if it does not exist.
    //   executions   of each model, so many are written: the first that succeed
    Recorder(std::filesystem::path folder, uint64_t executions, SharedLog log);

    // Writes the model, and returns a prepared model that records executions. A recorded fenced
    // execution is synchronous: the call waits for its fences and returns when it is done.
    SharedPreparedModel record(std::shared_ptr<const Model> model,
                               SharedPreparedModel preparedModel) const override;

   private:
    std::filesystem::path mFolder;
    uint64_t mExecutions;
    SharedLog mLog;
    mutable std::atomic<uint64_t> mModels = 0;
};

}  // namespace nn::runtime
