/* SPDX-License-Identifier: Apache-2.0 */
/* Host accesses: found, then asked about. */
#include "llvm-pass/host/accesses.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/base/hooks.h"
#include "llvm-pass/host/quiet_loops.h"
#include "llvm-pass/host/shared_memory.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <cudatrace/host.h>
#include <optional>

using namespace llvm;

namespace {

enum UseKind : unsigned {
  LOAD = 1,
  STORE = 2,
  ATOMIC = 3,
  FREE = 4,
  LIBRARY = 6,
  SYSTEM = 7,
};

/// An argument of a function (uses.def).
struct UsedArgument {
  enum Shape { Bytes, Items, String, Block } As;
  StringRef Function;
  unsigned Pointer, Size, Count;
  UseKind Kind;
  bool Writes;
};

const UsedArgument UsedArguments[] = {
#define CT_USE_BYTES(f, p, b, k, w) {UsedArgument::Bytes, #f, p, b, 0, k, w},
#define CT_USE_ITEMS(f, p, s, c, k, w) {UsedArgument::Items, #f, p, s, c, k, w},
#define CT_USE_STRING(f, p, k) {UsedArgument::String, #f, p, 0, 0, k, false},
#define CT_USE_BLOCK(f, p) {UsedArgument::Block, #f, p, 0, 0, FREE, true},
#include <cudatrace/uses.def>
};

/// An instruction's access. Mask: of the lanes of a vector, by itself or of
/// pointers; null: all bytes are accessed. Both are operands, which may become
/// other values when loops are copied.
struct Access {
  Instruction *At;
  const Use *Pointer;
  Type *Accessed;
  UseKind Kind;
  const Use *Mask;
  Loop *Calm; // the outermost loop around it in which nothing can be armed
};

class HostAccesses {
public:
  HostAccesses(Module &M, FunctionAnalysisManager &FAM)
      : M(M), C(M.getContext()), FAM(FAM), Layout(M.getDataLayout()),
        Void(Type::getVoidTy(C)), I32(Type::getInt32Ty(C)),
        I64(Type::getInt64Ty(C)), Pointer(PointerType::get(C, 0)), Builder(C) {}
  bool run();

private:
  Module &M;
  LLVMContext &C;
  FunctionAnalysisManager &FAM;
  const DataLayout &Layout;
  Type *Void;
  IntegerType *I32, *I64;
  PointerType *Pointer;
  ct::HookBuilder Builder;
  std::vector<Access> Accesses;
  std::vector<CallBase *> Calls;
  MapVector<Loop *, ct::LoopBounds> AtLoops;
  bool Changed = false;

  void instrument(Function &F);
  void find(Instruction &I, ct::PrivateMemory &Private);
  void findMasked(IntrinsicInst &I, ct::PrivateMemory &Private);
  void add(Instruction &I, const Use &Pointer, Type *Accessed, UseKind Kind,
           ct::PrivateMemory &Private, const Use *Mask = nullptr);
  void calm(Function &F);
  ct::AccessedBytes accessed(const Access &A) const;
  ct::ArmedBounds readBounds(bool OfLoads);
  ct::ArmedBounds boundsFor(const Access &A);
  void ask(const Access &A);
  Instruction *split(Value *Condition, const Access &A);
  Value *isInPage(const Access &A);
  void tell(Value *Pointer, Value *Bytes, UseKind Kind);
  void tellLanes(const Access &A);
  void tellCall(CallBase &Call);
  void tellArgument(CallBase &Call, const UsedArgument &Used);
  void tellTransfer(MemIntrinsic &I);
  void addConstructor();

  FunctionCallee hook(StringRef Name, ArrayRef<Type *> Parameters) {
    return M.getOrInsertFunction(Name,
                                 FunctionType::get(Void, Parameters, false));
  }
  /// Its address on the stack names the line, so no two may become one.
  void call(FunctionCallee Hook, ArrayRef<Value *> Arguments) {
    CallInst *Call = Builder.CreateCall(Hook, Arguments);
    Call->addFnAttr(Attribute::NoUnwind);
    Call->addFnAttr(Attribute::NoMerge);
  }
  Constant *bounds(StringRef Name) { return M.getOrInsertGlobal(Name, I64); }
};

} // namespace

