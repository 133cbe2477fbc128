// The tables of docs/conversions.md agree with the conversions.
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "convert_test.h"

namespace nn::docs_test {
namespace {

using enum HalVersion;
using LifeTime = Operand::LifeTime;

// The effect of a version on an object: a cell of the tables.
template <HalVersion V, class T>
std::string fateOf(const T& object) {
    if constexpr (!ConvertsTo<T, V>) {
        return "-";
    } else {
        Losses losses;
        if (!unvalidatedConvertTo<V>(object, &losses).ok()) return "refused";
        std::string fate = losses.empty() ? "kept" : "lost";
        if constexpr (Validatable<T>) {
            if (!convertTo<V>(object).ok()) fate += ", refused if validated";
        }
        return fate;
    }
}

// In HAL 1.0, capabilities have entries for OEM types, which AIDL rejects: the AIDL column
// describes the other entries.
template <HalVersion V, class T>
T asIn(T object) {
    if constexpr (V >= AIDL1 && std::same_as<T, Capabilities>) {
        std::vector<Capabilities::OperandPerformance> entries;
        for (const auto& entry : object.operandPerformance.asVector()) {
            const bool isOem =
                    entry.type == OperandType::OEM || entry.type == OperandType::TENSOR_OEM_BYTE;
            if (!isOem) entries.push_back(entry);
        }
        object.operandPerformance =
                *Capabilities::OperandPerformanceTable::create(std::move(entries));
    }
    return object;
}

// The object after the round trip through a lossy version: the last column.
template <class T>
std::set<std::string> returnsOf(const T& object) {
    std::set<std::string> values;
    forEachVersion([&]<HalVersion V>() {
        if constexpr (ConvertsTo<T, V>) {
            Losses losses;
            (void)unvalidatedConvertTo<V>(asIn<V>(object), &losses);
            for (const Loss& loss : losses) values.insert(loss.after);
        }
    });
    return values;
}

// An object of a type with every field set to a value that all versions with the type can
// represent.
template <class T>
T sample();

template <class E>
E namedEnumerator() {
    int32_t code = 1;
    while (toString(static_cast<E>(code)).find('(') != std::string::npos) ++code;
    return static_cast<E>(code);
}

template <class T>
T sample() {
    using namespace kinds;
    if constexpr (HasFields<T>) {
        T object{};
        visitFields(std::type_identity<T>{}, [&](std::string_view, auto member) {
            object.*member = sample<std::remove_cvref_t<decltype(object.*member)>>();
        });
        return object;
    } else if constexpr (std::is_enum_v<T>) {
        return namedEnumerator<T>();
    } else if constexpr (std::same_as<T, std::string>) {
        return "com.example.test";
    } else if constexpr (std::integral<T>) {
        return T{1};
    } else if constexpr (std::floating_point<T>) {
        return T{0.5};
    } else if constexpr (std::same_as<T, Duration>) {
        return std::chrono::microseconds(1);
    } else if constexpr (std::same_as<T, SharedHandle>) {
        return std::make_shared<const Handle>(file());
    } else if constexpr (isOptional<T>) {
        return sample<typename T::value_type>();
    } else if constexpr (isPair<T>) {
        return {sample<typename T::first_type>(), sample<typename T::second_type>()};
    } else if constexpr (requires(T list) { list.push_back(sample<typename T::value_type>()); }) {
        T list;
        list.push_back(sample<typename T::value_type>());
        return list;
    } else if constexpr (std::same_as<T, CacheToken>) {
        return {1};
    } else {
        return {};
    }
}

// The sample objects of a row.
class Row {
   public:
    template <class... T>
    Row(const T&... objects) {
        (addObject(objects), ...);
    }

    // Adds the sample objects of the other row.
    void add(Row other) {
        for (size_t i = 0; i < fates.size(); ++i) fates[i].merge(other.fates[i]);
        returns.merge(other.returns);
        types.merge(other.types);
    }

    // By version, the cells computed from all samples; a single one if the row is consistent.
    std::vector<std::set<std::string>> fates{kConvertibleVersions.size()};
    std::set<std::string> returns;
    std::set<std::string> types;  // of the objects, spelled as in convert_types.def

