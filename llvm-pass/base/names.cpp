/* SPDX-License-Identifier: Apache-2.0 */
/* Names that the device and host compilations of a unit agree on. */
#include "llvm-pass/base/names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

/// With -save-temps the two compilations see different preprocessed files:
/// a-cuda-nvptx64-nvidia-cuda-sm_90.cui and a-host-x86_64-….cui or a.cui.
static StringRef unitSource(StringRef Source) {
  if (!Source.ends_with(".cui"))
    return Source;
  StringRef Stem = sys::path::stem(Source);
  return Stem.take_front(
      std::min(Stem.find("-cuda-nvptx"), Stem.find("-host-")));
}

uint64_t ct::unitId(const Module &M, uint64_t Seed) {
  std::string Key =
      utohexstr(Seed) + "\n" + unitSource(M.getSourceFileName()).str();
  return xxh3_64bits(Key);
}

std::string ct::cloneName(StringRef Kernel, uint64_t UnitId, bool Mergeable) {
  if (Mergeable)
    return ("__ct_" + utohexstr(UnitId, /*LowerCase=*/true) + "_" + Kernel)
        .str();
  return ("__ct_" + Kernel).str();
}

std::string ct::clockName(StringRef Kernel, uint64_t UnitId, bool Mergeable) {
  return "__ctc_" +
         cloneName(Kernel, UnitId, Mergeable).substr(strlen("__ct_"));
}

std::string ct::blocksName(StringRef Kernel, uint64_t UnitId, bool Mergeable) {
  return "__ctb_" +
         cloneName(Kernel, UnitId, Mergeable).substr(strlen("__ct_"));
}