/// Something may be armed while it runs: by the thread itself, or by another
/// one that it waits for.
static bool isRestless(const Instruction &I) {
  if (I.isAtomic() || I.isVolatile())
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isa<IntrinsicInst>(Call);
}

static Loop *calmLoop(LoopInfo &Loops, BasicBlock *Block) {
  Loop *Calm = nullptr;
  for (Loop *L = Loops.getLoopFor(Block); L; L = L->getParentLoop()) {
    for (BasicBlock *B : L->blocks())
      if (any_of(*B, isRestless))
        return Calm;
    if (L->getLoopPreheader())
      Calm = L;
  }
  return Calm;
}

void HostAccesses::add(Instruction &I, const Use &Pointer, Type *Accessed,
                       UseKind Kind, ct::PrivateMemory &Private,
                       const Use *Mask) {
  if (Pointer->getType()->isPointerTy() && Private.has(I, Pointer))
    return;
  Accesses.push_back({&I, &Pointer, Accessed, Kind, Mask, nullptr});
}

/// A vector of which only some lanes are accessed, one after the other or
/// anywhere.
void HostAccesses::findMasked(IntrinsicInst &I, ct::PrivateMemory &Private) {
  const Use *Mask = nullptr;
  for (const Use &Operand : I.args())
    if (Operand->getType()->isVectorTy() &&
        Operand->getType()->getScalarType()->isIntegerTy(1))
      Mask = &Operand;
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    add(I, I.getArgOperandUse(0), I.getType(), LOAD, Private, Mask);
    break;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    add(I, I.getArgOperandUse(1), I.getArgOperand(0)->getType(), STORE, Private,
        Mask);
    break;
  default:
    break;
  }
}

void HostAccesses::find(Instruction &I, ct::PrivateMemory &Private) {
  if (I.hasMetadata(LLVMContext::MD_nosanitize))
    return;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    add(I, Load->getOperandUse(Load->getPointerOperandIndex()), Load->getType(),
        LOAD, Private);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    add(I, Store->getOperandUse(Store->getPointerOperandIndex()),
        Store->getValueOperand()->getType(), STORE, Private);
  } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    add(I, RMW->getOperandUse(RMW->getPointerOperandIndex()), RMW->getType(),
        ATOMIC, Private);
  } else if (auto *CX = dyn_cast<AtomicCmpXchgInst>(&I)) {
    add(I, CX->getOperandUse(CX->getPointerOperandIndex()),
        CX->getNewValOperand()->getType(), ATOMIC, Private);
  } else if (isa<MemIntrinsic>(I)) {
    Calls.push_back(cast<CallBase>(&I));
  } else if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
    findMasked(*Intrinsic, Private);
  } else if (auto *Call = dyn_cast<CallBase>(&I);
             Call && Call->getCalledFunction()) {
    Calls.push_back(Call);
  }
}

/// Much that the CPU only reads is armed for stores alone.
ct::ArmedBounds HostAccesses::readBounds(bool OfLoads) {
  return {Builder.CreateLoad(
              I64, bounds(OfLoads ? "__ct_loads_low" : "__ct_uses_low")),
          Builder.CreateLoad(
              I64, bounds(OfLoads ? "__ct_loads_span" : "__ct_uses_span"))};
}

ct::ArmedBounds HostAccesses::boundsFor(const Access &A) {
  bool OfLoads = A.Kind == LOAD;
  if (!A.Calm)
    return readBounds(OfLoads);
  const ct::LoopBounds &Read = AtLoops[A.Calm];
  return OfLoads ? Read.OfLoads : Read.OfAll;
}

ct::AccessedBytes HostAccesses::accessed(const Access &A) const {
  return {A.At, A.Pointer,
          Layout.getTypeStoreSize(A.Accessed).getKnownMinValue(),
          A.Kind == LOAD};
}

