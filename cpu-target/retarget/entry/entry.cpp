/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry functions, void (struct ct_cpu_thread *, void **args). A kernel that
 * cannot suspend gets a loop nest over the threads of the block, one that can
 * is called once.
 */
#include "cpu-target/retarget/entry/entry.h"
#include "cpu-target/runtime/exec/thread.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ct {

namespace {

class EntryBuilder {
public:
  explicit EntryBuilder(Function &Kernel);
  Function *buildOnce();
  Function *buildLoops();

private:
  void loadArguments();
  CallInst *callKernel();
  PHINode *openLoop(unsigned Dimension);
  void closeLoop(PHINode *Index, unsigned Dimension);
  void markParallel(Instruction *BackEdge);
  bool callsFunctions() const;

  Function &Kernel;
  Function *Entry;
  IRBuilder<> B;
  SmallVector<Value *> Arguments;
};

EntryBuilder::EntryBuilder(Function &Kernel)
    : Kernel(Kernel), B(Kernel.getContext()) {
  auto *Type =
      FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getPtrTy()}, false);
  Entry = Function::Create(Type, GlobalValue::InternalLinkage,
                           Kernel.getName() + ".entry", Kernel.getParent());
  if (Kernel.hasFnAttribute("target-cpu"))
    Entry->addFnAttr(Kernel.getFnAttribute("target-cpu"));
  B.SetInsertPoint(BasicBlock::Create(B.getContext(), "entry", Entry));
  loadArguments();
}

void EntryBuilder::loadArguments() {
  Value *Thread = Entry->getArg(0);
  auto Field = [&](Type *T, uint64_t Offset) {
    return B.CreateLoad(T, B.CreateConstGEP1_64(B.getInt8Ty(), Thread, Offset));
  };
  Arguments.push_back(Thread);
  static_assert(offsetof(ct_cpu_thread, shared) == 12 * sizeof(uint32_t));
  for (unsigned I = 0; I < 12; ++I)
    Arguments.push_back(Field(B.getInt32Ty(), I * sizeof(uint32_t)));
  Arguments.push_back(Field(B.getPtrTy(), offsetof(ct_cpu_thread, shared)));
  Arguments.push_back(
      Field(B.getPtrTy(), offsetof(ct_cpu_thread, dynamic_shared)));
  for (unsigned I = ArgFirstParam; I < Kernel.arg_size(); ++I) {
    Value *Slot =
        B.CreateConstGEP1_64(B.getPtrTy(), Entry->getArg(1), I - ArgFirstParam);
    Value *Address = B.CreateLoad(B.getPtrTy(), Slot);
    if (Kernel.getParamByValType(I))
      Arguments.push_back(Address);
    else
      Arguments.push_back(
          B.CreateAlignedLoad(Kernel.getArg(I)->getType(), Address, Align(1)));
  }
}

CallInst *EntryBuilder::callKernel() {
  CallInst *Call = B.CreateCall(&Kernel, Arguments);
  for (unsigned I = ArgFirstParam; I < Kernel.arg_size(); ++I) {
    Type *ByVal = Kernel.getParamByValType(I);
    if (!ByVal)
      continue;
    Call->addParamAttr(I, Attribute::getWithByValType(B.getContext(), ByVal));
    if (MaybeAlign Align = Kernel.getParamAlign(I))
      Call->addParamAttr(I,
                         Attribute::getWithAlignment(B.getContext(), *Align));
  }
  return Call;
}

Function *EntryBuilder::buildOnce() {
  callKernel();
  B.CreateRetVoid();
  return Entry;
}

PHINode *EntryBuilder::openLoop(unsigned Dimension) {
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Header = BasicBlock::Create(B.getContext(), "loop", Entry);
  B.CreateBr(Header);
  B.SetInsertPoint(Header);
  PHINode *Index = B.CreatePHI(B.getInt32Ty(), 2);
  Index->addIncoming(B.getInt32(0), Before);
  Arguments[ArgTid + Dimension] = Index;
  return Index;
}

void EntryBuilder::closeLoop(PHINode *Index, unsigned Dimension) {
  BasicBlock *After = BasicBlock::Create(B.getContext(), "next", Entry);
  Value *Next = B.CreateNUWAdd(Index, B.getInt32(1));
  Index->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpULT(Next, Arguments[ArgNtid + Dimension]),
                 Index->getParent(), After);
  B.SetInsertPoint(After);
}

bool EntryBuilder::callsFunctions() const {
  for (const Instruction &I : instructions(Kernel))
    if (isa<CallBase>(I) && !isa<IntrinsicInst>(I))
      return true;
  return false;
}

/// Threads of a block that do not synchronise are independent: tell the
/// vectoriser so for all plain accesses outside the thread's own variables.
void EntryBuilder::markParallel(Instruction *BackEdge) {
  LLVMContext &C = B.getContext();
  MDNode *Group = MDNode::getDistinct(C, {});
  for (Instruction &I : instructions(Kernel)) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    if (!Pointer || I.isAtomic() ||
        isa<AllocaInst>(getUnderlyingObject(Pointer)))
      continue;
    I.setMetadata(LLVMContext::MD_access_group, Group);
  }
  MDNode *Parallel =
      MDNode::get(C, {MDString::get(C, "llvm.loop.parallel_accesses"), Group});
  MDNode *Loop = MDNode::getDistinct(C, {nullptr, Parallel});
  Loop->replaceOperandWith(0, Loop);
  BackEdge->setMetadata(LLVMContext::MD_loop, Loop);
}

Function *EntryBuilder::buildLoops() {
  PHINode *Index[3];
  for (int D = 2; D >= 0; --D)
    Index[D] = openLoop(D);
  if (callsFunctions())
    for (unsigned D = 0; D < 3; ++D)
      B.CreateStore(Index[D],
                    B.CreateConstGEP1_64(B.getInt8Ty(), Entry->getArg(0),
                                         offsetof(ct_cpu_thread, tid) +
                                             D * sizeof(uint32_t)));
  else
    Entry->addParamAttr(0, Attribute::NoAlias);
  callKernel();
  for (unsigned D = 0; D < 3; ++D)
    closeLoop(Index[D], D);
  B.CreateRetVoid();
  Kernel.addFnAttr(Attribute::AlwaysInline);
  markParallel(Index[0]->getIncomingBlock(1)->getTerminator());
  return Entry;
}

} // namespace

Function *buildEntry(Function &Kernel, bool Blocks) {
  EntryBuilder Builder(Kernel);
  return Blocks ? Builder.buildOnce() : Builder.buildLoops();
}

} // namespace ct
