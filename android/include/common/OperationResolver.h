// OperationResolver.h -- finds operations by their type, and their validation and execution.
//
//   const OperationRegistration* found =
//           BuiltinOperationResolver::get()->findOperation(OperationType::ADD);
//   if (found == nullptr || !found->validate(&context)) ...
//
// The registrations of the built-in resolver have neither prepare nor execute: the interpreter
// executes whole models (CpuExecutor.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "OperationsUtils.h"
#include "android-base/macros.h"
#include "nnapi_android/flavor.h"

namespace nnapi_android {

// The types of an operation's operands, while a graph is made.
template <class Types>
class BasicValidationContext {
   public:
    virtual ~BasicValidationContext() = default;

    virtual const char* getOperationName() const = 0;
    virtual uint32_t getNumInputs() const = 0;
    virtual typename Types::OperandType getInputType(uint32_t index) const = 0;
    virtual BasicShape<Types> getInputShape(uint32_t index) const = 0;
    virtual const typename Types::OperandExtraParams& getInputExtraParams(uint32_t index) const = 0;
    virtual uint32_t getNumOutputs() const = 0;
    virtual typename Types::OperandType getOutputType(uint32_t index) const = 0;
    virtual BasicShape<Types> getOutputShape(uint32_t index) const = 0;
};

// The values of an operation's operands, while a graph is executed.
template <class Types>
class BasicExecutionContext {
   public:
    virtual ~BasicExecutionContext() = default;

    virtual uint32_t getNumInputs() const = 0;
    virtual typename Types::OperandType getInputType(uint32_t index) const = 0;
    virtual BasicShape<Types> getInputShape(uint32_t index) const = 0;
    virtual const void* getInputBuffer(uint32_t index) const = 0;
    virtual const typename Types::OperandExtraParams& getInputExtraParams(uint32_t index) const = 0;
    virtual uint32_t getNumOutputs() const = 0;
    virtual typename Types::OperandType getOutputType(uint32_t index) const = 0;
    virtual BasicShape<Types> getOutputShape(uint32_t index) const = 0;
    virtual void* getOutputBuffer(uint32_t index) = 0;
    // Also allocates the buffer where it has none.
    virtual bool setOutputShape(uint32_t index, const BasicShape<Types>& shape) = 0;
    virtual bool isOmittedInput(uint32_t index) const = 0;
    virtual bool isOmittedOutput(uint32_t index) const = 0;

    template <class T>
    const T* getInputBuffer(uint32_t index) const {
        return static_cast<const T*>(getInputBuffer(index));
    }
    template <class T>
    T* getOutputBuffer(uint32_t index) {
        return static_cast<T*>(getOutputBuffer(index));
    }
    template <class T>
    T getInputValue(uint32_t index) const {
        return *getInputBuffer<T>(index);
    }
};

template <class Types>
struct BasicOperationRegistration {
    struct Flag {
        bool allowOmittedOperand = false;
        bool allowZeroSizedInput = false;
    };
    using Validate = std::function<typename Types::Validated(const BasicValidationContext<Types>*)>;
    using Execute = std::function<bool(BasicExecutionContext<Types>*)>;

    BasicOperationRegistration(typename Types::OperationType operationType,
                               const char* operationName, Validate validateFunction,
                               Execute prepareFunction, Execute executeFunction, Flag flag)
        : type(operationType),
          name(operationName),
          validate(std::move(validateFunction)),
          prepare(std::move(prepareFunction)),
          execute(std::move(executeFunction)),
          flags(flag) {}

    typename Types::OperationType type;
    const char* name;
    Validate validate;
    Execute prepare;
    Execute execute;
    Flag flags;
};

template <class Types>
class BasicOperationResolver {
   public:
    virtual ~BasicOperationResolver() = default;
    // Null for an operation that the resolver does not have.
    virtual const BasicOperationRegistration<Types>* findOperation(
            typename Types::OperationType operationType) const = 0;
};

// The name of an operation of the newest version, for good; null for any other number.
const char* builtinOperationName(uint32_t type);
inline constexpr int kBuiltinOperations = 0
#define NNAPI_OPERATION(...) +1
#include "nnapi/operations.def"
        ;

// The version that has an operation with operands of these types; an error if none has.
::nn::Result<::nn::Version> validateOperationTypes(uint32_t type,
                                                   const std::vector<::nn::Operand>& inputs,
                                                   const std::vector<::nn::Operand>& outputs);

template <class Types>
::nn::Operand canonicalOperand(const BasicShape<Types>& shape) {
    return {.type = static_cast<::nn::OperandType>(shape.type),
            .dimensions = shape.dimensions,
            .scale = shape.scale,
            .zeroPoint = shape.offset};
}

template <class Types>
typename Types::Validated validateBuiltin(uint32_t type,
                                          const BasicValidationContext<Types>* context) {
    std::vector<::nn::Operand> inputs, outputs;
    for (uint32_t i = 0; i < context->getNumInputs(); ++i) {
        inputs.push_back(canonicalOperand(context->getInputShape(i)));
    }
    for (uint32_t i = 0; i < context->getNumOutputs(); ++i) {
        outputs.push_back(canonicalOperand(context->getOutputShape(i)));
    }
    auto version = validateOperationTypes(type, inputs, outputs);
    if constexpr (std::is_same_v<typename Types::Validated, bool>) {
        return version.ok();
    } else {
        return version;
    }
}

template <class Types>
class BasicBuiltinOperationResolver final : public BasicOperationResolver<Types> {
    DISALLOW_COPY_AND_ASSIGN(BasicBuiltinOperationResolver);

   public:
    static constexpr int kNumberOfOperationTypes = kBuiltinOperations;

    static const BasicBuiltinOperationResolver* get() {
        static const BasicBuiltinOperationResolver instance;
        return &instance;
    }

    const BasicOperationRegistration<Types>* findOperation(
            typename Types::OperationType operationType) const override {
        const auto type = static_cast<uint32_t>(operationType);
        return type < mRegistrations.size() ? mRegistrations[type].get() : nullptr;
    }

   private:
    BasicBuiltinOperationResolver() {
        for (uint32_t type = 0; type < kNumberOfOperationTypes; ++type) {
            auto& registration = mRegistrations.emplace_back();
            const char* const name = builtinOperationName(type);
            if (name == nullptr) continue;
            using Context = BasicValidationContext<Types>;
            registration = std::make_unique<const BasicOperationRegistration<Types>>(
                    static_cast<typename Types::OperationType>(type), name,
                    [type](const Context* context) {
                        return validateBuiltin<Types>(type, context);
                    },
                    nullptr, nullptr, typename BasicOperationRegistration<Types>::Flag{});
        }
    }

    std::vector<std::unique_ptr<const BasicOperationRegistration<Types>>> mRegistrations{};
};

}  // namespace nnapi_android

namespace android::nn {

using IOperationValidationContext = ::nnapi_android::BasicValidationContext<HelperTypes>;
using IOperationExecutionContext = ::nnapi_android::BasicExecutionContext<HelperTypes>;
using OperationRegistration = ::nnapi_android::BasicOperationRegistration<HelperTypes>;
using IOperationResolver = ::nnapi_android::BasicOperationResolver<HelperTypes>;
using BuiltinOperationResolver = ::nnapi_android::BasicBuiltinOperationResolver<HelperTypes>;

}  // namespace android::nn