/// In loops in which nothing can be armed the bounds are read once, and where
/// none of their accesses can touch what is armed, copies run that do not ask.
void HostAccesses::calm(Function &F) {
  ct::QuietLoops Quiet(F, FAM);
  LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  MapVector<Loop *, std::vector<ct::AccessedBytes>> In;
  DenseSet<Loop *> HasLoads, HasOthers;
  for (Access &A : Accesses)
    if ((A.Calm = calmLoop(Loops, A.At->getParent()))) {
      In[A.Calm].push_back(accessed(A));
      (A.Kind == LOAD ? HasLoads : HasOthers).insert(A.Calm);
    }
  for (CallBase *Call : Calls)
    if (auto Place = In.find(calmLoop(Loops, Call->getParent()));
        Place != In.end()) {
      Place->second.push_back({Call, nullptr, 0, false});
      HasOthers.insert(Place->first);
    }
  for (auto &[L, Accessed] : In) {
    ct::LoopBounds &Read = AtLoops[L];
    Builder.setPosition(*L->getLoopPreheader()->getTerminator());
    if (HasOthers.contains(L))
      Read.OfAll = readBounds(false);
    if (HasLoads.contains(L))
      Read.OfLoads = readBounds(true);
    if (!F.hasOptNone())
      Quiet.split(*L, Accessed, Read);
  }
}

void HostAccesses::tell(Value *P, Value *Bytes, UseKind Kind) {
  call(hook("__ct_use", {Pointer, I64, I32}),
       {P, Bytes, ConstantInt::get(I32, Kind)});
}

/// Each lane by itself; of those that are masked, no bytes.
void HostAccesses::tellLanes(const Access &A) {
  Value *Pointer = A.Pointer->get();
  auto *Vector = dyn_cast<FixedVectorType>(A.Accessed);
  if (!Vector)
    return;
  uint64_t Bytes = Layout.getTypeStoreSize(Vector->getElementType());
  for (unsigned Lane = 0; Lane < Vector->getNumElements(); Lane++) {
    Value *P = Pointer->getType()->isVectorTy()
                   ? Builder.CreateExtractElement(Pointer, Lane)
                   : Builder.CreateConstGEP1_64(Vector->getElementType(),
                                                Pointer, Lane);
    Value *Size = Builder.CreateSelect(
        Builder.CreateExtractElement(A.Mask->get(), Lane),
        ConstantInt::get(I64, Bytes), ConstantInt::get(I64, 0));
    tell(P, Size, A.Kind);
  }
}

/// The code behind it is rarely reached.
Instruction *HostAccesses::split(Value *Condition, const Access &A) {
  Instruction *Then = SplitBlockAndInsertIfThen(
      Condition, A.At->getIterator(), /*Unreachable=*/false,
      MDBuilder(C).createUnlikelyBranchWeights());
  Builder.setPosition(Then->getIterator(), A.At->getDebugLoc());
  return Then;
}

/// Armed memory is often on either side of much else: its pages are few.
Value *HostAccesses::isInPage(const Access &A) {
  Constant *Pages = M.getOrInsertGlobal(
      A.Kind == LOAD ? "__ct_loads_pages" : "__ct_uses_pages",
      ArrayType::get(Builder.getInt8Ty(), CT_USE_PAGES));
  Value *Page = Builder.CreateAnd(
      Builder.CreateLShr(Builder.CreatePtrToInt(A.Pointer->get(), I64),
                         CT_USE_PAGE_SHIFT),
      CT_USE_PAGES - 1);
  Value *Has =
      Builder.CreateLoad(Builder.getInt8Ty(),
                         Builder.CreateGEP(Builder.getInt8Ty(), Pages, {Page}));
  return Builder.CreateICmpNE(Has, Builder.getInt8(0));
}

void HostAccesses::ask(const Access &A) {
  Value *Pointer = A.Pointer->get();
  Builder.setPosition(*A.At);
  ct::ArmedBounds B = boundsFor(A);
  if (Pointer->getType()->isVectorTy()) {
    split(Builder.CreateICmpNE(B.Span, ConstantInt::get(I64, 0)), A);
  } else {
    Instruction *Then = split(
        Builder.CreateICmpULT(
            Builder.CreateSub(Builder.CreatePtrToInt(Pointer, I64), B.Low),
            B.Span),
        A);
    // A masked access has lanes in other pages than its pointer.
    if (!A.Mask) {
      Instruction *In = SplitBlockAndInsertIfThen(
          isInPage(A), Then->getIterator(), /*Unreachable=*/false,
          MDBuilder(C).createUnlikelyBranchWeights());
      Builder.setPosition(In->getIterator(), A.At->getDebugLoc());
    }
  }
  if (A.Mask)
    tellLanes(A);
  else
    tell(Pointer, ConstantInt::get(I64, accessed(A).Bytes), A.Kind);
}

