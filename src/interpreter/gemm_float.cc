// The only file that includes Eigen, which is slow to compile.
#include <Eigen/Core>

#include "interpreter/gemm.h"

namespace nn::ops {

void multiplyTransposed(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Stride = Eigen::OuterStride<>;
    const auto constMap = [](Matrix<const float> m) {
        return Eigen::Map<const RowMajor, 0, Stride>(m.data, static_cast<Eigen::Index>(m.rows),
                                                     static_cast<Eigen::Index>(m.columns),
                                                     Stride(static_cast<Eigen::Index>(m.stride)));
    };
    Eigen::Map<RowMajor, 0, Stride>(c.data, static_cast<Eigen::Index>(c.rows),
                                    static_cast<Eigen::Index>(c.columns),
                                    Stride(static_cast<Eigen::Index>(c.stride)))
            .noalias() = constMap(a) * constMap(b).transpose();
}

}  // namespace nn::ops
