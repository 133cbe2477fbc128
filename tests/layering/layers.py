"""The components of the tree, from the ground up, and what each file belongs to."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Folders of src/, tools/, android/ and python/, in their order: each may include itself and those before it.
ORDER = """
base
types
op_support/rules
op_support/kernels
op_support/xnnpack
ops
validate
device_profile
convert/common
convert/hidl
convert/aidl
transform
interpreter
driver/threads
driver/fences
driver/memory
driver/observe
driver/wrap
driver/adapt
driver/cache
backends/reference
driver/hidl
driver/aidl
driver/resilient
backends/xnnpack
driver/support_library
driver/registry
model_io
comparison
importers/common
importers/onnx
importers/tflite
android/src
service
android/src/service
model_generation
device_test/rules
device_test/cases
device_test/shrink
device_test/runner
runtime/plan
runtime/compiled
runtime/devices
runtime/observe
runtime/extras
runtime/objects
runtime/c_api
runtime/support
tools/nnapi
tools/nnapi/diff
tools/nnapi/commands
tools/nnapi-device
tools/nnapi-device/diff
tools/nnapi-device/commands
python/src
""".split()

# The component of each public header, or of each folder of them. Interfaces of devices are plain types, which every
# component of devices may use.
HEADERS = {
    # What an error says: the code, the version, the limit.
    "checked_math.h": "base", "enumerations.h": "base", "enumerations.def": "base", "half.h": "base",
    "hal_versions.def": "base", "limits.h": "base", "limits.def": "base", "operand_types.def": "base",
    "operations.def": "base", "result.h": "base", "unique_fd.h": "base", "version.h": "base",
    "c/": "types", "convert_types.def": "types", "extension_operations.h": "types",
    "fields.h": "types", "forward.h": "types", "graph_dump.h": "types", "hal/": "types", "kinds.h": "types",
    "losses.h": "types", "memory.h": "types", "print.h": "types", "stop_condition.h": "types",
    "subgraph_builder.h": "types", "tensor.h": "types", "type_utils.h": "types", "types.h": "types",
    "kernel/": "op_support/rules", "kernel/output_shapes.h": "validate",
    "validate.h": "validate", "validated_model.h": "validate",
    "device_profile.h": "device_profile", "drawing.h": "device_profile",
    "convert.h": "convert/common",
    "compat.h": "transform", "passes.h": "transform", "relocation.h": "transform", "slice.h": "transform",
    "interpreter.h": "interpreter", "nnapi.h": "interpreter",
    "driver/callbacks.h": "driver/threads", "driver/forwarding.h": "driver/threads",
    "driver/interfaces.h": "driver/threads", "driver/result.h": "driver/threads", "driver/vlog.h": "driver/observe",
    "driver/trace.h": "driver/observe", "driver/device_buffers.h": "driver/memory",
    "driver/wrap.h": "driver/wrap", "driver/burst.h": "driver/wrap", "driver/default_prepared_model.h": "driver/wrap",
    "driver/adapt.h": "driver/adapt", "driver/default_burst.h": "driver/adapt",
    "driver/default_execution.h": "driver/adapt",
    "driver/cache.h": "driver/cache", "driver/blob_store.h": "driver/cache",
    "driver/compilation_cache.h": "driver/cache",
    "driver/reference.h": "backends/reference", "driver/xnnpack.h": "backends/xnnpack",
    "driver/resilient.h": "driver/resilient", "driver/invalid.h": "driver/resilient",
    "driver/support_library.h": "driver/support_library", "driver/registry.h": "driver/registry",
    "driver/sample.h": "driver/registry", "driver/plugin.h": "driver/registry",
    "driver/type_manager.h": "driver/registry", "driver/export_support_library.h": "runtime/support",
    "io.h": "model_io", "comparison.h": "comparison", "import/": "importers/common", "service/": "service",
    "generate/": "model_generation", "device_test/": "device_test/cases",
    "device_test/device_rules.h": "device_test/rules", "device_test/name_filter.h": "device_test/rules",
    "device_test/shrink.h": "device_test/shrink", "device_test/reproducer.h": "device_test/shrink",
    "device_test/device_test_runner.h": "device_test/runner",
}
# Names that headers had in 0.1.0: nothing in the tree includes them.
DEPRECATED = ("testing/", "answers.h", "checked.h", "checked_model.h", "device_overlay.h", "until.h")

INCLUDE = re.compile(r'^#include ["<]([^">]+)[">]')


def innermost(path):
    """The innermost listed folder of a path that begins below src/ or at the root; None if none is listed."""
    return next((folder for folder in map(str, path.parents) if folder in ORDER), None)


def component_of_header(name):
    """The component of a public header, by its name below include/nnapi; None if it has none."""
    return HEADERS.get(name) or next((HEADERS[folder + "/"] for folder in map(str, pathlib.Path(name).parents)
                                      if folder + "/" in HEADERS), None)


def component_of_include(name):
    """The component of an included file; None where it is not one of this tree."""
    if name.endswith((".pb.h", ".capnp.h")):
        return None
    if name.startswith("nnapi/"):
        return component_of_header(name.removeprefix("nnapi/"))
    if any((folder / name).exists() for folder in (ROOT, ROOT / "src")):
        return innermost(pathlib.Path(name))
    return None


def sources():
    """Each source and header, with its component and the name by which messages call it."""
    for top, base in (("src", "src"), ("tools", "."), ("android/src", "."), ("python/src", ".")):
        for file in sorted((ROOT / top).rglob("*")):
            if file.suffix in (".h", ".cc"):
                name = file.relative_to(ROOT / base)
                yield file, innermost(name), name
    for file in sorted((ROOT / "include/nnapi").rglob("*.h")):
        name = str(file.relative_to(ROOT / "include/nnapi"))
        if not name.startswith(DEPRECATED):
            yield file, component_of_header(name), pathlib.Path("nnapi") / name


def includes(file):
    """The included files, with their line numbers."""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            yield number, include[1]
