// Cases of device memory: copies, executions and lifetimes; rules memory.unknown_size,
// memory.tokens, memory.copy_from, memory.unmapped, memory.small_buffer, memory.input_dimensions
// and memory.released_model.
#include <cstring>

#include "device_test/cases/cases.h"
#include "device_test/cases/device_memory.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;

// ---- life of a buffer

Failure tokens(DeviceMemory& domain) {
    std::vector<SharedBuffer> buffers(8);
    for (SharedBuffer& buffer : buffers) {
        if (Failure failure = domain.make({role(0)}, {}, &buffer)) return failure;
    }
    for (size_t i = 0; i < buffers.size(); ++i) {
        for (size_t k = 0; k < i; ++k) {
            if (buffers[i]->getToken() == buffers[k]->getToken()) {
                return failed("allocate", "two living buffers have the same token", "buffer.token");
            }
        }
    }
    return std::nullopt;
}

std::vector<float> floatsIn(const SharedMemory& memory) {
    std::vector<uint8_t> bytes(size(memory));
    (void)readMemory(memory, 0, bytes);
    std::vector<float> values(bytes.size() / sizeof(float));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

Failure holds(const IBuffer& buffer, const std::vector<float>& expected, const char* rules) {
    const SharedMemory memory = memoryWith(std::vector<float>(expected.size(), -1));
    const auto copied = buffer.copyTo(memory);
    if (!copied.has_value()) return failedCall("copyTo", copied.status(), rules);
    if (floatsIn(memory) != expected) return failed("copyTo", "other values than before", rules);
    return std::nullopt;
}

Failure copies(DeviceMemory& domain) {
    SharedBuffer buffer;
    if (Failure failure = domain.make({role(0)}, {}, &buffer)) return failure;
    const auto values = ramp(kElementCount, 1, 1);
    if (Failure failure =
                mustFail("copyTo of what has no value", buffer->copyTo(memoryWith(values)).status(),
                         {{GENERAL_FAILURE}}, "memory.value, memory.copy_to")) {
        return failure;
    }
    const auto copied = buffer->copyFrom(memoryWith(values), {});
    if (!copied.has_value()) return failedCall("copyFrom", copied.status(), "memory.copy_from");
    if (Failure failure = holds(*buffer, values, "buffer.methods")) return failure;
    for (const auto& [place, count] :
         {std::pair("copyTo a memory that is too large", kElementCount + 1),
          std::pair("copyTo a memory that is too small", kElementCount - 1)}) {
        const auto other = buffer->copyTo(memoryWith(ramp(count, 0, 1)));
        if (Failure failure = mustFail(place, other.status(), {kInvalid}, "memory.copy_to")) {
            return failure;
        }
    }
    return std::nullopt;
}

struct CopyRow {
    const char* name;
    uint32_t count;  // number of floats
    Dimensions dimensions;
};

// Rule memory.copy_from, for a buffer of kElementCount floats.
const CopyRow kCopyRows[] = {
        {"too_large", kElementCount + 1, {}},
        {"too_small", kElementCount - 1, {}},
        {"dimension_0", kElementCount, {0}},
        {"other_extent", kElementCount, {kElementCount + 1}},
        {"other_rank", kElementCount, {kElementCount, 1}},
};

Failure refusesToCopy(const SharedDevice& device, const CopyRow& row) {
    DeviceMemory domain(device);
    if (Failure failure = domain.begin()) return failure;
    SharedBuffer buffer;
    if (Failure failure = domain.make({role(0)}, {}, &buffer)) return failure;
    const auto values = ramp(kElementCount, 1, 1);
    const auto first = buffer->copyFrom(memoryWith(values), {kElementCount});
    if (!first.has_value()) return failedCall("copyFrom", first.status(), "memory.copy_from");
    const auto copied = buffer->copyFrom(memoryWith(ramp(row.count, 5, 5)), row.dimensions);
    if (Failure failure = mustFail("copyFrom", copied.status(), {kInvalid}, "memory.copy_from"))
        return failure;
    // Rule memory.value leaves open whether its value is lost; both are accepted.
    const SharedMemory memory = memoryWith(std::vector<float>(kElementCount, -1));
    const auto back = buffer->copyTo(memory);
    if (!back.has_value()) {
        return mustFail("copyTo after a copyFrom that failed", back.status(), {{GENERAL_FAILURE}},
                        "memory.value");
    }
    return std::nullopt;
}

// Rule memory.copy_from: if the buffer's size is unknown, the dimensions must determine it.
Failure copyOfUnknownSize(const SharedDevice& device) {
    DeviceMemory domain(device);
    if (Failure failure = domain.begin(0)) return failure;
    auto made = domain.allocate({}, {role(0)}, {});
    if (!made.has_value()) {
        return mustFail("allocate", made.status(), {kInvalidOrFailed}, "memory.unknown_size");
    }
    if (*made == nullptr) return failed("allocate", "null and no error", "buffer.token");
    return mustFail("copyFrom without dimensions",
                    (*made)->copyFrom(memoryWith(ramp(kElementCount, 1, 1)), {}).status(),
                    {kInvalid}, "memory.copy_from");
}

// ---- in requests

Request requestWith(const Request& request, bool isInput, size_t index, MemoryDomainToken token) {
    Request changed = request;
    auto& arguments = isInput ? changed.inputs : changed.outputs;
    arguments[index] = {.location = {.poolIndex = static_cast<uint32_t>(changed.pools.size())}};
    changed.pools.emplace_back(token);
    return changed;
}

struct RequestRow {
    const char* name;
    ErrorStatus code;
    // Makes the request; `buffer` has the roles input 0 and output 0, and a value.
    Request (*make)(const Request& request, const IBuffer& buffer);
};

const RequestRow kRequestRows[] = {
        {"token_0", INVALID_ARGUMENT,
         [](const Request& r, const IBuffer&) {
             return requestWith(r, true, 0, MemoryDomainToken{0});
         }},
        {"unknown_token", INVALID_ARGUMENT,
         [](const Request& r, const IBuffer& b) {
             const auto token = static_cast<uint32_t>(b.getToken());
             return requestWith(r, true, 0, MemoryDomainToken{token + 1000});
         }},
        {"other_role", INVALID_ARGUMENT,
         [](const Request& r, const IBuffer& b) { return requestWith(r, true, 1, b.getToken()); }},
        {"input_and_output", INVALID_ARGUMENT,
         [](const Request& r, const IBuffer& b) {
             Request made = requestWith(r, true, 0, b.getToken());
             made.outputs[0] = made.inputs[0];
             return made;
         }},
        {"input_and_output_by_two_pools", INVALID_ARGUMENT,
         [](const Request& r, const IBuffer& b) {
             return requestWith(requestWith(r, true, 0, b.getToken()), false, 0, b.getToken());
         }},
        {"offset", INVALID_ARGUMENT,
         [](const Request& r, const IBuffer& b) {
             Request made = requestWith(r, true, 0, b.getToken());
             made.inputs[0].location.offset = 4;
             return made;
         }},
        {"length", INVALID_ARGUMENT,
         [](const Request& r, const IBuffer& b) {
             Request made = requestWith(r, true, 0, b.getToken());
             made.inputs[0].location.length = 4;
             return made;
         }},
        {"dimensions", INVALID_ARGUMENT,
         [](const Request& r, const IBuffer& b) {
             Request made = requestWith(r, true, 0, b.getToken());
             made.inputs[0].dimensions = {kElementCount + 1};
             return made;
         }},
};

Failure refusesToExecute(const SharedDevice& device, const RequestRow& row) {
    DeviceMemory domain(device);
    if (Failure failure = domain.begin()) return failure;
    const JobCase job(sumJob());
    const Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    SharedBuffer buffer;
    if (Failure failure = domain.make({role(0)}, {role(0)}, &buffer)) return failure;
    const auto copied = buffer->copyFrom(memoryWith(ramp(kElementCount, 0, 1)), {});
    if (!copied.has_value()) return failedCall("copyFrom", copied.status(), "memory.copy_from");
    const auto executed = execute(*domain.prepared, row.make(arguments->request(), *buffer));
    return mustFail("execute", executed.status(), {{row.code}},
                    "memory.in_request, memory.argument_location");
}

// Rule memory.in_request: an uninitialized buffer cannot be an input.
Failure uninitialized(DeviceMemory& domain) {
    const JobCase job(sumJob());
    const Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    SharedBuffer buffer;
    if (Failure failure = domain.make({role(0)}, {}, &buffer)) return failure;
    const auto executed = execute(*domain.prepared,
                                  requestWith(arguments->request(), true, 0, buffer->getToken()));
    return mustFail("execute", executed.status(), {{GENERAL_FAILURE}}, "memory.in_request");
}

// Rule memory.value: an execution that fails leaves no value in the buffers that it writes.
Failure afterFailure(const SharedDevice& device) {
    DeviceMemory domain(device);
    if (Failure failure = domain.begin()) return failure;
    if (Failure failure = prepareOn(*device, endlessLoop(), &domain.prepared)) return failure;
    const JobCase job(endlessJob());
    const Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    SharedBuffer buffer;
    if (Failure failure = domain.make({}, {role(0)}, &buffer)) return failure;
    const auto copied = buffer->copyFrom(memoryWith({7}), {});
    if (!copied.has_value()) return failedCall("copyFrom", copied.status(), "memory.copy_from");
    if (Failure failure = holds(*buffer, {7}, "buffer.methods")) return failure;
    const auto executed = domain.prepared->execute(
            requestWith(arguments->request(), false, 0, buffer->getToken()), MeasureTiming::NO, {},
            std::chrono::milliseconds(1), {}, {});
    if (Failure failure = mustFail("execute", executed.status(), {kMissedOrFailed},
                                   "execution.loop_timeout, deadline.endless_loop")) {
        return failure;
    }
    return mustFail("copyTo after an execution that failed",
                    buffer->copyTo(memoryWith({0})).status(), {{GENERAL_FAILURE}}, "memory.value");
}

// Rule memory.tokens: a token is invalid once its buffer is released.
Failure released(DeviceMemory& domain) {
    const JobCase job(sumJob());
    const Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    SharedBuffer buffer;
    if (Failure failure = domain.make({role(0)}, {}, &buffer)) return failure;
    const auto copied = buffer->copyFrom(memoryWith(ramp(kElementCount, 0, 1)), {});
    if (!copied.has_value()) return failedCall("copyFrom", copied.status(), "memory.copy_from");
    const MemoryDomainToken token = buffer->getToken();
    buffer.reset();
    const auto executed =
            execute(*domain.prepared, requestWith(arguments->request(), true, 0, token));
    return mustFail("execute", executed.status(), {kInvalid}, "memory.tokens");
}

// Rule memory.released_model: a buffer outlives the prepared models it was made for.
Failure outlives(DeviceMemory& domain) {
    SharedBuffer buffer;
    if (Failure failure = domain.make({role(0)}, {}, &buffer)) return failure;
    domain.prepared.reset();
    const auto values = ramp(kElementCount, 3, 1);
    const auto copied = buffer->copyFrom(memoryWith(values), {});
    if (!copied.has_value())
        return failedCall("copyFrom", copied.status(), "memory.released_model");
    return holds(*buffer, values, "memory.released_model");
}

Failure executes(DeviceMemory& domain) { return executeOnBuffers(domain); }

}  // namespace

