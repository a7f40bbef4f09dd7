/* SPDX-License-Identifier: Apache-2.0 */
/* Device code of which there is no other. */
#include "llvm-pass/device/whole.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/device/device.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static const unsigned SharedSpace = 3;

static bool defineShared(Module &M) {
  bool Changed = false;

  for (GlobalVariable &G : M.globals()) {
    if (G.getAddressSpace() != SharedSpace || !G.isDeclaration() ||
        !G.getValueType()->isSized() ||
        M.getDataLayout().getTypeAllocSize(G.getValueType()).isZero())
      continue;
    G.setInitializer(UndefValue::get(G.getValueType()));
    G.setLinkage(GlobalValue::InternalLinkage);
    Changed = true;
  }
  return Changed;
}

namespace {

/// Functions, and what refers to what.
class References {
public:
  explicit References(Module &M);

  /// Whether a function that no kernel reaches cannot be assembled.
  bool isHopeless(Function *F) const {
    return !Reached.contains(F) && Hopeless.contains(F);
  }

private:
  SetVector<Function *> Reached, Hopeless;
  DenseMap<Function *, SmallVector<Function *, 4>> Users, Used;

  void note(Function *From, const Value *What);
  static void spread(SetVector<Function *> &Set,
                     DenseMap<Function *, SmallVector<Function *, 4>> &Along);
};

} // namespace

/// Functions that What names, in constants as well.
static void namedBy(const Value *What, SetVector<Function *> &Found) {
  SetVector<const Value *> Seen;

  Seen.insert(What);
  for (size_t I = 0; I < Seen.size(); I++) {
    if (auto *F = dyn_cast<Function>(Seen[I])) {
      Found.insert(const_cast<Function *>(F));
      continue;
    }
    if (isa<GlobalVariable>(Seen[I]))
      continue; // a root by itself
    if (auto *C = dyn_cast<Constant>(Seen[I]))
      for (const Use &U : C->operands())
        Seen.insert(U.get());
  }
}

/// Whether the driver, or ptxas, provides it.
static bool isProvided(const Function &F) {
  StringRef Name = F.getName();
  return F.isIntrinsic() || Name == "vprintf" || Name == "malloc" ||
         Name == "free" || Name == "__assertfail" || Name.starts_with("__nv") ||
         Name.starts_with("__ct_") || Name.starts_with("__cuda_syscall");
}

void References::note(Function *From, const Value *What) {
  SetVector<Function *> Found;

  namedBy(What, Found);
  for (Function *F : Found) {
    Used[From].push_back(F);
    Users[F].push_back(From);
  }
}

void References::spread(
    SetVector<Function *> &Set,
    DenseMap<Function *, SmallVector<Function *, 4>> &Along) {
  for (size_t I = 0; I < Set.size(); I++)
    for (Function *Next : Along.lookup(Set[I]))
      Set.insert(Next);
}

References::References(Module &M) {
  for (Function &F : M) {
    if (ct::compat::isKernel(F))
      Reached.insert(&F);
    if (F.isDeclaration() && !isProvided(F))
      Hopeless.insert(&F);
    for (Instruction &I : instructions(F))
      for (const Use &U : I.operands())
        if (isa<Constant>(U.get()))
          note(&F, U.get());
  }
  for (GlobalVariable &G : M.globals())
    if (G.hasInitializer())
      namedBy(G.getInitializer(), Reached);
  for (GlobalAlias &A : M.aliases())
    namedBy(A.getAliasee(), Reached);
  spread(Reached, Used);
  spread(Hopeless, Users);
}

static bool dropHopeless(Module &M) {
  References Known(M);
  SmallVector<Function *, 8> Dropped;

  for (Function &F : M)
    if (!F.isDeclaration() && Known.isHopeless(&F))
      Dropped.push_back(&F);
  for (Function *F : Dropped)
    F->deleteBody();
  for (Function *F : Dropped)
    if (F->use_empty())
      F->eraseFromParent();
  return !Dropped.empty();
}

PreservedAnalyses ct::WholeUnitPass::run(Module &M, ModuleAnalysisManager &) {
  if (!compat::targetTriple(M).isNVPTX() || isRelocatable())
    return PreservedAnalyses::all();
  bool Changed = defineShared(M);
  Changed |= dropHopeless(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
