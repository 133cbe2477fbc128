// DefaultExecution.h -- a reusable execution by IPreparedModel::execute.
#pragma once

#include "nnapi/IExecution.h"
#include "nnapi/IPreparedModel.h"
#include "nnapi/Result.h"
#include "nnapi/Types.h"
#include "nnapi/driver/default_execution.h"
