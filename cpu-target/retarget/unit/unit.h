/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that make an x86-64 module of an NVPTX one share this. */
#ifndef CT_CPU_TARGET_RETARGET_UNIT_UNIT_H
#define CT_CPU_TARGET_RETARGET_UNIT_UNIT_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <string>
#include <vector>

namespace ct {

/// The steps share this.
struct Unit {
  llvm::Module &M;
  std::string Id;
  /// Separately compiled: other units use what this one defines.
  bool Separate = false;
  /// The device runtime uses these and does not define them.
  llvm::StringSet<> RuntimeImports;
  /// Kernels; each takes (thread, twelve ids, shared, dynamic shared,
  /// parameters...) after changeKernelSignatures.
  std::vector<llvm::Function *> Kernels;
  /// Stands for a kernel where device code takes its address; becomes the
  /// address of its registration.
  llvm::MapVector<llvm::GlobalVariable *, llvm::Function *> Handles;
  /// __device__ and __constant__ variables, flattened.
  std::vector<llvm::GlobalVariable *> Variables;
  /// Static shared memory of a block that could run any kernel.
  uint64_t SharedBytes = 0;
  /// Static shared memory per kernel name.
  llvm::StringMap<uint64_t> KernelSharedBytes;
};

/// Leading arguments of a kernel after changeKernelSignatures.
enum KernelArgument {
  ArgThread = 0,
  ArgTid = 1,
  ArgCtaid = 4,
  ArgNtid = 7,
  ArgNctaid = 10,
  ArgShared = 13,
  ArgDynamicShared = 14,
  ArgFirstParam = 15,
};

/// Marks functions with those arguments.
constexpr llvm::StringLiteral KernelAttribute("ct-kernel");

/// Marks functions of the device runtime.
constexpr llvm::StringLiteral RuntimeAttribute("ct-runtime");

/// Prefixes of the device runtime's functions.
constexpr llvm::StringLiteral RuntimePrefix("__ct_cpu_");
constexpr llvm::StringLiteral IntrinsicPrefix("__ct_cpu_nvvm_");
constexpr llvm::StringLiteral FunctionPrefix("__ct_cpu_fn_");
/// Units share names with this prefix.
constexpr llvm::StringLiteral ExportPrefix("__ctd_");
/// Section of the shared variables of separately compiled units.
constexpr llvm::StringLiteral SharedSection("ct_shared");

} // namespace ct

#endif
