/* SPDX-License-Identifier: Apache-2.0 */
/* The entry point for device modules. */
#ifndef CT_LLVM_PASS_DEVICE_DEVICE_H
#define CT_LLVM_PASS_DEVICE_DEVICE_H

#include "llvm-pass/base/options.h"
#include "llvm-pass/blame/blame.h"
#include "llvm-pass/device/wrappers.h"
#include "llvm/IR/PassManager.h"

namespace ct {

/// Clones and instruments the kernels of a device module, links the device
/// runtime in (GPU), and writes the unit blob. Blame: of the module before it
/// was optimised. Functions get back what was inlined for clones alone
/// (Wrappers). Returns true if M changed.
bool instrumentDevice(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                      const Options &Opts, const BlameFacts &Blame,
                      WrapperInlining &Wrappers);

/// Whether other units share this device code (-fgpu-rdc).
bool isRelocatable();

} // namespace ct
#endif