   private:
    template <class T>
    void addObject(const T& object) {
        forEachVersion([&]<HalVersion V>() {
            fates[static_cast<size_t>(V)].insert(fateOf<V>(asIn<V>(object)));
            if constexpr (ConvertsTo<T, V>) {
                types.emplace(conversion::HalTypeOf<T, V>::kCanonical);
            }
        });
        returns.merge(returnsOf(object));
    }
};

template <class T, class F>
T with(T object, F&& change) {
    change(object);
    return object;
}

Operand operand(auto&& change) { return with(tensor(LifeTime::SUBGRAPH_INPUT), change); }
Model model(auto&& change) { return with(reluModel(), change); }

// A RELU with a pool of 16 bytes for its input and another for its output.
Request request(auto&& change) {
    const Request::Argument argument{.location = {.length = 16}};
    return with(Request{.inputs = {argument},
                        .outputs = {argument},
                        .pools = {createSharedMemory(64).value()}},
                change);
}

constexpr Capabilities::PerformanceInfo kFast{.execTime = 0.5f, .powerUsage = 0.5f};
constexpr Capabilities::PerformanceInfo kSlow{.execTime = 2, .powerUsage = 2};

Capabilities capabilities(auto&& change) {
    return with(nn::convert(V1_0::Capabilities{
                                    .float32Performance = {.execTime = 0.5f, .powerUsage = 0.5f},
                                    .quantized8Performance = {.execTime = 1, .powerUsage = 1}})
                        .value(),
                change);
}

// The row of one or several types, with a sample of each. Empty for other names.
std::optional<Row> rowOfTypes(const std::string& names) {
    static const std::map<std::string, Row (*)()> kTypes = {
#define NNAPI_HAL_TYPE_OUT(canonical, hal, from, to) \
    {#canonical, [] { return Row(sample<canonical>()); }},
#define NNAPI_HAL_TYPE NNAPI_HAL_TYPE_OUT
#define NNAPI_HAL_PLAIN NNAPI_HAL_TYPE_OUT
#include "nnapi/convert_types.def"
    };
    Row row;
    std::istringstream list(names);
    for (std::string name; std::getline(list >> std::ws, name, ',');) {
        const auto type = kTypes.find(name);
        if (type == kTypes.end()) return std::nullopt;
        row.add(type->second());
    }
    return row;
}

// Rows of the tables that do not describe a whole type.
std::map<std::string, Row> rows() {
    const auto same = [](auto&) {};
    const auto code = [](auto value, int32_t number) {
        return static_cast<decltype(value)>(number);
    };
    std::map<std::string, Row> rows;

    rows["DeviceType"] = {DeviceType::OTHER, DeviceType::ACCELERATOR};
    rows["DeviceType UNKNOWN"] = {DeviceType::UNKNOWN};
    rows["OperandType since 1.0"] = {OperandType::TENSOR_QUANT8_ASYMM};
    rows["OperandType OEM, TENSOR_OEM_BYTE"] = {OperandType::OEM, OperandType::TENSOR_OEM_BYTE};
    rows["OperandType since 1.2"] = {OperandType::BOOL, OperandType::TENSOR_QUANT8_SYMM};
    rows["OperandType since 1.3"] = {OperandType::TENSOR_QUANT8_ASYMM_SIGNED,
                                     OperandType::SUBGRAPH};
    rows["OperandType of an extension"] = {code(OperandType(), 0x20001)};
    rows["OperandType without a name"] = {code(OperandType(), 77)};
    rows["OperationType since 1.0"] = {OperationType::ADD};
    rows["OperationType OEM_OPERATION"] = {OperationType::OEM_OPERATION};
    rows["OperationType since 1.1"] = {OperationType::MEAN};
    rows["OperationType since 1.2, of an extension"] = {OperationType::ARGMAX,
                                                        code(OperationType(), 0x20001)};
    rows["OperationType since 1.3"] = {OperationType::HARD_SWISH};
    rows["OperationType since AIDL 2"] = {OperationType::PACK};
    rows["OperationType since AIDL 3"] = {OperationType::MIRROR_PAD};
    rows["OperationType without a name"] = {code(OperationType(), 777)};
    rows["Operand::LifeTime but the two below"] = {LifeTime::TEMPORARY_VARIABLE,
                                                   LifeTime::NO_VALUE};
    rows["Operand::LifeTime SUBGRAPH"] = {LifeTime::SUBGRAPH};
    rows["Operand::LifeTime POINTER"] = {LifeTime::POINTER};
    rows["ErrorStatus up to INVALID_ARGUMENT"] = {ErrorStatus::NONE, ErrorStatus::INVALID_ARGUMENT};
    rows["ErrorStatus of deadlines and resources"] = {
            ErrorStatus::MISSED_DEADLINE_TRANSIENT, ErrorStatus::MISSED_DEADLINE_PERSISTENT,
            ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT};
    rows["ErrorStatus DEAD_OBJECT"] = {ErrorStatus::DEAD_OBJECT};
    rows["ErrorStatus without a name"] = {code(ErrorStatus(), 77)};

    static const float value = 0;
    rows["location.pointer"] = {
            DataLocation{.pointer = static_cast<const void*>(&value)},
            operand([](Operand& o) { o.location.pointer = static_cast<const void*>(&value); })};
    rows["location.padding"] = {DataLocation{.padding = 4},
                                operand([](Operand& o) { o.location.padding = 4; })};
    rows["location, other fields"] = {
            DataLocation{.poolIndex = 1, .offset = 2, .length = 3},
            operand([](Operand& o) { o.location = {.poolIndex = 1, .offset = 2, .length = 3}; })};
    rows["extraParams"] = {
            operand([](Operand& o) { o.extraParams = Operand::ExtensionParams{1}; }),
            operand([](Operand& o) { o.extraParams = Operand::SymmPerChannelQuantParams{}; })};
    rows["lifetime POINTER"] = {operand([](Operand& o) { o.lifetime = LifeTime::POINTER; })};
    rows["other fields of Operand"] = {operand(same), operand([](Operand& o) {
                                           o.type = OperandType::TENSOR_QUANT8_ASYMM;
                                           o.dimensions = {0, 3};
                                           o.scale = 2;
                                           o.zeroPoint = 7;
                                       })};

    rows["main, operandValues, pools"] = {
            model(same), model([](Model& m) {
                m.operandValues = Model::OperandValues({1, 2});
            }),
            model([](Model& m) { m.pools = {createSharedMemory(4).value()}; })};
    rows["referenced"] = {model([](Model& m) { m.referenced = {m.main}; })};
    rows["relaxComputationFloat32toFloat16"] = {
            model([](Model& m) { m.relaxComputationFloat32toFloat16 = true; })};
    rows["extensionNameToPrefix"] = {model([](Model& m) {
        m.extensionNameToPrefix = {{.name = "com.example.test", .prefix = 1}};
    })};
    rows["an operand of lifetime POINTER"] = {model([](Model& m) {
        m.main.operands.push_back(
                {.lifetime = LifeTime::POINTER,
                 .location = {.pointer = static_cast<const void*>(&value), .length = 4}});
    })};

    using Argument = Request::Argument;
    rows["argument POOL, NO_VALUE"] = {
            request(same), request([](Request& r) {
                r.inputs.push_back({.lifetime = Argument::LifeTime::NO_VALUE});
            })};
    rows["argument with padding"] = {
            request([](Request& r) { r.inputs[0].location.padding = 16; })};
    rows["argument POINTER"] = {request([](Request& r) {
        r.inputs[0] = {.lifetime = Argument::LifeTime::POINTER,
                       .location = {.pointer = static_cast<const void*>(&value), .length = 4}};
    })};
    rows["pool: memory"] = {request(same)};
    rows["pool: token"] = {request([](Request& r) {
        r.pools[0] = MemoryDomainToken{1};
        r.inputs[0].location.length = r.outputs[0].location.length = 0;  // all of the buffer
    })};
    rows["pool: buffer"] = {request([](Request& r) { r.pools[0] = SharedBuffer(); })};

    const auto relaxedTensor = &Capabilities::relaxedFloat32toFloat16PerformanceTensor;
    const auto relaxedScalar = &Capabilities::relaxedFloat32toFloat16PerformanceScalar;
    const auto perform = [](OperandType type) {
        return capabilities([&](Capabilities& c) { c.operandPerformance.update(type, kSlow); });
    };
    rows["one number for each kind of arithmetic"] = {capabilities(same)};
    rows["relaxed...Tensor and relaxed...Scalar alike"] = {
            capabilities([&](Capabilities& c) { c.*relaxedTensor = c.*relaxedScalar = kSlow; })};
    rows["relaxed...Scalar by itself"] = {
            capabilities([&](Capabilities& c) { c.*relaxedScalar = kSlow; })};
    rows["operandPerformance that differs within a kind"] = {perform(OperandType::FLOAT32),
                                                             perform(OperandType::TENSOR_INT32)};
    rows["operandPerformance of a type since 1.2"] = {perform(OperandType::TENSOR_FLOAT16)};
    rows["operandPerformance of a type since 1.3"] = {
            perform(OperandType::TENSOR_QUANT8_ASYMM_SIGNED)};
    rows["operandPerformance of an unknown type"] = {perform(code(OperandType(), 77))};
    rows["ifPerformance, whilePerformance"] = {
            capabilities([](Capabilities& c) { c.ifPerformance = kFast; }),
            capabilities([](Capabilities& c) { c.whilePerformance = kFast; })};

    using namespace std::chrono_literals;
    rows["Timing in whole microseconds"] = {Timing{.timeOnDevice = 2us, .timeInDriver = 3us},
                                            Timing{}};
    rows["Timing with nanoseconds"] = {Timing{.timeInDriver = 1001ns}};
    rows["Timing, negative"] = {Timing{.timeInDriver = -1us}};
    rows["OptionalDuration"] = {OptionalDuration(5ns), OptionalDuration()};
    rows["OptionalDuration, negative"] = {OptionalDuration(-5ns)};

    rows["Ashmem"] = {createSharedMemory(4).value()};
    rows["Fd"] = {share(Memory::Fd{.size = 4, .prot = PROT_READ, .fd = file(), .offset = 0})};
    rows["HardwareBuffer, blob"] = {
            share(Memory::HardwareBuffer{.handle = {}, .size = 4, .isBlob = true})};
    rows["HardwareBuffer, other"] = {
            share(Memory::HardwareBuffer{.handle = {}, .size = 0, .isBlob = false})};
    rows["Unknown"] = {share(Memory::Unknown{.handle = {}, .size = 4, .name = "mine"})};
    rows["SharedMemory, null"] = {SharedMemory()};
    rows["SharedHandle, null"] = {SharedHandle()};

    rows["ExecutionConfig, PrepareModelConfig"] = {ExecutionConfig{.loopTimeoutDuration = 1s},
                                                   PrepareModelConfig{.cacheToken = {1}}};
    rows["ExecutionConfig with hints"] = {
            ExecutionConfig{.executionHints = {{.token = 1, .value = {1}}}}};
    rows["ExtensionNameAndPrefix, prefix above 32767"] = {
            ExtensionNameAndPrefix{.name = "com.example.test", .prefix = 0x8000}};
    return rows;
}

// Empty for a line that is not a row.
std::vector<std::string> cellsOf(const std::string& line) {
    std::vector<std::string> cells;
    if (!line.starts_with('|')) return cells;
    for (size_t at = 1, end = 0; (end = line.find('|', at)) != std::string::npos;) {
        const std::string cell = line.substr(at, end - at);
        const size_t first = cell.find_first_not_of(' ');
        cells.push_back(first == std::string::npos
                                ? ""
                                : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
        at = end + 1;
    }
    return cells;
}

// The effect that a row documents for a version. The AIDL versions share a column: "kept", or "-;
// from 4 on kept".
std::string fateIn(HalVersion version, const std::vector<std::string>& cells) {
    if (version < AIDL1) return cells[1 + static_cast<size_t>(version)];
    static const std::string kFrom = "; from ";
    const size_t at = cells[5].find(kFrom);
    if (at == std::string::npos) return cells[5];
    const size_t digit = at + kFrom.size();
    const int first = cells[5][digit] - '0';
    const bool isLater = static_cast<int>(version) - static_cast<int>(AIDL1) + 1 >= first;
    return isLater ? cells[5].substr(digit + 5) : cells[5].substr(0, at);
}

TEST(Docs, TablesOfVersionsSayWhatConversionsDo) {
    const std::map<std::string, Row> special = rows();
    std::set<std::string> types;
    std::ifstream page(NNAPI_SOURCE_DIR "/docs/conversions.md");
    std::set<std::string> seen;
    std::vector<std::string> header;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("| ")) {
            if (!line.starts_with("|-")) header.clear();
            continue;
        }
        const std::vector<std::string> cells = cellsOf(line);
        if (header.empty()) {
            header = cells;
            continue;
        }
        if (header.size() < 6 || header[1] != "1.0" || header[5] != "AIDL") continue;
        SCOPED_TRACE(cells[0]);
        std::optional<Row> row = rowOfTypes(cells[0]);
        if (const auto found = special.find(cells[0]); found != special.end()) row = found->second;
        ASSERT_TRUE(row) << "neither types nor a name in rows()";
        EXPECT_TRUE(seen.insert(cells[0]).second);
        types.insert(row->types.begin(), row->types.end());
        for (const HalVersion version : kHalVersions) {
            EXPECT_THAT(row->fates[static_cast<size_t>(version)],
                        testing::ElementsAre(fateIn(version, cells)))
                    << titleOf(version);
        }
        if (header[6] == "comes back as" && !cells[6].empty()) {
            EXPECT_THAT(row->returns, testing::Contains(cells[6]));
        }
    }
    for (const auto& [name, row] : special) EXPECT_TRUE(seen.contains(name)) << name;

        // Parts of other types need no row; fences and time points are described in the text.
#define NNAPI_HAL_TYPE_OUT(canonical, hal, from, to)                                           \
    if constexpr (Validatable<canonical> && !std::same_as<canonical, SyncFence> &&             \
                  !std::same_as<canonical, OptionalTimePoint>) {                               \
        EXPECT_TRUE(types.contains(#canonical)) << #canonical " has no row in conversions.md"; \
    }
#define NNAPI_HAL_TYPE NNAPI_HAL_TYPE_OUT
#define NNAPI_HAL_PLAIN NNAPI_HAL_TYPE_OUT
#include "nnapi/convert_types.def"
}

}  // namespace
}  // namespace nn::docs_test
