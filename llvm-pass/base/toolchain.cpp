/* SPDX-License-Identifier: Apache-2.0 */
/* Which files come with Clang or with a CUDA toolkit. */
#include "llvm-pass/base/toolchain.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

bool ct::Toolchain::holds(StringRef File) const {
  if (File.contains("/lib/clang/"))
    return true;
  StringRef Directory = sys::path::parent_path(File);
  if (!sys::path::is_absolute(Directory))
    return false;
  auto [Known, New] = Directories.try_emplace(Directory, false);
  if (!New)
    return Known->second;
  bool Found =
      sys::fs::exists(Directory + "/cuda_runtime.h") ||
      (Directory != sys::path::root_path(Directory) && holds(Directory));
  return Directories[Directory] = Found;
}
