/* SPDX-License-Identifier: Apache-2.0 */
/* The two entry points of the pass: device modules and host modules. */
#ifndef CT_PASS_DEVICE_H
#define CT_PASS_DEVICE_H

#include "llvm-pass/base/options.h"
#include "llvm/IR/PassManager.h"

namespace ct {

/// Brings the memory accesses of a device module into the form in which code
/// generation would put them, so that what is recorded is what is executed.
void normaliseAccesses(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                       bool Optimise);

/// Clones and instruments the kernels of a device module, links the device
/// runtime in (GPU), and writes the unit blob. Returns true if M changed.
bool instrumentDevice(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                      const Options &Opts);

/// Registers clones, variables and unit blobs in a host module. Returns true if
/// M changed.
bool registerWithHost(llvm::Module &M, const Options &Opts);

} // namespace ct
#endif
