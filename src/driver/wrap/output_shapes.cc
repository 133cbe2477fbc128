#include "driver/wrap/output_shapes.h"

#include <absl/algorithm/container.h>

#include "nnapi/print.h"
#include "nnapi/type_utils.h"

namespace nn::driver {
namespace {

// The specification of one output by model and request.
class Expected {
   public:
    Expected(const ExpectedOutputs& expected, size_t i) : mRequest(expected.arguments[i]) {
        if (expected.model != nullptr && i < expected.model->size()) mModel = &(*expected.model)[i];
    }

    // It has no value, and its shape does not matter.
    bool isOmitted() const { return mRequest.lifetime == Request::Argument::LifeTime::NO_VALUE; }
    bool isTensor() const { return mModel != nullptr && isNonExtensionTensor(mModel->type); }
    bool isScalar() const { return mModel != nullptr && isNonExtensionScalar(mModel->type); }

    // 0 if unknown, or a scalar
    size_t rank() const {
        const Dimensions& model = modelDimensions();
        return model.empty() ? mRequest.dimensions.size() : model.size();
    }
    // 0 if unknown
    uint32_t extent(size_t axis) const {
        const Dimensions& model = modelDimensions();
        if (axis < model.size() && model[axis] != 0) return model[axis];
        return axis < mRequest.dimensions.size() ? mRequest.dimensions[axis] : 0;
    }

    bool isFullySpecified() const {
        if (mModel == nullptr || isOmitted() || isScalar()) return true;
        if (rank() == 0) return !isTensor();
        for (size_t axis = 0; axis < rank(); ++axis) {
            if (extent(axis) == 0) return false;
        }
        return true;
    }

    // True if rank and known extents agree.
    bool agrees(const Dimensions& dimensions) const {
        if (isScalar()) return dimensions.empty();
        if (rank() == 0) return true;
        if (dimensions.size() != rank()) return false;
        for (size_t axis = 0; axis < rank(); ++axis) {
            if (extent(axis) != 0 && dimensions[axis] != extent(axis)) return false;
        }
        return true;
    }

    // The bytes of a result of these dimensions do not fit into the argument. False if the argument
    // is a whole memory, or the size of elements is not known.
    bool exceeds(const Dimensions& dimensions) const {
        const uint32_t length = mRequest.location.length;
        if (mModel == nullptr || length == 0) return false;
        return operandSize(mModel->type, dimensions).value_or(UINT64_MAX) > length;
    }
    uint32_t length() const { return mRequest.location.length; }

    std::string text() const {
        if (isScalar()) return "none of a scalar";
        Dimensions known(rank());
        for (size_t axis = 0; axis < known.size(); ++axis) known[axis] = extent(axis);
        return print(known) + ", where 0 is not known beforehand";
    }

   private:
    const Dimensions& modelDimensions() const {
        static const Dimensions kNone;
        return mModel == nullptr ? kNone : mModel->dimensions;
    }

    const Request::Argument& mRequest;
    const OutputSignature* mModel = nullptr;
};

ErrorBuilder refuse(size_t output) {
    return error() << "the driver reports outputShapes[" << output << "] ";
}

Status checkSuccess(const OutputShape& shape, const Expected& expected, size_t i) {
    if (!shape.isSufficient) {
        return refuse(i) << "as not sufficient, allowed sufficient after a success";
    }
    if (expected.isTensor() && shape.dimensions.empty()) {
        return refuse(i) << "without dimensions, allowed those of a tensor";
    }
    return {};
}

Status checkCount(std::span<const OutputShape> shapes, size_t outputs) {
    if (shapes.size() == outputs) return {};
    return error() << "the driver reports " << shapes.size() << " output shapes, allowed "
                   << outputs << ", one for each output";
}

}  // namespace

std::vector<OutputSignature> outputSignatures(const Model& model) {
    std::vector<OutputSignature> signatures;
    for (const uint32_t index : model.main.outputIndexes) {
        if (index >= model.main.operands.size()) return {};
        const Operand& operand = model.main.operands[index];
        signatures.push_back({.type = operand.type, .dimensions = operand.dimensions});
    }
    return signatures;
}

bool areFullySpecified(const ExpectedOutputs& expected) {
    for (size_t i = 0; i < expected.arguments.size(); ++i) {
        if (!Expected(expected, i).isFullySpecified()) return false;
    }
    return true;
}

Status checkOutputShapes(ErrorStatus code, std::span<const OutputShape> shapes,
                         const ExpectedOutputs& expected) {
    const bool isSuccess = code == ErrorStatus::NONE;
    if (!isSuccess && code != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
        if (shapes.empty()) return {};
        return error() << "the driver reports " << code << " and " << shapes.size()
                       << " output shapes, allowed none";
    }
    if (isSuccess && shapes.empty()) {
        if (areFullySpecified(expected)) return {};
        return error() << "the driver reports no output shapes, allowed where model and request "
                          "say all dimensions of outputs";
    }
    NNAPI_RETURN_IF_ERROR(checkCount(shapes, expected.arguments.size()));
    for (size_t i = 0; i < shapes.size(); ++i) {
        const Expected output(expected, i);
        if (output.isOmitted()) continue;
        if (isSuccess) NNAPI_RETURN_IF_ERROR(checkSuccess(shapes[i], output, i));
        if (!output.agrees(shapes[i].dimensions)) {
            return refuse(i) << "with dimensions " << print(shapes[i].dimensions) << ", allowed "
                             << output.text();
        }
        if (isSuccess && output.exceeds(shapes[i].dimensions)) {
            return refuse(i) << "as sufficient with dimensions " << print(shapes[i].dimensions)
                             << ", allowed what fits the output's " << output.length() << " bytes";
        }
    }
    const auto isSufficient = [](const OutputShape& shape) { return shape.isSufficient; };
    if (!isSuccess && absl::c_all_of(shapes, isSufficient)) {
        return error() << "the driver reports OUTPUT_INSUFFICIENT_SIZE, but all outputs as "
                          "sufficient";
    }
    return {};
}

}  // namespace nn::driver
