// What must happen when a driver has a fault: the model that faults_test.cc compares devices with.
// It knows nothing of how they work; each row names the rules of docs/device_rules.md behind it.
#pragma once

#include <set>
#include <string>

#include "driver/faults_driver.h"

namespace nn::driver_faults {

// How a call ends that has a fault.
enum class Outcome {
    AS_WITHOUT,  // as without the fault
    GENERAL_FAILURE,
    DEAD_OBJECT,
    TOO_SMALL,
    CODE,       // the code of the plan, as the version carries it
    TIMES_OUT,  // MISSED_DEADLINE_TRANSIENT with a deadline, else GENERAL_FAILURE at the ceiling
    OR_DEAD,    // as without the fault, or DEAD_OBJECT: it depends on who is first
    // Of fenced executions, whose callers wait where outputs are copied back.
    GENERAL_FAILURE_OF_POINTERS,
    TIMES_OUT_OF_POINTERS,
    FAILS,  // GENERAL_FAILURE or INVALID_ARGUMENT
};

struct Row {
    Fault fault;
    const char* name;
    uint32_t where;
    Outcome outcome;
    const char* rules;
};

inline constexpr uint32_t kAnswering = SUPPORTED | EXECUTE_SYNC | FENCED | INFO | CONFIGURE |
                                       ALLOCATE;  // hand results to a callback, and return
inline constexpr uint32_t kLaunching = PREPARE | EXECUTE;
inline constexpr uint32_t kExecuting = EXECUTE | EXECUTE_SYNC;
inline constexpr uint32_t kAll = CREATE | kAnswering | kLaunching | PING | COPY;

#define NNAPI_ROW(fault, where, outcome, rules) \
    { Fault::fault, #fault, (where), Outcome::outcome, rules }
inline const Row kRows[] = {
        NNAPI_ROW(STATUS, CREATE | kAnswering | COPY, CODE, "57, 74, 92, 94, 192"),
        NNAPI_ROW(STATUS, kLaunching, CODE, "69, 87"),
        NNAPI_ROW(STATUS_KEPT, kLaunching, CODE, "69: not waited for"),
        NNAPI_ROW(STATUS_LIES, kLaunching, CODE, "69: not looked at; 87"),
        NNAPI_ROW(TRANSPORT, kAll, GENERAL_FAILURE, "57, 65, 123"),
        NNAPI_ROW(TRANSPORT_AFTER, kAll, GENERAL_FAILURE, "123"),
        NNAPI_ROW(THROWS, kAll, GENERAL_FAILURE, "own: exceptions end in the library"),
        NNAPI_ROW(UNANSWERED, CREATE | kAnswering, GENERAL_FAILURE, "128"),
        NNAPI_ROW(TWICE, CREATE | kAnswering, AS_WITHOUT, "128: the first counts"),
        NNAPI_ROW(DEAD_BEFORE, kAll, DEAD_OBJECT, "57, 65, 71, 123"),
        NNAPI_ROW(DEAD_IN, kAll, DEAD_OBJECT, "71, 123, 133"),
        NNAPI_ROW(DEAD_BETWEEN, kLaunching, DEAD_OBJECT, "71: without delay"),
        NNAPI_ROW(DEAD_AFTER, kExecuting | SUPPORTED | FENCED | ALLOCATE, AS_WITHOUT, "124"),
        NNAPI_ROW(DEAD_AFTER, PREPARE | CONFIGURE, OR_DEAD, "58, 124"),
        NNAPI_ROW(LINK_FALSE, CREATE | PREPARE | CONFIGURE, GENERAL_FAILURE, "58, 80"),
        NNAPI_ROW(LINK_TRANSPORT, CREATE | PREPARE | CONFIGURE, GENERAL_FAILURE, "58, 80"),
        NNAPI_ROW(LINK_DEAD, CREATE | PREPARE | CONFIGURE, DEAD_OBJECT, "58, 80"),

        NNAPI_ROW(CALLBACK_STATUS, kLaunching, CODE, "70"),
        NNAPI_ROW(CALLBACK_STATUS_WITH_MODEL, PREPARE, CODE, "70"),
        NNAPI_ROW(CALLBACK_NULL, PREPARE, GENERAL_FAILURE, "70"),
        NNAPI_ROW(CALLBACK_TWICE, kLaunching, AS_WITHOUT, "125"),
        NNAPI_ROW(CALLBACK_TWICE_FAILED_FIRST, kLaunching, GENERAL_FAILURE, "125"),
        NNAPI_ROW(CALLBACK_NEVER, kLaunching, TIMES_OUT, "77"),
        NNAPI_ROW(CALLBACK_LATE, kLaunching, TIMES_OUT, "77, 126"),
        NNAPI_ROW(CALLBACK_DROPPED, kLaunching, GENERAL_FAILURE, "127: at once"),
        NNAPI_ROW(CALLBACK_OLDER, kLaunching, AS_WITHOUT, "76, 90"),
        NNAPI_ROW(OLD_PREPARED_MODEL, PREPARE, AS_WITHOUT, "76"),

        NNAPI_ROW(SHAPES_TOO_MANY, kExecuting, GENERAL_FAILURE, "14, 89"),
        NNAPI_ROW(SHAPES_INSUFFICIENT, kExecuting, GENERAL_FAILURE, "14, 89"),
        NNAPI_ROW(SHAPES_OTHER, kExecuting, GENERAL_FAILURE, "89"),
        NNAPI_ROW(SHAPES_OF_FAILURE, kExecuting, GENERAL_FAILURE, "16, 89"),
        NNAPI_ROW(TOO_SMALL, kExecuting, TOO_SMALL, "15, 86"),
        NNAPI_ROW(TOO_SMALL_WITHOUT_SHAPES, kExecuting, GENERAL_FAILURE, "15, 89"),
        NNAPI_ROW(TOO_SMALL_BUT_SUFFICIENT, kExecuting, GENERAL_FAILURE, "15, 89"),
        NNAPI_ROW(TIMING_WRONG, kExecuting | INFO, GENERAL_FAILURE, "88"),
        NNAPI_ROW(TIMING_UNASKED, kExecuting | INFO, AS_WITHOUT, "18"),
        NNAPI_ROW(SUPPORT_TOO_MANY, SUPPORTED, GENERAL_FAILURE, "67"),
        NNAPI_ROW(NULL_RESULT, CREATE, GENERAL_FAILURE, "60"),
        NNAPI_ROW(NULL_RESULT, FENCED | CONFIGURE | ALLOCATE, GENERAL_FAILURE, "74, 92, 192"),
        NNAPI_ROW(NO_TOKEN, ALLOCATE, GENERAL_FAILURE, "74"),
        NNAPI_ROW(FENCE_LATER, FENCED, AS_WITHOUT, "92, 93"),
        NNAPI_ROW(FENCE_NEVER, FENCED, TIMES_OUT_OF_POINTERS, "93"),
        NNAPI_ROW(FENCE_FAILS, FENCED, GENERAL_FAILURE_OF_POINTERS, "23, 93"),
        NNAPI_ROW(FENCE_OF_TWO, FENCED, FAILS, "92"),

        NNAPI_ROW(EXECUTOR_THROWS, kLaunching, GENERAL_FAILURE, "45, 109"),
        NNAPI_ROW(EXECUTOR_DROPS, kLaunching, GENERAL_FAILURE, "110"),
        NNAPI_ROW(EXECUTOR_KEEPS, kLaunching, TIMES_OUT, "77, 110"),
        NNAPI_ROW(EXECUTOR_LATE, kLaunching, TIMES_OUT, "77, 126"),
        NNAPI_ROW(EXECUTOR_TWICE, kLaunching, AS_WITHOUT, "43"),
        NNAPI_ROW(DEVICE_THROWS, kLaunching | kAnswering | MEMORIES, GENERAL_FAILURE, "109"),
        NNAPI_ROW(DEVICE_NULL, PREPARE | SUPPORTED | CONFIGURE | ALLOCATE, GENERAL_FAILURE,
                  "67, 112"),
        NNAPI_ROW(DEVICE_CODE, kLaunching | kAnswering | MEMORIES, CODE, "40, 105, 115, 208"),
        NNAPI_ROW(DEVICE_SLOW, kLaunching | EXECUTE_SYNC | MEMORIES, AS_WITHOUT, "77, 78, 126"),

        NNAPI_ROW(MEMORIES_STATUS, MEMORIES, GENERAL_FAILURE, "184"),
        NNAPI_ROW(MEMORIES_SHORT, MEMORIES, GENERAL_FAILURE, "184"),
        NNAPI_ROW(MEMORIES_TRANSPORT, MEMORIES, GENERAL_FAILURE, "184"),
        NNAPI_ROW(MEMORIES_DEAD, MEMORIES, DEAD_OBJECT, "188"),
};
#undef NNAPI_ROW

inline bool waits(const Row& row) {
    return row.outcome == Outcome::TIMES_OUT || row.outcome == Outcome::TIMES_OUT_OF_POINTERS ||
           row.fault == Fault::DEVICE_SLOW;
}

enum class Op {
    SUPPORT,
    WAIT,
    PREPARE,
    PREPARE_FROM_CACHE,
    EXECUTE,
    MAKE_EXECUTION,
    COMPUTE,
    FENCED,
    COMPUTE_FENCED,
    MAKE_BURST,
    BURST,
    ALLOCATE,
    COPY,
    CREATE,  // a device of its own
    DROP,
    DIE,  // between calls
};
inline constexpr const char* kOps[] = {
        "SUPPORT",        "WAIT",           "PREPARE", "PREPARE_FROM_CACHE",
        "EXECUTE",        "MAKE_EXECUTION", "COMPUTE", "FENCED",
        "COMPUTE_FENCED", "MAKE_BURST",     "BURST",   "ALLOCATE",
        "COPY",           "CREATE",         "DROP",    "DIE"};

inline uint32_t callsOf(Op op) {
    switch (op) {
        case Op::SUPPORT:
            return SUPPORTED;
        case Op::WAIT:
            return PING;
        case Op::PREPARE:
        case Op::PREPARE_FROM_CACHE:
            return PREPARE;
        case Op::EXECUTE:
        case Op::COMPUTE:
            return kExecuting;
        case Op::BURST:
            return kExecuting | MEMORIES;
        case Op::FENCED:
        case Op::COMPUTE_FENCED:
            return FENCED | INFO;
        case Op::MAKE_BURST:
            return CONFIGURE;
        case Op::ALLOCATE:
            return ALLOCATE;
        case Op::COPY:
            return COPY;
        case Op::CREATE:
            return CREATE;
        case Op::MAKE_EXECUTION:
        case Op::DROP:
        case Op::DIE:
            break;
    }
    return NOWHERE;
}

enum class Deadline { NONE, MAX, FAR, NEAR, PAST };
inline constexpr const char* kDeadlines[] = {"NONE", "MAX", "FAR", "NEAR", "PAST"};

enum class WaitFor { NOTHING, SIGNALLED, EMPTY, FAILED };

// All that decides how a call may end.
struct Question {
    Op op{};
    HalVersion version{};  // of the interface that the call goes through
    bool isSynchronous = false;
    bool isQueue = false;  // a burst that executes through queues
    Deadline deadline{};
    bool hasPointers = false;
    WaitFor waitFor{};
    const Row* fired = nullptr;
    uint32_t where = NOWHERE;
    int32_t code = 0;
    bool isOfOtherDriver = false;  // a prepared model that the driver did not make
    bool wasDead = false;          // the driver, before
    bool diedElsewhere = false;    // or meanwhile, by another thread's fault
    bool recovers = false;         // a resilient object that makes itself anew
    Fault factory = Fault::NONE;   // that a recovery had
    bool isInvalid = false;        // of a device that came back as another one
    // What the clock said.
    bool isPastDeadline = false;
    bool isPastCeiling = false;
};

struct Allowed {
    bool success = false;
    std::set<ErrorStatus> codes{};

    void add(const Allowed& other) {
        success = success || other.success;
        codes.insert(other.codes.begin(), other.codes.end());
    }
};

inline Allowed only(ErrorStatus code) { return {.codes = {code}}; }
inline Allowed success() { return {.success = true}; }

inline bool executes(Op op) { return op == Op::EXECUTE || op == Op::COMPUTE || op == Op::BURST; }
inline bool prepares(Op op) { return op == Op::PREPARE || op == Op::PREPARE_FROM_CACHE; }
inline bool isFenced(Op op) { return op == Op::FENCED || op == Op::COMPUTE_FENCED; }

// Calls that end before the driver is asked.
inline std::optional<Allowed> withoutCall(const Question& q) {
    const bool isOld = q.version < HalVersion::V1_3;
    if (q.op == Op::MAKE_EXECUTION) return success();                        // 96
    if (isFenced(q.op) && isOld) return only(ErrorStatus::GENERAL_FAILURE);  // 92, 97
    if (isFenced(q.op) && q.waitFor == WaitFor::EMPTY) {
        return only(ErrorStatus::INVALID_ARGUMENT);  // 95
    }
    if (q.op == Op::ALLOCATE && isOld) return only(ErrorStatus::GENERAL_FAILURE);  // 74
    if (q.op == Op::PREPARE_FROM_CACHE && q.version < HalVersion::V1_2) {
        return only(ErrorStatus::GENERAL_FAILURE);  // 73
    }
    if (q.deadline == Deadline::PAST && (isOld || q.isQueue) &&
        (prepares(q.op) || executes(q.op))) {
        Allowed allowed = only(ErrorStatus::MISSED_DEADLINE_PERSISTENT);  // 78
        if (q.op == Op::BURST && q.wasDead) allowed.codes.insert(ErrorStatus::DEAD_OBJECT);
        return allowed;
    }
    return std::nullopt;
}

// Of a driver without faults.
inline Allowed withoutFault(const Question& q) {
    if (q.op == Op::ALLOCATE && q.isOfOtherDriver) return only(ErrorStatus::INVALID_ARGUMENT);
    const bool hasDeadline = prepares(q.op) || executes(q.op) || isFenced(q.op);
    const bool waitsInVain = isFenced(q.op) && q.waitFor == WaitFor::FAILED;
    Allowed allowed;
    if (q.deadline == Deadline::PAST && hasDeadline) {  // 203, 205
        allowed.codes = {ErrorStatus::MISSED_DEADLINE_PERSISTENT,
                         ErrorStatus::MISSED_DEADLINE_TRANSIENT};
    }
    if (waitsInVain) allowed.codes.insert(ErrorStatus::GENERAL_FAILURE);  // 23
    if (!allowed.codes.empty()) return allowed;
    return success();
}

// Rule 40: what a version carries; rule 57: others.
inline Allowed codeAs(const Question& q) {
    const bool isDevices = q.fired->fault == Fault::DEVICE_CODE;
    const bool isOnNewWire =
            q.version == HalVersion::V1_3 && (q.where & (CREATE | CONFIGURE | MEMORIES)) == 0;
    const auto code = static_cast<ErrorStatus>(q.code);
    if (executes(q.op) && code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
        if (q.fired->fault == Fault::STATUS_LIES) return success();  // 87
        if (q.fired->fault == Fault::STATUS_KEPT) {                  // 87, 77
            return only(q.deadline == Deadline::NONE || q.deadline == Deadline::MAX
                                ? ErrorStatus::GENERAL_FAILURE
                                : ErrorStatus::MISSED_DEADLINE_TRANSIENT);
        }
        const bool isWithoutShapes = q.version < HalVersion::V1_2 &&
                                     (q.fired->fault == Fault::CALLBACK_STATUS || isDevices);
        return only(isWithoutShapes ? code : ErrorStatus::GENERAL_FAILURE);  // 15, 83
    }
    const int32_t most = isOnNewWire ? 8 : 4;
    return only(q.code >= 1 && q.code <= most ? code : ErrorStatus::GENERAL_FAILURE);
}

inline Allowed withFault(const Question& q, const Allowed& without) {
    const Allowed timeOut = only(q.deadline == Deadline::NONE || q.deadline == Deadline::MAX
                                         ? ErrorStatus::GENERAL_FAILURE
                                         : ErrorStatus::MISSED_DEADLINE_TRANSIENT);
    switch (q.fired->outcome) {
        case Outcome::AS_WITHOUT:
            return without;
        case Outcome::GENERAL_FAILURE:
            return only(ErrorStatus::GENERAL_FAILURE);
        case Outcome::DEAD_OBJECT:
            return only(ErrorStatus::DEAD_OBJECT);
        case Outcome::TOO_SMALL:
            return only(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
        case Outcome::CODE:
            return codeAs(q);
        case Outcome::TIMES_OUT:
            return timeOut;
        case Outcome::OR_DEAD: {
            Allowed allowed = without;
            allowed.codes.insert(ErrorStatus::DEAD_OBJECT);
            return allowed;
        }
        case Outcome::GENERAL_FAILURE_OF_POINTERS:
            return q.hasPointers ? only(ErrorStatus::GENERAL_FAILURE) : without;
        case Outcome::TIMES_OUT_OF_POINTERS:
            return q.hasPointers ? timeOut : without;
        case Outcome::FAILS:
            return {.codes = {ErrorStatus::GENERAL_FAILURE, ErrorStatus::INVALID_ARGUMENT}};
    }
    return {};
}

// How a call may end, by the clock and otherwise.
inline Allowed allowedFor(const Question& q) {
    Allowed allowed;
    const auto early = withoutCall(q);
    const Allowed without = withoutFault(q);
    const bool isMadeAgain = q.factory != Fault::NONE;
    if (q.isInvalid) {  // 145, 150
        allowed = prepares(q.op) || q.op == Op::ALLOCATE ? success()
                                                         : only(ErrorStatus::GENERAL_FAILURE);
        // Made before, and not called since.
        if (q.op == Op::MAKE_BURST) allowed.add(success());
        if (early) allowed.add(*early);
    } else if (early) {
        allowed = *early;
    } else if (q.recovers && isMadeAgain) {  // 143
        allowed = only(ErrorStatus::DEAD_OBJECT);
    } else if (q.wasDead && !q.recovers) {
        // Without queues a burst asks nobody when it is made.
        if (q.op == Op::MAKE_BURST && !q.isQueue) allowed = success();
        allowed.codes.insert(ErrorStatus::DEAD_OBJECT);
    } else if (q.fired == nullptr) {
        allowed = without;
    } else {
        allowed = withFault(q, without);
        // Rule 140: a death is recovered from and the call repeated once.
        if (q.recovers && allowed.codes.contains(ErrorStatus::DEAD_OBJECT)) {
            if (!q.wasDead) allowed = {};
            allowed.add(without);
        }
    }
    if (q.diedElsewhere && !early) {
        allowed.codes.insert(ErrorStatus::DEAD_OBJECT);
        if (q.recovers && !q.isInvalid) allowed.add(without);
    }
    // Rules 77, 78, 202.
    if (q.isPastDeadline) {
        allowed.codes.insert(ErrorStatus::MISSED_DEADLINE_PERSISTENT);
        allowed.codes.insert(ErrorStatus::MISSED_DEADLINE_TRANSIENT);
    }
    if (q.isPastCeiling) allowed.codes.insert(ErrorStatus::GENERAL_FAILURE);
    return allowed;
}

}  // namespace nn::driver_faults
