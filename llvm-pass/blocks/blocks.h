/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what the basic blocks of a function are made of (unit.h): the
 * inputs of performance models (seed 004, 4.1.1: instructions, ILP, MLP). */
#ifndef CT_LLVM_PASS_BLOCKS_BLOCKS_H
#define CT_LLVM_PASS_BLOCKS_BLOCKS_H

#include "llvm-pass/sites/site.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <vector>

namespace ct {

/// struct ct_unit_block, before it has a place in a unit's tables.
struct BlockFacts {
  uint32_t Site = CT_NONE; // index in the function's sites
  std::string File;
  uint32_t Line = 0, LastLine = 0;
  uint32_t Instructions = 0, Depth = 0, LoadWaits = 0, LoopDepth = 0;
  std::vector<ct_unit_mix> Mix;
  std::vector<ct_unit_step> Steps;
  std::vector<uint32_t> Next;
  /// Counts the instructions of each place (placeOf); without those of none.
  llvm::MapVector<const llvm::DILocation *, uint32_t> Shares;
  /// Values that are loaded and not used in the block, with their step.
  std::vector<std::pair<const llvm::Value *, uint32_t>> Open;
};

/// The blocks of F, in the order in which its sites are numbered. Sites: all
/// of F, recorded or not: they tell what is accessed, and in which space.
///
/// Two loads wait for each other if one's address depends on the other's
/// value, or if something between them that may not be passed does: code
/// generation moves loads up to where their addresses are known, past what
/// AA says they do not meet.
/// The slowest chain is that of nominalCycles; loads of global memory, which
/// have their waits, count nothing in it.
std::vector<BlockFacts> blockFacts(llvm::Function &F,
                                   const llvm::LoopInfo &Loops,
                                   llvm::AAResults &AA,
                                   const std::vector<Site> &Sites);

} // namespace ct
#endif
