/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which memory a pointer can point to, and which variable it comes from: seed
 * 001, section 5.3 (Definitions 5.1 to 5.3, Algorithms 1 and 2), for all spaces
 * and all functions of a module.
 *
 * What a value can hold is found once per value, in terms of its function's
 * parameters (walk.h), and of what is stored to the memory it is loaded
 * from (memory.h); a context then says what the parameters are. Answers
 * are kept: the module must not change between two questions.
 */
#ifndef CT_LLVM_PASS_SPACES_SPACES_H
#define CT_LLVM_PASS_SPACES_SPACES_H

#include "llvm-pass/base/annotations.h"
#include "llvm/IR/InstrTypes.h"
#include <cudatrace/unit.h>
#include <memory>

namespace ct {

enum class Reach {
  Global,    // proven: global memory, whatever lane executes it
  Elsewhere, // proven: shared, local, constant or parameter memory
  Unknown,   // must be decided at run time
};

struct PointerOrigin {
  Reach Where;
  std::string Variable;             // "" where unknown or more than one
  uint8_t Space = CT_SPACE_GENERIC; // enum ct_site_space; Elsewhere: generic if
                                    // one of several
  bool InVariable = false; // it points into Variable, which is the module's
};

/// Describes the caller's arguments: a letter per parameter, as
/// ct_unit_site.pattern. Of a structure or vector, passed by value: what the
/// pointers in it are. Of an integer: - unless it certainly holds an address.
using Pattern = std::string;

class PointerGraph;
struct PointerSources;

class SpaceAnalysis {
public:
  /// Relocatable: other units can write this module's external variables.
  SpaceAnalysis(const llvm::Module &M, const KernelFactsMap &Facts,
                bool Relocatable = true);
  ~SpaceAnalysis();

  /// Returns the pattern of a function whose callers are not known: u for every
  /// generic pointer; of a kernel: g.
  Pattern entryPattern(const llvm::Function &F) const;
  /// Returns the pattern of Callee, if Call reaches it from its function in
  /// context Context.
  Pattern callPattern(const llvm::CallBase &Call, const llvm::Function &Callee,
                      const Pattern &Context) const;
  /// Follows a pointer (or an integer that holds one) of a function in context
  /// Context to the objects it may be derived from.
  PointerOrigin origin(const llvm::Value *Pointer,
                       const Pattern &Context) const;

private:
  std::unique_ptr<PointerGraph> Graph;

  PointerOrigin resolve(const PointerSources &Sources,
                        const Pattern &Context) const;
};

} // namespace ct
#endif
