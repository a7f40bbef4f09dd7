# SPDX-License-Identifier: Apache-2.0
# lit configuration: the substitutions that the tests use.
#   %trace TARGET …   clang with plugin and pass; unit blobs go to %t.units, made anew
#   %more TARGET …    the same, keeping the blobs that are there
#   %plain …          clang with the same flags and neither
#   %opt …            opt with the pass loaded
#   %dump             prints the unit blobs
#   %blocks           prints them with their blocks
#   %blame            prints them with their variables and what is blamed on these
import os
import lit.formats

config.name = "pass"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".cu", ".cpp", ".c", ".ll"]
config.excludes = ["Inputs", "unit-dump.c"]
config.test_source_root = config.source
config.test_exec_root = os.path.join(config.binary, "output")

script = "sh %s/trace-clang.sh '%s' '%s' '%s' '%s'" % (
    config.source, config.clang, config.parts, config.cuda, config.include)
so = os.path.join(config.parts, "ct-llvm-pass.so")
config.substitutions += [
    ("%pass", so),
    ("%cuda", config.cuda),
    ("%trace", script + " new %t.units"),
    ("%more", script + " old %t.units"),
    ("%plain", script + " old none none"),
    ("%opt", "rm -rf %t.units && mkdir -p %t.units && opt -load " + so + " -load-pass-plugin " +
     so + " -ct-unit-dir=%t.units -S"),
    ("%blocks", os.path.join(config.binary, "unit-dump") + " --blocks %t.units/*.unit"),
    ("%blame", os.path.join(config.binary, "unit-dump") + " --blame %t.units/*.unit"),
    ("%dump", os.path.join(config.binary, "unit-dump") + " %t.units/*.unit"),
]
config.environment["PATH"] = config.tools + os.pathsep + os.environ["PATH"]
config.environment["CT_TEST_RUNTIME"] = os.path.join(config.binary, "device-rt.bc")
