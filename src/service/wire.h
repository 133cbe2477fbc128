// Writes and reads canonical types on the wire. Writing accepts any value; reading checks
// everything except models and requests, which devices check.
#pragma once

#include <capnp/list.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/service.capnp.h"

namespace nn::service {

// Descriptors that one message carries.
inline constexpr unsigned kMostDescriptors = rpc::MOST_DESCRIPTORS;

// ---- text and lists

inline std::string textOf(capnp::Text::Reader text) { return {text.begin(), text.size()}; }
// The text is that of a std::string, or of a status: a zero follows it.
inline capnp::Text::Reader textFrom(std::string_view text) { return {text.data(), text.size()}; }
template <class Bytes>
kj::ArrayPtr<const kj::byte> bytesOf(const Bytes& bytes) {
    return {reinterpret_cast<const kj::byte*>(bytes.data()), bytes.size()};
}

// Of a list of the engine.
inline unsigned count(size_t size) { return static_cast<unsigned>(size); }

template <class List, class Numbers>
void writeNumbers(List to, const Numbers& numbers) {
    for (unsigned i = 0; i < to.size(); ++i) to.set(i, numbers[i]);
}
template <class T, class List>
std::vector<T> numbersOf(const List& list) {
    std::vector<T> numbers;
    numbers.reserve(list.size());
    for (const auto number : list) numbers.push_back(number);
    return numbers;
}

// ---- times

void write(const OptionalDuration& duration, rpc::OptionalTime::Builder to);
OptionalDuration durationOf(rpc::OptionalTime::Reader from);
// As what is left of it.
void writeDeadline(const OptionalTimePoint& deadline, rpc::OptionalTime::Builder to);
OptionalTimePoint deadlineOf(rpc::OptionalTime::Reader from);

void write(const Timing& timing, rpc::Timing::Builder to);
Timing timingOf(rpc::Timing::Reader from);

// ---- how calls end: in this one way for all of them

void write(const Status& status, rpc::Failure::Builder to);
void write(const ExecutionResult<Executed>& executed, rpc::Executed::Builder to);
// GENERAL_FAILURE for a code that no version has.
Status statusOf(rpc::Failure::Reader from);
ExecutionResult<Executed> executedOf(rpc::Executed::Reader from);

// ---- arguments

void write(const std::vector<TokenValuePair>& hints, capnp::List<rpc::Hint>::Builder to);
std::vector<TokenValuePair> hintsOf(capnp::List<rpc::Hint>::Reader from);
void write(const std::vector<ExtensionNameAndPrefix>& prefixes,
           capnp::List<rpc::Prefix>::Builder to);
std::vector<ExtensionNameAndPrefix> prefixesOf(capnp::List<rpc::Prefix>::Reader from);
void write(const std::vector<BufferRole>& roles, capnp::List<rpc::Role>::Builder to);
std::vector<BufferRole> rolesOf(capnp::List<rpc::Role>::Reader from);
void write(const std::vector<Request::Argument>& arguments,
           capnp::List<rpc::Request::Argument>::Builder to);
std::vector<Request::Argument> argumentsOf(capnp::List<rpc::Request::Argument>::Reader from);

// ---- devices

// What a device says of itself.
struct DeviceInfo {
    std::string name{};
    std::string versionString{};
    Version featureLevel{};
    DeviceType type{};
    std::vector<Extension> extensions{};
    Capabilities capabilities{};
    std::pair<uint32_t, uint32_t> cacheFiles{};
};
void write(const IDevice& device, rpc::DeviceInfo::Builder to);
Result<DeviceInfo> deviceInfoOf(rpc::DeviceInfo::Reader from);

// ---- memory, apart from its descriptors

void write(const Memory& memory, rpc::MemoryInfo::Builder to);
// The descriptors of a memory, in their order.
std::vector<int> descriptorsOf(const Memory& memory);
Result<SharedMemory> memoryOf(rpc::MemoryInfo::Reader from, std::vector<UniqueFd> descriptors);

}  // namespace nn::service
