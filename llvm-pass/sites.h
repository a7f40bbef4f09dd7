/* SPDX-License-Identifier: Apache-2.0 */
/* Sites: every place in a device function that may touch global memory. */
#ifndef CT_PASS_SITES_H
#define CT_PASS_SITES_H

#include "spaces.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include <cstdint>
#include <vector>

namespace ct {

struct Site {
  llvm::Instruction *Inst;  // in the pristine function
  llvm::Value *Pointer;     // null where there is no single address
  uint32_t Offset;          // of the access from Pointer, in bytes
  llvm::Type *Accessed;     // null where unknown
  uint32_t Bytes;           // per lane, 0 if unknown
  uint8_t Operation;        // operations.def
  uint8_t Space;            // enum ct_site_space
  uint8_t Verdict;          // enum ct_site_verdict
  bool Volatile;
  uint16_t LoopDepth;
  std::string Variable, Reason;
};

/// Where the pointers of one function point, in one context.
class PointerOracle {
public:
  virtual ~PointerOracle() = default;
  virtual PointerOrigin origin(const llvm::Value *Pointer) const = 0;
};

/// What the pass knows of the functions that a call may reach.
class CallOracle {
public:
  virtual ~CallOracle() = default;
  /// Why accesses behind this call go unseen; "" if they are seen or there are none.
  virtual std::string whyUnseen(const llvm::CallBase &Call) const = 0;
};

/// The sites of F: those that are recorded in program order, then the others.
std::vector<Site> collectSites(llvm::Function &F, const llvm::LoopInfo &Loops,
                               const PointerOracle &Pointers, const CallOracle &Calls);

} // namespace ct
#endif
