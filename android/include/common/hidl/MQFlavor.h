// hidl/MQFlavor.h -- kinds of message queues.
#pragma once

#include "hidl/MQDescriptor.h"
