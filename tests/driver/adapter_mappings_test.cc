// Memory that an adapter's client uses repeatedly: the adapter keeps a mapping of it, sees the
// client's writes, and releases the mapping with the model.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <functional>

#include "driver/models.h"
#include "held_by_process.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/strict.h"
#include "nnapi/memory.h"

namespace nn::driver_adapter_mappings_test {
namespace {

// x, y and z of addition() in one file, which names its mappings in /proc/self/maps.
class NamedSum {
   public:
    explicit NamedSum(int seals) : mFd(memfd_create("adapted", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
        EXPECT_EQ(ftruncate(mFd.get(), 3 * kBytes), 0);
        EXPECT_TRUE(seals == 0 || fcntl(mFd.get(), F_ADD_SEALS, seals) == 0);
        mMemory = createSharedMemory(3 * kBytes, PROT_READ | PROT_WRITE, mFd.get(), 0).value();
    }
    const SharedMemory& memory() const { return mMemory; }
    Request request() const {
        const auto argument = [](uint32_t position) {
            return Request::Argument{.location = {.offset = position * kBytes, .length = kBytes}};
        };
        return {.inputs = {argument(0), argument(1)}, .outputs = {argument(2)}, .pools = {mMemory}};
    }
    void write(float x, float y) const {
        const std::vector<float> values = {x, x, x, x, y, y, y, y};
        EXPECT_EQ(pwrite(mFd.get(), values.data(), 2 * kBytes, 0), ssize_t{2 * kBytes});
    }
    float sum() const {
        float z = 0;
        EXPECT_EQ(pread(mFd.get(), &z, sizeof z, 2 * kBytes), ssize_t{sizeof z});
        return z;
    }

   private:
    static constexpr uint32_t kBytes = 4 * sizeof(float);
    UniqueFd mFd;
    SharedMemory mMemory;
};

// A way to execute the same request repeatedly.
using Way = std::function<bool()> (*)(const SharedPreparedModel&, const NamedSum&);
constexpr Way kExecute = [](const SharedPreparedModel& model,
                            const NamedSum& sum) -> std::function<bool()> {
    return [model, request = sum.request()] { return executeOn(*model, request).has_value(); };
};
constexpr Way kReusable = [](const SharedPreparedModel& model,
                             const NamedSum& sum) -> std::function<bool()> {
    const SharedExecution execution = reusableOn(*model, sum.request()).value();
    return [execution] { return execution->compute({}).has_value(); };
};
constexpr Way kBurst = [](const SharedPreparedModel& model,
                          const NamedSum& sum) -> std::function<bool()> {
    const SharedBurst burst = model->configureExecutionBurst().value();
    const auto hold = burst->cacheMemory(sum.memory());
    return [burst, hold, request = sum.request()] {
        return executeOn(*burst, request).has_value();
    };
};

SharedDevice hidl() { return wrap("hidl", *hal::adapter::adapt(referenceDevice())).value(); }
template <HalVersion version>
SharedDevice aidl() {
    return wrap("aidl", *hal::adapter::adaptAidl(referenceDevice(), version)).value();
}

TEST(AdapterMappings, KeepMemoryThatIsUsedAgain) {
    const struct {
        const char* name;
        SharedDevice (*open)();
        Way way;
        bool isCopied = false;  // by each execution, if a copy of a handle is a different handle
    } kRows[] = {
            {"HAL 1.3, execute", hidl, kExecute, true},
            {"HAL 1.3, compute", hidl, kReusable, true},
            {"HAL 1.3, burst", hidl, kBurst},
            {"AIDL 1, burst", aidl<HalVersion::AIDL1>, kBurst},
            {"AIDL 4, compute", aidl<HalVersion::AIDL4>, kReusable},
            {"AIDL 4, burst", aidl<HalVersion::AIDL4>, kBurst},
    };
    for (const auto& [name, open, way, isCopied] : kRows) {
        for (const int seals : {0, F_SEAL_SHRINK}) {
            SCOPED_TRACE(fmt::format("{}, {}", name, seals == 0 ? "may shrink" : "sealed"));
            const NamedSum sum(seals);
            {
                const auto execute = way(prepareOn(*open(), addition()).value(), sum);
                for (int i = 0; i < 20; ++i) {
                    sum.write(static_cast<float>(i), 100);
                    ASSERT_TRUE(execute());
                    ASSERT_EQ(sum.sum(), static_cast<float>(i) + 100);
                }
                // Memory that may shrink is not mapped but read through its file.
                const bool isKept = seals != 0 && !(isCopied && hal::kIsStrict);
                EXPECT_EQ(held::mappingsOf("adapted"), isKept ? 1 : 0);
            }
            // Executors end in threads of their own.
            EXPECT_EQ(held::settled([] { return held::mappingsOf("adapted"); }, 0), 0);
        }
    }
}

}  // namespace
}  // namespace nn::driver_adapter_mappings_test
