/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that turn an NVPTX module into an x86-64 one, in their order. */
#ifndef CT_RETARGET_RETARGET_H
#define CT_RETARGET_RETARGET_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>
#include <vector>

namespace ct {

/// What the steps share.
struct Unit {
  llvm::Module &M;
  std::string Id;
  /// Separately compiled: other units use what this one defines.
  bool Separate = false;
  /// What the device runtime uses and does not define.
  llvm::StringSet<> RuntimeImports;
  /// Kernels; each takes (thread, twelve ids, shared, dynamic shared,
  /// parameters...) after changeKernelSignatures.
  std::vector<llvm::Function *> Kernels;
  /// What stands for a kernel where device code takes its address; becomes the
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
/// Of what units share with each other.
constexpr llvm::StringLiteral ExportPrefix("__ctd_");
/// Section of the shared variables of separately compiled units.
constexpr llvm::StringLiteral SharedSection("ct_shared");

/// Triple, data layout and metadata of the new target; finds the kernels.
void adoptTarget(Unit &U, llvm::TargetMachine &TM);

/// Bring in the device runtime. Returns false after reporting an error.
bool linkDeviceRuntime(Unit &U, llvm::StringRef Path, llvm::TargetMachine &TM);

bool isRuntime(const llvm::Function &F);

/// Names and linkage of what units share.
void exportSymbols(Unit &U);
bool isExported(const llvm::GlobalValue &G);

/// F is not, or need not be, what runs when it is called.
bool mayBeReplaced(const llvm::Function &F);

/// Make all that is not shared internal.
void internalizeRest(Unit &U);

/// Memory for threadIdx and its like, whose addresses unoptimised code takes.
void defineBuiltinVariables(Unit &U);

/// A function of cudatrace/hooks.def.
bool isHook(const llvm::Function &F);

/// Functions that the C library has under the same name and type.
bool isLibraryFunction(llvm::StringRef Name);

/// Ends of the linked program's shared variables, null if it has none.
llvm::GlobalVariable *sharedSectionStart(llvm::Module &M);
llvm::GlobalVariable *sharedSectionEnd(llvm::Module &M);

/// An array of shared memory whose size the launch gives.
bool isDynamicShared(const llvm::GlobalVariable &G);

/// Kernels get their thread's state and ids as arguments.
void changeKernelSignatures(Unit &U);

/// One address space; shared variables become offsets into the block's memory.
void flattenAddressSpaces(Unit &U);

/// Insert yields where threads may wait for each other in loops.
void insertSpinYields(Unit &U);

/// Replace NVVM intrinsics, special registers, inline PTX and calls of what
/// only the CUDA device library has.
void lowerCalls(Unit &U);

/// Tell the producer which events are calls.
void markCallEvents(Unit &U);

/// Integer division by zero gives what the GPU gives.
void guardDivisions(Unit &U);

/// Conversions of numbers out of range give what the GPU gives.
void saturateConversions(Unit &U);

/// Fuse multiplies and adds that the NVPTX back end would fuse.
void contractMultiplyAdds(Unit &U);

/// Drop what only held on NVPTX.
void cleanAttributes(Unit &U, llvm::StringRef CPU);

/// The function through which the runtime runs a kernel.
llvm::Function *buildEntry(llvm::Function &Kernel, bool Blocks);

/// Entry functions and the registration of the unit.
void emitEntries(Unit &U);

/// Functions that may suspend the thread that calls them.
llvm::DenseSet<const llvm::Function *> findBlockingFunctions(const Unit &U);

/// Optimise and write an object file. Returns false after reporting an error.
bool emitObject(Unit &U, llvm::TargetMachine &TM, unsigned Level,
                llvm::StringRef Output);

/// Value of the thread state in the function B inserts into.
llvm::Value *threadPointer(llvm::IRBuilderBase &B);

/// Load of a field of the thread state.
llvm::Value *loadThreadField(llvm::IRBuilderBase &B, llvm::Type *T,
                             uint64_t Offset);

/// The block's static or dynamic shared memory.
llvm::Value *sharedBase(llvm::IRBuilderBase &B);
llvm::Value *dynamicSharedBase(llvm::IRBuilderBase &B);

/// Function of the device runtime, or nullptr.
llvm::Function *runtimeFunction(llvm::Module &M, const llvm::Twine &Name);

/// "file:line: warning: CPU target: ..." on stderr.
void warnUnsupported(const llvm::Instruction &I, const llvm::Twine &What);

/// Replace the call by a stop of the kernel that names What.
void replaceByTrap(llvm::CallInst &Call, const llvm::Twine &What);

} // namespace ct

#endif
