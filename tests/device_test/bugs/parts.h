// The parts of the driver: each wraps a device, and changes it where the bug is one of its own.
#pragma once

#include <csignal>
#include <memory>
#include <utility>
#include <vector>

#include "device_test/bugs/bugs.h"
#include "device_test/cases/device_parts.h"
#include "device_test/cases/faulty_parts.h"

namespace nn::bugs {

using Handles = std::vector<SharedHandle>;
using Roles = std::vector<BufferRole>;
using parts::ExecutionCall;
using parts::Loading;
using parts::poolOf;
using parts::Preparation;
using parts::Prepared;
using parts::readOutputs;
using parts::writeOutputs;

// Each returns the device itself if the bug is not among its own.
SharedDevice withSupportBugs(SharedDevice device, Bug bug);
SharedDevice withShapeBugs(SharedDevice device, Bug bug);
SharedDevice withMemoryBugs(SharedDevice device, Bug bug);
SharedDevice withCacheBugs(SharedDevice device, Bug bug);
SharedDevice withThreadBugs(SharedDevice device, Bug bug);
SharedDevice withTimeBugs(SharedDevice device, Bug bug);
SharedDevice withResourceBugs(SharedDevice device, Bug bug);
SharedDevice withClientBugs(SharedDevice device, Bug bug);
SharedDevice withChangedModels(SharedDevice device, Bug bug);
hidl::sp<V1_3::IDevice> withProtocolBugs(hidl::sp<V1_3::IDevice> driver, Bug bug);
std::shared_ptr<aidl_hal::IDevice> withProtocolBugs(std::shared_ptr<aidl_hal::IDevice> driver,
                                                    Bug bug);

// Of cache_failure_fails: a cache of the calling thread was not saved.
bool& hasCacheFailed();

// Ends the process by SIGSEGV, without a core file.
[[noreturn]] inline void crash() { nn::testing::endBy(SIGSEGV); }

// Parts that know the bug.
class PreparedModelPart : public parts::PreparedModelPart {
   public:
    PreparedModelPart(SharedPreparedModel inner, Bug bug)
        : parts::PreparedModelPart(std::move(inner)), mBug(bug) {}

   protected:
    bool has(Bug bug) const { return mBug == bug; }

   private:
    Bug mBug;
};

class DevicePart : public parts::DevicePart {
   public:
    DevicePart(SharedDevice inner, Bug bug) : parts::DevicePart(std::move(inner)), mBug(bug) {}

   protected:
    bool has(Bug bug) const { return mBug == bug; }
    Bug bug() const { return mBug; }

   private:
    Bug mBug;
};

}  // namespace nn::bugs
