// Wraps a driver's buffer as a canonical one. BufferRow<Driver> has the two methods of its
// interface.
#pragma once

#include "base/no_throw.h"
#include "driver/wrap/result_checks.h"
#include "nnapi/driver/interfaces.h"

namespace nn::driver {

template <class Driver>
struct BufferRow;

template <class Driver>
class BufferWrapper final : public IBuffer {
    using Row = BufferRow<Driver>;

   public:
    static GeneralResult<SharedBuffer> create(Driver driver,
                                              Request::MemoryDomainToken token) NNAPI_TRY {
        if (driver == nullptr) return error() << kNullBuffer;
        if (token == Request::MemoryDomainToken{}) return error() << kTokenZero;
        return SharedBuffer(std::make_shared<const BufferWrapper>(std::move(driver), token));
    }
    NNAPI_CATCH

    BufferWrapper(Driver driver, Request::MemoryDomainToken token)
        : mDriver(std::move(driver)), mToken(token) {}

    Request::MemoryDomainToken getToken() const override { return mToken; }

    GeneralResult<void> copyTo(const SharedMemory& dst) const override NNAPI_TRY {
        return Row::copyTo(mDriver, dst);
    }
    NNAPI_CATCH

    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override NNAPI_TRY {
        return Row::copyFrom(mDriver, src, dimensions);
    }
    NNAPI_CATCH

   private:
    Driver mDriver;
    Request::MemoryDomainToken mToken;
};

}  // namespace nn::driver
