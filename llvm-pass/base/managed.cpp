/* SPDX-License-Identifier: Apache-2.0 */
/* Managed variables. */
#include "llvm-pass/base/managed.h"
#include "llvm-pass/base/compat.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

static const StringRef Section = "ct_managed";

/// Leaves them without the section, which says nothing to a linker.
static SmallVector<GlobalVariable *, 4> takeManaged(Module &M) {
  SmallVector<GlobalVariable *, 4> Found;
  for (GlobalVariable &Variable : M.globals())
    if (Variable.getSection() == Section) {
      Variable.setSection("");
      Found.push_back(&Variable);
    }
  return Found;
}

static void markManaged(Module &M, GlobalVariable *Variable) {
  LLVMContext &C = M.getContext();
  Metadata *Fields[] = {
      ValueAsMetadata::get(Variable), MDString::get(C, "managed"),
      ValueAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), 1))};

  M.getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(MDNode::get(C, Fields));
}

/// ptr f(ptr slot, ptr shadow): what the slot holds, asked for if that is null.
static Function *makeAddressFunction(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Pointer = PointerType::get(C, 0);
  Function *F =
      Function::Create(FunctionType::get(Pointer, {Pointer, Pointer}, false),
                       GlobalValue::InternalLinkage, "__ct_managed_address", M);
  FunctionCallee Ask = M.getOrInsertFunction(
      "cudaGetSymbolAddress", Type::getInt32Ty(C), Pointer, Pointer);
  auto *Entry = BasicBlock::Create(C, "", F);
  auto *Asks = BasicBlock::Create(C, "", F);
  auto *Known = BasicBlock::Create(C, "", F);
  IRBuilder<> Builder(Entry);

  Value *Held = Builder.CreateLoad(Pointer, F->getArg(0));
  Builder.CreateCondBr(Builder.CreateIsNull(Held), Asks, Known);
  Builder.SetInsertPoint(Asks);
  Builder.CreateCall(Ask, {F->getArg(0), F->getArg(1)});
  Builder.CreateBr(Known);
  Builder.SetInsertPoint(Known);
  Builder.CreateRet(Builder.CreateLoad(Pointer, F->getArg(0)));
  return F;
}

/// Where a use of an instruction reads its operand.
static Instruction *placeOf(Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(I);
  return Phi ? Phi->getIncomingBlock(U)->getTerminator() : I;
}

static void readThrough(Module &M, GlobalVariable *Shadow, Function *Address) {
  Type *Pointer = Address->getReturnType();
  auto *Slot = new GlobalVariable(
      M, Pointer, /*isConstant=*/false, GlobalValue::InternalLinkage,
      ConstantPointerNull::get(cast<PointerType>(Pointer)),
      Shadow->getName() + ".ct_managed");

  convertUsersOfConstantsToInstructions({Shadow});
  SmallVector<Use *, 16> Uses;
  for (Use &U : Shadow->uses())
    if (auto *I = dyn_cast<Instruction>(U.getUser()))
      if (!I->getFunction()->getName().starts_with("__cuda_")) // registration
        Uses.push_back(&U);
  for (Use *U : Uses) {
    IRBuilder<> Builder(placeOf(*U));
    U->set(Builder.CreateCall(Address, {Slot, Shadow}));
  }
}

PreservedAnalyses ct::ManagedVariablesPass::run(Module &M,
                                                ModuleAnalysisManager &) {
  auto Variables = takeManaged(M);
  if (Variables.empty())
    return PreservedAnalyses::all();
  if (compat::targetTriple(M).isNVPTX()) {
    for (GlobalVariable *Variable : Variables)
      markManaged(M, Variable);
  } else {
    Function *Address = makeAddressFunction(M);
    for (GlobalVariable *Variable : Variables)
      readThrough(M, Variable, Address);
  }
  return PreservedAnalyses::none();
}
