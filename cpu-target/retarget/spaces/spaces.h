/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of address space flattening: types, constants, functions. */
#ifndef CT_CPU_TARGET_RETARGET_SPACES_SPACES_H
#define CT_CPU_TARGET_RETARGET_SPACES_SPACES_H

#include "cpu-target/retarget/unit/unit.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace ct {

/// Types without address spaces.
class TypeFlattener {
public:
  explicit TypeFlattener(llvm::LLVMContext &C) : C(C) {}
  llvm::Type *map(llvm::Type *T);
  bool mustChange(llvm::Type *T) { return map(T) != T; }

private:
  llvm::Type *compute(llvm::Type *T);
  llvm::LLVMContext &C;
  llvm::DenseMap<llvm::Type *, llvm::Type *> Known;
};

/// Constants without address spaces, and the globals behind them.
class ConstantFlattener {
public:
  ConstantFlattener(Unit &U, TypeFlattener &Types) : U(U), Types(Types) {}
  /// New globals for old ones; offsets for shared ones.
  void layOutGlobals();
  bool mustChange(llvm::Constant *C);
  /// The value of C, with instructions at B if it holds a shared address.
  llvm::Value *materialize(llvm::Constant *C, llvm::IRBuilder<> &B);
  void eraseOldGlobals();

private:
  void layOutShared(llvm::GlobalVariable &G);
  void placeShared(llvm::GlobalVariable &G);
  void noteSharedUsers(llvm::GlobalVariable &G, uint64_t Bytes);
  void replaceGlobal(llvm::GlobalVariable &G);
  bool holdsShared(llvm::Constant *C);
  llvm::Constant *flatten(llvm::Constant *C);
  llvm::Constant *flattenOperands(llvm::Constant *C);
  llvm::Value *sharedAddress(llvm::GlobalVariable *G, llvm::IRBuilder<> &B);

  Unit &U;
  TypeFlattener &Types;
  llvm::DenseMap<llvm::GlobalVariable *, uint64_t> Shared;
  llvm::MapVector<llvm::GlobalVariable *, llvm::GlobalVariable *> SharedPlaces;
  llvm::DenseSet<llvm::GlobalVariable *> DynamicShared;
  llvm::MapVector<llvm::GlobalVariable *, llvm::GlobalVariable *> Replaced;
  llvm::DenseMap<llvm::Constant *, bool> Changing;
  llvm::DenseMap<llvm::Constant *, llvm::Constant *> Flattened;
};

class SpaceFlattener {
public:
  explicit SpaceFlattener(Unit &U)
      : U(U), Types(U.M.getContext()), Constants(U, Types) {}
  void run();

private:
  void replaceFunctionType(llvm::Function &F);
  void rewriteTypes(llvm::Instruction &I);
  void rewritePhi(llvm::PHINode &Phi);
  void rewriteOperands(llvm::Instruction &I);
  void rewriteBody(llvm::Function &F);

  Unit &U;
  TypeFlattener Types;
  ConstantFlattener Constants;
};

/// One address space; shared variables become offsets into the block's memory.
void flattenAddressSpaces(Unit &U);

/// Ends of the linked program's shared variables, null if it has none.
llvm::GlobalVariable *sharedSectionStart(llvm::Module &M);

llvm::GlobalVariable *sharedSectionEnd(llvm::Module &M);

} // namespace ct

#endif
