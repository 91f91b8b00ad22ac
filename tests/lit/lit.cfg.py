"""One test file per phenomenon, named after it; a RUN line on top; FileCheck for the output."""

import os
import re
import shutil

import lit.formats

config.name = "rdnakit"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".s", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.rdna_binary_dir, "tests", "lit")

bin_dir = os.path.join(config.rdna_binary_dir, "bin")
kernels = os.path.join(config.rdna_binary_dir, "kernels")

# %kernels/kernel5.clang-22.O3.s, %data/roundtrip_corpus.s, %templates/kernel5.json, %rdnakit/hip.h
config.substitutions.append(("%kernels", kernels))
config.substitutions.append(("%data", os.path.join(config.rdna_source_dir, "data")))
config.substitutions.append(("%templates", os.path.join(config.rdna_source_dir, "templates")))
config.substitutions.append(
    ("%rdnakit", os.path.join(config.rdna_source_dir, "include", "rdnakit")))
config.substitutions.append(("%corpus", os.path.join(config.rdna_source_dir, "tests", "corpus")))
for tool in ["isa-parse", "vgpr-remap", "dualfmac-sched", "hsaco-loader", "rdna-run"]:
    path = os.path.join(bin_dir, tool)
    # A test of a tool that this build does not have is unsupported, and says so.
    if os.path.exists(path):
        config.available_features.add(tool)
    config.substitutions.append(("%" + tool, path))
for tool in ["FileCheck", "not", "split-file", "llvm-mc"]:
    # Whole words in command position only: "not" is also an English word in a test's comments.
    config.substitutions.append((r"(?<![\w/.%-])" + re.escape(tool) + r"(?![\w/.-])",
                                 os.path.join(config.llvm_tools_dir, tool)))
config.substitutions.append(
    ("%llvm-mc", os.path.join(config.llvm_tools_dir, "llvm-mc")
     + " -triple=amdgcn-amd-amdhsa -mcpu=gfx1100"))
config.substitutions.append(
    ("%clang", os.path.join(config.llvm_tools_dir, "clang") + " -x hip --cuda-device-only"
     " --offload-arch=gfx1100 -nogpulib -nogpuinc -S"))
# A cluster of one node is started by the test that wants one.
if all(shutil.which(daemon, path=os.environ.get("PATH", "") + ":/usr/sbin")
       for daemon in ["slurmctld", "slurmd", "munged", "sbatch"]):
    config.available_features.add("slurm")
if config.rdna_sanitize:
    config.available_features.add("sanitize")

# The tools' output must not depend on the terminal that the tests are started from.
config.environment["NO_COLOR"] = "1"
