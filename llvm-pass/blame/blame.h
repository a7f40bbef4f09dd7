/* SPDX-License-Identifier: Apache-2.0 */
/* Static blame (seed 003; Rutar and Hollingsworth, "Assigning blame"): for each
 * place of the source the variables whose values what happens there flows into.
 */
#ifndef CT_LLVM_PASS_BLAME_BLAME_H
#define CT_LLVM_PASS_BLAME_BLAME_H

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace ct {

/// struct ct_unit_variable, before it has a place in a unit's tables.
struct BlamedVariable {
  std::string Function, Name, Type, File, Exit;
  uint32_t Parent, Line, Kind, Parameter;
};

/// A place in a function's source: what is the same there is one.
struct SourcePlace {
  std::string Function, File;
  uint32_t Line = 0, Column = 0;
};

using VariableList = std::vector<uint32_t>; // indices of variables, ascending

struct BlamedStatement {
  SourcePlace Place;
  VariableList Blamed, Nearest, Leaving, Written, Read;
};

struct BlamedOutcome {
  std::string Exit;
  VariableList Blamed, Nearest, Leaving, Direct;
};

struct BlamedCall {
  SourcePlace Place;
  std::string Callee; // "": a copy (copies.h)
  std::vector<BlamedOutcome> Outcomes;
};

struct BlameFacts {
  std::vector<BlamedVariable> Variables;
  std::vector<BlamedStatement> Statements;
  std::vector<BlamedCall> Calls;
};

/// Analyses device code as the front end makes it, with debug information of
/// variables; without it there are no facts. Functions that have none are taken
/// as their attributes say.
BlameFacts analyseBlame(llvm::Module &M);

/// Adds facts of the same module when it is optimised: where two computations
/// of the same value have become one, that one flows into what either did. The
/// place of the other is not executed any more.
void addMerged(BlameFacts &Facts, const llvm::Module &M);

/// Analyses host code likewise, as far as it copies from and to devices: a
/// statement for each such copy, at its place, what it leaves behind on the
/// host flows into; and the calls that lead to them.
BlameFacts analyseFlows(llvm::Module &M);

/// Leaves debug information as clang would have made it for optimised device
/// code, which has no variables: what is generated is the same to the byte.
void dropVariables(llvm::Module &M);

} // namespace ct
#endif
