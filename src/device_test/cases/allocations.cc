// Cases of IDevice::allocate: which roles and models it accepts (rule memory.refused_allocations).
#include <limits>

#include "device_test/cases/cases.h"
#include "device_test/cases/device_memory.h"
#include "nnapi/driver/invalid.h"

namespace nn::testing {
namespace {

struct AllocateRow {
    const char* name;
    BufferDesc description{};
    Roles inputs{};
    Roles outputs{};
    enum class Models { PREPARED, NOTHING, NULL_MODEL, FOREIGN, TWICE } models = Models::PREPARED;
};

std::vector<AllocateRow> allocateRows() {
    using Models = AllocateRow::Models;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    return {
            {.name = "no_models", .inputs = {role(0)}, .models = Models::NOTHING},
            {.name = "no_roles"},
            {.name = "null_model", .inputs = {role(0)}, .models = Models::NULL_MODEL},
            {.name = "foreign_model", .inputs = {role(0)}, .models = Models::FOREIGN},
            {.name = "model_index", .inputs = {role(0, 1)}},
            {.name = "input_index", .inputs = {role(2)}},
            {.name = "output_index", .outputs = {role(1)}},
            {.name = "frequency_0", .inputs = {role(0, 0, 0)}},
            {.name = "frequency_negative", .inputs = {role(0, 0, -0.5f)}},
            {.name = "frequency_above_1", .inputs = {role(0, 0, 1.5f)}},
            {.name = "frequency_nan", .inputs = {role(0, 0, nan)}},
            {.name = "input_twice", .inputs = {role(0), role(0)}},
            {.name = "output_twice", .outputs = {role(0), role(0)}},
            {.name = "input_twice_by_two_indexes",
             .inputs = {role(0), role(0, 1)},
             .models = Models::TWICE},
            {.name = "other_rank", .description = {{kElementCount, 1}}, .inputs = {role(0)}},
            {.name = "other_extent", .description = {{kElementCount + 1}}, .inputs = {role(0)}},
    };
}

Failure refusesToAllocate(const SharedDevice& device, const AllocateRow& row) {
    using Models = AllocateRow::Models;
    DeviceMemory domain(device);
    if (Failure failure = domain.begin()) return failure;
    std::vector<SharedPreparedModel> models;
    if (row.models == Models::PREPARED || row.models == Models::TWICE)
        models.push_back(domain.prepared);
    if (row.models == Models::TWICE) models.push_back(domain.prepared);
    if (row.models == Models::NULL_MODEL) models.emplace_back();
    if (row.models == Models::FOREIGN) {
        models.push_back(
                std::make_shared<const hal::utils::InvalidPreparedModel>("belongs to no device"));
    }
    const auto made = device->allocate(row.description, models, row.inputs, row.outputs);
    return mustFail("allocate", made.status(), {kInvalid}, "memory.refused_allocations");
}

}  // namespace

void addAllocations(Cases& cases, const DeviceTestOptions&) {
    addRows(cases, "memory/allocate", allocateRows(), refusesToAllocate);
}

}  // namespace nn::testing