Failure executeOnBuffers(const DeviceMemory& domain) {
    const JobCase job(sumJob());
    const Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    SharedBuffer in, between;
    if (Failure failure = domain.make({role(0)}, {}, &in)) return failure;
    if (Failure failure = domain.make({role(1)}, {role(0)}, &between)) return failure;
    const auto x = ramp(kElementCount, 0, 1);
    const auto copied = in->copyFrom(memoryWith(x), {});
    if (!copied.has_value()) return failedCall("copyFrom", copied.status(), "memory.copy_from");

    Request first = requestWith(arguments->request(), true, 0, in->getToken());
    first = requestWith(first, false, 0, between->getToken());
    const auto one = execute(*domain.prepared, first);
    if (!one.has_value())
        return failedCall("execute into a buffer", one.status(), "memory.in_request");
    const auto sum = ramp(kElementCount, 10, 11);  // x + y
    if (Failure failure = holds(*between, sum, "memory.value")) return failure;

    const Request second = requestWith(arguments->request(), true, 1, between->getToken());
    const JobCase again({.model = job.model(),
                         .inputs = {},
                         .outputs = {tensorOf({kElementCount}, ramp(kElementCount, 10, 12))}});
    return checkExecuted("execute from the buffer", execute(*domain.prepared, second),
                         MeasureTiming::NO, again.wanted(), *arguments);
}

void addMemories(Cases& cases, const DeviceTestOptions&) {
    const auto add = [&](const std::string& name, Failure (*run)(DeviceMemory&)) {
        cases.push_back(deviceCase("memory/" + name, [run](const SharedDevice& device) {
            DeviceMemory domain(device);
            if (Failure failure = domain.begin()) return failure;
            return run(domain);
        }));
    };
    add("tokens", tokens);
    add("copies", copies);
    add("executes", executes);
    add("uninitialized", uninitialized);
    add("released", released);
    add("outlives", outlives);
    cases.push_back(deviceCase("memory/after_failure", afterFailure));
    cases.push_back(deviceCase("memory/copy_of_unknown_size", copyOfUnknownSize));
    addRows(cases, "memory/copy", kCopyRows, refusesToCopy);
    addRows(cases, "memory/request", kRequestRows, refusesToExecute);
}

}  // namespace nn::testing
