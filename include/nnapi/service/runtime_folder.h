// nnapi/service/runtime_folder.h -- The user's folder for the sockets of drivers.
//
//   for (const std::string& address : nn::service::runningServices()) open(address);
//
// It is $XDG_RUNTIME_DIR/nnapi, or /tmp/nnapi-UID if that is not set. Programs that call
// registerAsService or AServiceManager_addService (docs/android.md) serve each device there, at a
// socket with its name. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nnapi/driver/result.h"

namespace nn::service {

// The path; the folder need not exist.
std::string runtimeFolder();

// "unix:" and the path of a socket in the folder, which is created with mode 0700. INVALID_ARGUMENT
// for a name that begins with '.', has a '#', or that no device can have; DEVICE_UNAVAILABLE if the
// folder cannot be created, belongs to another user, or lets others write.
GeneralResult<std::string> addressInRuntimeFolder(std::string_view name);

// True if a server listens at the socket of the name in the folder.
bool isServiceRunning(std::string_view name);

// The addresses at which a server of this user listens now, in the order of their names.
std::vector<std::string> runningServices();

}  // namespace nn::service
