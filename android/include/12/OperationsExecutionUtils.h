// OperationsExecutionUtils.h -- a part of OperationsUtils.h and OperationResolver.h, in newer
// trees.
#pragma once

#include "OperationResolver.h"
#include "OperationsUtils.h"
#include "nnapi/TypeUtils.h"
#include "nnapi/Types.h"
