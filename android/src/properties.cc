// Properties: those that this process set, and the variables of its environment.
#include "android-base/properties.h"

#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>

#include "android-base/parsebool.h"
#include "cutils/properties.h"
#include "sys/system_properties.h"

namespace android::base {
namespace {

// What this process set. Never destroyed, since others may read while static objects are.
struct Properties {
    static Properties& get() {
        static Properties* const properties = new Properties();
        return *properties;
    }

    std::mutex mutex{};
    std::condition_variable changed{};
    std::map<std::string, std::string, std::less<>> set{};
};

std::optional<std::string> find(const Properties& properties, const std::string& key) {
    if (const auto at = properties.set.find(key); at != properties.set.end()) return at->second;
    if (const char* value = getenv(key.c_str()); value != nullptr) return value;
    return std::nullopt;
}

std::optional<std::string> lookUp(const std::string& key) {
    Properties& properties = Properties::get();
    std::lock_guard lock(properties.mutex);
    return find(properties, key);
}

template <class Holds>
bool waitUntil(const std::string& key, std::chrono::milliseconds timeout, const Holds& holds) {
    using std::chrono::steady_clock;
    Properties& properties = Properties::get();
    std::unique_lock lock(properties.mutex);
    const auto isThere = [&] {
        const std::optional<std::string> value = find(properties, key);
        return value.has_value() && holds(*value);
    };
    // A time too long for the clock is no bound.
    const auto longest = steady_clock::time_point::max() - steady_clock::now();
    if (timeout >= std::chrono::duration_cast<std::chrono::milliseconds>(longest)) {
        properties.changed.wait(lock, isThere);
        return true;
    }
    return properties.changed.wait_for(lock, timeout, isThere);
}

}  // namespace

std::string GetProperty(const std::string& key, const std::string& fallback) {
    std::string value = lookUp(key).value_or("");
    return value.empty() ? fallback : value;
}

bool GetBoolProperty(const std::string& key, bool fallback) {
    switch (ParseBool(GetProperty(key, ""))) {
        case ParseBoolResult::kTrue:
            return true;
        case ParseBoolResult::kFalse:
            return false;
        case ParseBoolResult::kError:
            break;
    }
    return fallback;
}

bool SetProperty(const std::string& key, const std::string& value) {
    if (key.empty()) return false;
    Properties& properties = Properties::get();
    {
        std::lock_guard lock(properties.mutex);
        if (key.starts_with("ro.") && find(properties, key).has_value()) return false;
        properties.set[key] = value;
    }
    properties.changed.notify_all();
    return true;
}

bool WaitForProperty(const std::string& key, const std::string& value,
                     std::chrono::milliseconds timeout) {
    return waitUntil(key, timeout, [&](const std::string& found) { return found == value; });
}

bool WaitForPropertyCreation(const std::string& key, std::chrono::milliseconds timeout) {
    return waitUntil(key, timeout, [](const std::string&) { return true; });
}

}  // namespace android::base

int property_get(const char* key, char* value, const char* default_value) {
    const std::string text =
            android::base::GetProperty(key, default_value == nullptr ? "" : default_value);
    const size_t length = text.copy(value, PROPERTY_VALUE_MAX - 1);
    value[length] = '\0';
    return static_cast<int>(length);
}

int8_t property_get_bool(const char* key, int8_t default_value) {
    using android::base::ParseBoolResult;
    const ParseBoolResult parsed = android::base::ParseBool(android::base::GetProperty(key, ""));
    return parsed == ParseBoolResult::kError ? default_value : parsed == ParseBoolResult::kTrue;
}

int32_t property_get_int32(const char* key, int32_t default_value) {
    return android::base::GetIntProperty(key, default_value);
}

int64_t property_get_int64(const char* key, int64_t default_value) {
    return android::base::GetIntProperty(key, default_value);
}

int property_set(const char* key, const char* value) {
    return android::base::SetProperty(key, value == nullptr ? "" : value) ? 0 : -1;
}

int property_list(void (*visit)(const char* key, const char* value, void* cookie), void* cookie) {
    // A variable of the environment is a property where its name could be one of Android.
    std::map<std::string, std::string, std::less<>> all;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const size_t end = text.find('=');
        if (text.substr(0, end).find('.') == text.npos) continue;
        all.emplace(text.substr(0, end), text.substr(end + 1));
    }
    {
        auto& properties = android::base::Properties::get();
        std::lock_guard lock(properties.mutex);
        for (const auto& [key, value] : properties.set) all[key] = value;
    }
    for (const auto& [key, value] : all) visit(key.c_str(), value.c_str(), cookie);
    return 0;
}

int __system_property_get(const char* name, char* value) {
    return property_get(name, value, nullptr);
}

int __system_property_set(const char* name, const char* value) { return property_set(name, value); }

// The name of a property that was found. There are as many as names, for ever.
struct prop_info {
    std::string name;
};

const prop_info* __system_property_find(const char* name) {
    static std::mutex mutex;
    static auto* const found = new std::map<std::string, prop_info, std::less<>>();
    if (!android::base::lookUp(name).has_value()) return nullptr;
    std::lock_guard lock(mutex);
    return &found->try_emplace(name, prop_info{name}).first->second;
}

void __system_property_read_callback(const prop_info* info,
                                     void (*use)(void* cookie, const char* name, const char* value,
                                                 uint32_t serial),
                                     void* cookie) {
    use(cookie, info->name.c_str(), android::base::GetProperty(info->name, "").c_str(), 0);
}

int __system_property_read(const prop_info* info, char* name, char* value) {
    if (name != nullptr) name[info->name.copy(name, PROP_NAME_MAX - 1)] = '\0';
    return __system_property_get(info->name.c_str(), value);
}