void HostAccesses::tellTransfer(MemIntrinsic &I) {
  FunctionCallee Range =
      hook("__ct_use_range", {Pointer, I64, I32, I32, Pointer});
  Value *None = ConstantPointerNull::get(Pointer);
  Value *Bytes = Builder.CreateZExtOrTrunc(I.getLength(), I64);
  if (auto *Transfer = dyn_cast<MemTransferInst>(&I);
      Transfer && Transfer->getSourceAddressSpace() == 0)
    call(Range, {Transfer->getRawSource(), Bytes, ConstantInt::get(I32, LOAD),
                 ConstantInt::get(I32, 0), None});
  if (I.getDestAddressSpace() == 0)
    call(Range, {I.getRawDest(), Bytes, ConstantInt::get(I32, STORE),
                 ConstantInt::get(I32, 1), None});
}

void HostAccesses::tellArgument(CallBase &Call, const UsedArgument &Used) {
  unsigned Last = std::max({Used.Pointer, Used.Size, Used.Count});
  auto Number = [&](unsigned Argument) {
    return Builder.CreateZExtOrTrunc(Call.getArgOperand(Argument), I64);
  };
  if (Call.arg_size() <= Last ||
      !Call.getArgOperand(Used.Pointer)->getType()->isPointerTy())
    return;
  Value *P = Call.getArgOperand(Used.Pointer);
  Value *Name = Used.Kind <= STORE
                    ? cast<Value>(ConstantPointerNull::get(Pointer))
                    : Builder.CreateGlobalString(Used.Function);
  Value *Kind = ConstantInt::get(I32, Used.Kind);
  if (Used.As == UsedArgument::Block) {
    call(hook("__ct_use_block", {Pointer, Pointer}), {P, Name});
  } else if (Used.As == UsedArgument::String) {
    call(hook("__ct_use_string", {Pointer, I64, I32, Pointer}),
         {P, ConstantInt::get(I64, 1 << 20), Kind, Name});
  } else {
    Value *Bytes = Number(Used.Size);
    if (Used.As == UsedArgument::Items)
      Bytes = Builder.CreateMul(Bytes, Number(Used.Count));
    call(hook("__ct_use_range", {Pointer, I64, I32, I32, Pointer}),
         {P, Bytes, Kind, ConstantInt::get(I32, Used.Writes), Name});
  }
}

void HostAccesses::tellCall(CallBase &Call) {
  Builder.setPosition(Call);
  if (auto *Intrinsic = dyn_cast<MemIntrinsic>(&Call)) {
    tellTransfer(*Intrinsic);
    return;
  }
  for (const UsedArgument &Used : UsedArguments)
    if (Call.getCalledFunction()->getName() == Used.Function &&
        Call.getCalledFunction()->isDeclaration())
      tellArgument(Call, Used);
}

void HostAccesses::instrument(Function &F) {
  ct::PrivateMemory Private;
  Accesses.clear();
  Calls.clear();
  AtLoops.clear();
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      find(I, Private);
  if (Accesses.empty() && Calls.empty())
    return;
  calm(F);
  for (CallBase *Call : Calls)
    tellCall(*Call);
  for (const Access &A : Accesses)
    ask(A);
  F.removeFnAttr(Attribute::Memory);
  Changed = true;
}

void HostAccesses::addConstructor() {
  Function *Constructor = Function::Create(FunctionType::get(Void, false),
                                           GlobalValue::InternalLinkage,
                                           "__ct_register_host_code", M);
  IRBuilder<> B(BasicBlock::Create(C, "", Constructor));
  B.CreateCall(hook("__ct_register_host", {}));
  B.CreateRetVoid();
  appendToGlobalCtors(M, Constructor, 102);
}

bool HostAccesses::run() {
  std::vector<Function *> Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
        !F.hasFnAttribute(Attribute::Naked) &&
        !F.getName().starts_with("__ct_") &&
        !F.getName().starts_with("__cuda_") &&
        !F.getName().contains("__device_stub__"))
      Functions.push_back(&F);
  for (Function *F : Functions)
    instrument(*F);
  if (Changed)
    addConstructor();
  return Changed;
}

bool ct::instrumentHost(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  return HostAccesses(M, FAM).run();
}
