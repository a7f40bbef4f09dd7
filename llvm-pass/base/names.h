/* SPDX-License-Identifier: Apache-2.0 */
/* Names that the device and host compilations of a unit agree on. */
#ifndef CT_LLVM_PASS_BASE_NAMES_H
#define CT_LLVM_PASS_BASE_NAMES_H

#include "llvm/IR/Module.h"
#include <cstdint>
#include <string>

namespace ct {

/// Names the translation unit; the same in its host and device compilations.
uint64_t unitId(const llvm::Module &M, uint64_t Seed);

/// The symbol of a kernel's clone. Mergeable: the linker keeps one of several
/// kernels of this name (templates under -fgpu-rdc); their clones must stay
/// apart, because each speaks of the sites of its own unit. Static kernels are
/// weak there, too.
std::string cloneName(llvm::StringRef Kernel, uint64_t UnitId, bool Mergeable);

/// The same of its clone for the CTA clock alone.
std::string clockName(llvm::StringRef Kernel, uint64_t UnitId, bool Mergeable);

/// The same of its clone that counts blocks alone.
std::string blocksName(llvm::StringRef Kernel, uint64_t UnitId, bool Mergeable);

/// Gives symbols of device code names of ASCII characters alone, the only ones
/// of PTX, as nvcc does: "ö" becomes "_u00f6". In host code the names under
/// which kernels and variables are registered follow. Returns true if M
/// changed.
bool makeNamesAscii(llvm::Module &M, bool IsHost);

} // namespace ct
#endif
