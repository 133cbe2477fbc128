"""A recipe of Conan 2 for the core of the tree that it is in: conan create packaging/conan --build=missing

The rest needs farmhash, which is not among the packages of Conan."""
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy

required_conan_version = ">=2.0"


class Nnapi(ConanFile):
    name = "nnapi"
    version = "0.1.0"
    description = "Types, conversions and validation for the Android Neural Networks API, outside of Android"
    license = "Apache-2.0"
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"

    def validate(self):
        check_min_cppstd(self, 20)

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in "CMakeLists.txt", "LICENSE", "NOTICE", "cmake/*", "include/*", "schemas/*", "src/*":
            copy(self, pattern, root, self.export_sources_folder)

    def requirements(self):
        for library in ["abseil/20240116.2", "fmt/10.2.1"]:
            self.requires(library, transitive_headers=True, transitive_libs=True)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({"NNAPI_CORE": True, "NNAPI_DEVELOP": False, "NNAPI_INSTALL": True})
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        for file in "LICENSE", "NOTICE":
            copy(self, file, self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # The package installs its own CMake files, with all components.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "nnapi")]
