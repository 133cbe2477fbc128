#include "python/src/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "nnapi/type_utils.h"
#include "python/src/errors.h"

namespace nn::python {
namespace {

constexpr size_t kAlignment = 64;

std::string nameOf(const py::dtype& dtype) {
    return py::str(static_cast<const py::object&>(dtype));
}

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
    raise(ErrorStatus::INVALID_ARGUMENT, place + ": " + why);
}

// NumPy's name of the type.
const char* codeOf(OperandType type) {
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return "float32";
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            return "int32";
        case OperandType::UINT32:
            return "uint32";
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            return "float16";
        case OperandType::BOOL:
        case OperandType::TENSOR_BOOL8:
            return "bool";
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::TENSOR_OEM_BYTE:
            return "uint8";
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return "int8";
        case OperandType::TENSOR_QUANT16_SYMM:
            return "int16";
        case OperandType::TENSOR_QUANT16_ASYMM:
            return "uint16";
        default:
            return nullptr;
    }
}

}  // namespace

std::optional<py::dtype> dtypeOf(OperandType type) {
    const char* code = codeOf(type);
    if (code == nullptr) return std::nullopt;
    return py::dtype(code);
}

std::optional<OperandType> tensorTypeOf(const py::dtype& dtype) {
    using enum OperandType;
    for (const OperandType type :
         {TENSOR_FLOAT32, TENSOR_INT32, TENSOR_FLOAT16, TENSOR_BOOL8, TENSOR_QUANT8_ASYMM,
          TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT16_SYMM, TENSOR_QUANT16_ASYMM}) {
        if (dtype.equal(*dtypeOf(type))) return type;
    }
    return std::nullopt;
}

Tensor Elements::tensor() const {
    return {.dimensions = dimensions, .data = {data(), data() + length}};
}

Elements elementsOf(const std::string& place, const py::handle& value,
                    const std::optional<py::dtype>& expected) {
    const py::module_ numpy = py::module_::import("numpy");
    const py::array array = py::isinstance<py::array>(value)
                                    ? py::reinterpret_borrow<py::array>(value)
                                    : numpy.attr("asarray")(value).cast<py::array>();
    const py::dtype dtype = array.dtype();
    if (expected ? !dtype.equal(*expected) : !tensorTypeOf(dtype)) {
        refuse(place, fmt::format("dtype is {}, allowed {}", nameOf(dtype),
                                  expected ? nameOf(*expected)
                                           : "float32, float16, int32, bool, uint8, int8, int16 "
                                             "and uint16"));
    }
    Elements elements;
    for (py::ssize_t i = 0; i < array.ndim(); ++i) {
        if (!std::in_range<uint32_t>(array.shape(i)))
            refuse(place, fmt::format("dimension {} is {}, allowed below 2^32", i, array.shape(i)));
        elements.dimensions.push_back(static_cast<uint32_t>(array.shape(i)));
    }
    // Before a copy: a view may represent more bytes than there is memory.
    if (!std::in_range<uint32_t>(array.nbytes()))
        refuse(place, fmt::format("has {} bytes, allowed below 2^32", array.nbytes()));
    elements.length = static_cast<uint32_t>(array.nbytes());
    const bool isContiguous = (array.flags() & py::array::c_style) != 0;
    elements.array =
            isContiguous ? array : numpy.attr("ascontiguousarray")(array).cast<py::array>();
    return elements;
}

ResultMemory::ResultMemory(uint32_t length) : mLength(length) {
    const size_t size = (std::max<size_t>(length, 1) + kAlignment - 1) / kAlignment * kAlignment;
    mData.reset(static_cast<uint8_t*>(std::aligned_alloc(kAlignment, size)));
    if (mData == nullptr) throw std::bad_alloc();
}

py::array ResultMemory::release(OperandType type, const Dimensions& dimensions) {
    const std::optional<py::dtype> dtype = dtypeOf(type);
    const std::optional<uint64_t> size = [&]() -> std::optional<uint64_t> {
        // A dimension of 0 is unknown for operandSize(); here it is a size.
        if (std::ranges::count(dimensions, 0u) != 0) return 0;
        return operandSize(type, dimensions);
    }();
    if (!dtype || !size || *size > mLength) {
        raise(ErrorStatus::GENERAL_FAILURE,
              fmt::format("the result has dimensions [{}], which need more than its {} bytes",
                          fmt::join(dimensions, ", "), mLength));
    }
    const std::vector<py::ssize_t> shape(dimensions.begin(), dimensions.end());
    const py::capsule owner(mData.get(), [](void* data) { std::free(data); });
    return py::array(*dtype, shape, mData.release(), owner);
}

py::array arrayOf(OperandType type, const Dimensions& dimensions, const uint8_t* data,
                  uint64_t length) {
    if (!std::in_range<uint32_t>(length))
        raise(ErrorStatus::INVALID_ARGUMENT, fmt::format("{} bytes, allowed below 2^32", length));
    ResultMemory memory(static_cast<uint32_t>(length));
    std::copy_n(data, length, memory.data());
    return memory.release(type, dimensions);
}

}  // namespace nn::python
