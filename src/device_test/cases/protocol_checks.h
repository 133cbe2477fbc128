// Checks of replies to a strict client that both families of interfaces share.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "device_test/cases/prepared_case.h"
#include "device_test/cases/protocol.h"

namespace nn::testing::protocol {

enum class Legality { LEGAL, ILLEGAL };

// The status is NONE exactly where the arguments were legal.
Failure checkLegality(const std::string& call, const Reply& reply, Legality legality);

// Shapes and times of an execution with one output.
Failure checkExecutionReply(const std::string& call, const Reply& reply, MeasureTiming measure);

// The reply if an output is too small. NOT_SUPPORTED for a driver without open outputs.
Failure checkInsufficient(const std::string& call, const Reply& reply);

// executeFenced: a callback exactly on success, and no fence on failure.
Failure checkFenced(const Reply& reply, const SyncFence& fence);

// Requests the times of a fenced execution; the reply has the smaller of both, measured or not.
using QueryInfo = std::function<Failure(Reply& reply)>;

// A fenced execution that was not measured: waits for it, then queries its times.
Failure checkInfo(Duration patience, const SyncFence& fence, const QueryInfo& query);

// Launches behind a fence that is signaled later: until then there are no times.
Failure checkLateFence(Duration patience,
                       const std::function<Failure(const SyncFence& before)>& launch,
                       const std::function<SyncFence()>& fence, const QueryInfo& query);

// Calls the device while a callback is being notified, on its own thread, and waits for the result:
// a driver that holds a lock meanwhile returns only after the callback has.
class Reentry {
   public:
    // Notifications of the ledger's calls reenter from now on.
    static std::shared_ptr<Reentry> begin(Ledger& ledger, std::function<void()> call);

    Failure check() const;

   private:
    void enter();

    std::function<void()> mCall{};
    Duration mPatience{};
    mutable std::mutex mMutex{};
    bool mIsBlocked = false;
    std::vector<std::future<void>> mPending{};  // each waits for its end
};

// Allocates without prepared models, which is not legal, and then twice. Each call appends a token.
Failure checkAllocations(const std::function<Failure(bool hasModels, Reply& reply)>& allocate,
                         const std::vector<int64_t>& tokens);

// A sum of three floats each, and its arguments.
struct SumArguments {
    JobCase job;
    std::optional<Arguments> arguments{};

    explicit SumArguments(float scale = 1) : job(sumJob(3, scale)) {}
    Failure begin();
    Request request() const { return arguments->request(); }
    // For a model that leaves its dimensions to the request: the output is too small.
    Request insufficient() const;
    // Fails with `rules` unless the output is the sum.
    Failure checkSum(const std::string& call, const std::string& rules) const;
};

}  // namespace nn::testing::protocol
