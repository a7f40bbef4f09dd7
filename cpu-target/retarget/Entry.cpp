/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry functions, void (struct ct_cpu_thread *, void **args), and the
 * constructor that registers the unit. A kernel that cannot suspend gets a
 * loop nest over the threads of the block, one that can is called once.
 */
#include "Retarget.h"
#include "cpu-target/runtime/exec.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

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
  auto *Type = FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getPtrTy()},
                                 false);
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
    Value *Slot = B.CreateConstGEP1_64(B.getPtrTy(), Entry->getArg(1),
                                       I - ArgFirstParam);
    Value *Address = B.CreateLoad(B.getPtrTy(), Slot);
    if (Kernel.getParamByValType(I))
      Arguments.push_back(Address);
    else
      Arguments.push_back(B.CreateAlignedLoad(Kernel.getArg(I)->getType(),
                                              Address, Align(1)));
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
  MDNode *Parallel = MDNode::get(
      C, {MDString::get(C, "llvm.loop.parallel_accesses"), Group});
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

/// Constants laid out as the structs of runtime/exec.h.
class Registration {
public:
  explicit Registration(Unit &U)
      : U(U), B(U.M.getContext()), Blocking(findBlockingFunctions(U)) {}
  void emit();

private:
  Constant *string(StringRef Text);
  Constant *array(ArrayRef<Constant *> Values, Type *Element);
  Constant *kernel(Function &F);
  Constant *variable(GlobalVariable &G);
  uint32_t maxThreads(const Function &F) const;
  GlobalVariable *unit();

  Unit &U;
  IRBuilder<> B;
  DenseSet<const Function *> Blocking;
};

Constant *Registration::string(StringRef Text) {
  auto *Data = ConstantDataArray::getString(B.getContext(), Text);
  return new GlobalVariable(U.M, Data->getType(), true,
                            GlobalValue::PrivateLinkage, Data, "ct.name");
}

Constant *Registration::array(ArrayRef<Constant *> Values, Type *Element) {
  auto *Data =
      ConstantArray::get(ArrayType::get(Element, Values.size()), Values);
  return new GlobalVariable(U.M, Data->getType(), true,
                            GlobalValue::InternalLinkage, Data, "ct.table");
}

/// "nvvm.maxntid"="x,y,z".
uint32_t Registration::maxThreads(const Function &F) const {
  uint64_t Threads = 1;
  if (!F.hasFnAttribute("nvvm.maxntid"))
    return 1024;
  SmallVector<StringRef, 3> Parts;
  F.getFnAttribute("nvvm.maxntid").getValueAsString().split(Parts, ',');
  for (StringRef Part : Parts) {
    uint64_t Size;
    if (!Part.trim().getAsInteger(10, Size))
      Threads *= Size;
  }
  return std::min<uint64_t>(Threads, 1024);
}

Constant *Registration::kernel(Function &F) {
  const DataLayout &DL = U.M.getDataLayout();
  std::string Name = F.getName().str();
  bool Blocks = Blocking.count(&F) != 0;
  uint32_t MaxThreads = maxThreads(F);
  SmallVector<Constant *> Bytes;
  for (unsigned I = ArgFirstParam; I < F.arg_size(); ++I) {
    Type *ByVal = F.getParamByValType(I);
    Bytes.push_back(B.getInt32(
        DL.getTypeAllocSize(ByVal ? ByVal : F.getArg(I)->getType())));
  }
  EntryBuilder Builder(F);
  Function *Entry = Blocks ? Builder.buildOnce() : Builder.buildLoops();
  return ConstantStruct::getAnon(
      {string(Name), Entry, array(Bytes, B.getInt32Ty()),
       B.getInt32(Bytes.size()), B.getInt32(Blocks),
       B.getInt32(U.KernelSharedBytes.lookup(Name)), B.getInt32(MaxThreads)});
}

Constant *Registration::variable(GlobalVariable &G) {
  uint64_t Bytes = U.M.getDataLayout().getTypeAllocSize(G.getValueType());
  return ConstantStruct::getAnon({string(G.getName()), &G, B.getInt64(Bytes)});
}

GlobalVariable *Registration::unit() {
  Type *P = B.getPtrTy(), *I32 = B.getInt32Ty();
  auto *KernelType =
      StructType::get(B.getContext(), {P, P, P, I32, I32, I32, I32});
  auto *VariableType = StructType::get(B.getContext(), {P, P, B.getInt64Ty()});
  const DataLayout &DL = U.M.getDataLayout();
  if (DL.getTypeAllocSize(KernelType) != sizeof(ct_cpu_kernel) ||
      DL.getTypeAllocSize(VariableType) != sizeof(ct_cpu_variable))
    report_fatal_error("registration structs do not match exec.h");
  SmallVector<Constant *> Kernels, Variables;
  for (Function *F : U.Kernels)
    Kernels.push_back(kernel(*F));
  for (GlobalVariable *G : U.Variables)
    Variables.push_back(variable(*G));
  auto *Init = ConstantStruct::getAnon(
      {string(U.Id), array(Kernels, KernelType),
       array(Variables, VariableType), B.getInt32(Kernels.size()),
       B.getInt32(Variables.size()), B.getInt64(U.SharedBytes),
       ConstantPointerNull::get(B.getPtrTy())});
  return new GlobalVariable(U.M, Init->getType(), false,
                            GlobalValue::InternalLinkage, Init, "ct.unit");
}

void Registration::emit() {
  constexpr int Priority = 101;
  GlobalVariable *Data = unit();
  auto *Constructor =
      Function::Create(FunctionType::get(B.getVoidTy(), false),
                       GlobalValue::InternalLinkage, "ct.register", &U.M);
  B.SetInsertPoint(BasicBlock::Create(B.getContext(), "", Constructor));
  B.CreateCall(U.M.getOrInsertFunction("__ct_cpu_register_unit", B.getVoidTy(),
                                       B.getPtrTy()),
               {Data});
  B.CreateRetVoid();
  appendToGlobalCtors(U.M, Constructor, Priority);
}

} // namespace

void emitEntries(Unit &U) { Registration(U).emit(); }

} // namespace ct
