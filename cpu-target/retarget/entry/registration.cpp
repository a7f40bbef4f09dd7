/* SPDX-License-Identifier: Apache-2.0 */
/* The constructor that registers the unit with the runtime. */
#include "cpu-target/retarget/entry/registration.h"
#include "cpu-target/retarget/entry/blocking.h"
#include "cpu-target/retarget/entry/entry.h"
#include "cpu-target/retarget/spaces/spaces.h"
#include "cpu-target/retarget/unit/linkage.h"
#include "cpu-target/runtime/exec/exec.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <array>

using namespace llvm;

namespace ct {

namespace {

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
  void resolveHandles(Constant *Table, Type *KernelType);
  GlobalVariable *unit();
  void storeSharedBytes(GlobalVariable &Data);
  void defineLinkedBinary();

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

/// "nvvm.cluster_dim"="x,y,z"; zeros if the launch may choose.
static std::array<uint32_t, 3> clusterSize(const Function &F) {
  std::array<uint32_t, 3> Size = {};
  if (!F.hasFnAttribute("nvvm.cluster_dim"))
    return Size;
  SmallVector<StringRef, 3> Parts;
  F.getFnAttribute("nvvm.cluster_dim").getValueAsString().split(Parts, ',');
  for (unsigned I = 0; I < 3; ++I)
    if (I >= Parts.size() || Parts[I].trim().getAsInteger(10, Size[I]))
      Size[I] = 1;
  return Size;
}

Constant *Registration::kernel(Function &F) {
  const DataLayout &DL = U.M.getDataLayout();
  std::string Name = F.getName().str();
  bool Blocks = Blocking.count(&F) != 0;
  uint32_t MaxThreads = maxThreads(F);
  std::array<uint32_t, 3> Cluster = clusterSize(F);
  SmallVector<Constant *> Bytes, Alignments;
  for (unsigned I = ArgFirstParam; I < F.arg_size(); ++I) {
    Type *ByVal = F.getParamByValType(I);
    Bytes.push_back(B.getInt32(
        DL.getTypeAllocSize(ByVal ? ByVal : F.getArg(I)->getType())));
    Align Natural = DL.getABITypeAlign(ByVal ? ByVal : F.getArg(I)->getType());
    Alignments.push_back(B.getInt32(
        F.getParamAlign(I).valueOrOne().value() > Natural.value() && ByVal
            ? F.getParamAlign(I)->value()
            : Natural.value()));
  }
  uint32_t Count = Bytes.size();
  Bytes.append(Alignments.begin(), Alignments.end());
  Function *Entry = buildEntry(F, Blocks);
  return ConstantStruct::getAnon(
      {string(Name), Entry, array(Bytes, B.getInt32Ty()), B.getInt32(Count),
       B.getInt32(Blocks), B.getInt32(U.KernelSharedBytes.lookup(Name)),
       B.getInt32(MaxThreads), B.getInt32(Cluster[0]), B.getInt32(Cluster[1]),
       B.getInt32(Cluster[2]), B.getInt32(0)});
}

Constant *Registration::variable(GlobalVariable &G) {
  uint64_t Bytes = U.M.getDataLayout().getTypeAllocSize(G.getValueType());
  StringRef Name = G.getName();
  Name.consume_front(ExportPrefix);
  return ConstantStruct::getAnon({string(Name), &G, B.getInt64(Bytes)});
}

void Registration::resolveHandles(Constant *Table, Type *KernelType) {
  for (auto [Handle, Kernel] : U.Handles) {
    size_t Index = find(U.Kernels, Kernel) - U.Kernels.begin();
    Constant *Place = ConstantExpr::getInBoundsGetElementPtr(
        KernelType, Table, ArrayRef<Constant *>{B.getInt64(Index)});
    if (isExported(*Handle)) {
      auto *Alias =
          GlobalAlias::create(KernelType, 0,
                              Handle->hasExternalWeakLinkage()
                                  ? GlobalValue::WeakAnyLinkage // a template
                                  : GlobalValue::ExternalLinkage,
                              "", Place, &U.M);
      Alias->takeName(Handle);
      Alias->setVisibility(GlobalValue::HiddenVisibility);
      Place = Alias;
    }
    Handle->replaceAllUsesWith(Place);
    Handle->eraseFromParent();
  }
}

GlobalVariable *Registration::unit() {
  Type *P = B.getPtrTy(), *I32 = B.getInt32Ty();
  auto *KernelType = StructType::get(
      B.getContext(), {P, P, P, I32, I32, I32, I32, I32, I32, I32, I32});
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
  Constant *Table = array(Kernels, KernelType);
  resolveHandles(Table, KernelType);
  auto *Init = ConstantStruct::getAnon(
      {string(U.Id), Table, array(Variables, VariableType),
       B.getInt32(Kernels.size()), B.getInt32(Variables.size()),
       B.getInt64(U.SharedBytes), ConstantPointerNull::get(B.getPtrTy())});
  return new GlobalVariable(U.M, Init->getType(), false,
                            GlobalValue::InternalLinkage, Init, "ct.unit");
}

/// With -fgpu-rdc clang's constructor calls a function that nvlink's host code
/// defines, named by the identity of a variable of the host module:
/// (function that registers all, wrapper of the GPU binary, name, callback).
/// Units of equal file names share one definition.
void Registration::defineLinkedBinary() {
  uint64_t Identity = GlobalValue::getGUIDAssumingExternalLinkage(
      GlobalValue::getGlobalIdentifier("__cuda_fatbin_wrapper",
                                       GlobalValue::InternalLinkage,
                                       U.M.getSourceFileName()));
  Type *P = B.getPtrTy(), *Void = B.getVoidTy();
  auto *Define = Function::Create(
      FunctionType::get(Void, {P, P, P, P}, false), GlobalValue::WeakODRLinkage,
      "__cudaRegisterLinkedBinary__nv_" + utohexstr(Identity, true), &U.M);
  Define->setVisibility(GlobalValue::HiddenVisibility);
  B.SetInsertPoint(BasicBlock::Create(B.getContext(), "", Define));
  FunctionType *OfHandle = FunctionType::get(Void, {P}, false);
  Value *Handle =
      B.CreateCall(U.M.getOrInsertFunction("__cudaRegisterFatBinary", P, P),
                   {Define->getArg(1)});
  B.CreateCall(OfHandle, Define->getArg(0), {Handle});
  B.CreateCall(U.M.getOrInsertFunction("__cudaRegisterFatBinaryEnd", OfHandle),
               {Handle});
  B.CreateRetVoid();
}

/// Only the linker knows how much the shared variables of all units take.
void Registration::storeSharedBytes(GlobalVariable &Data) {
  auto Address = [&](GlobalVariable *G) {
    return B.CreatePtrToInt(G, B.getInt64Ty());
  };
  Value *Bytes = B.CreateSub(Address(sharedSectionEnd(U.M)),
                             Address(sharedSectionStart(U.M)));
  B.CreateStore(
      Bytes, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), &Data,
                                          offsetof(ct_cpu_unit, shared_bytes)));
}

void Registration::emit() {
  constexpr int Priority = 101;
  GlobalVariable *Data = unit();
  auto *Constructor =
      Function::Create(FunctionType::get(B.getVoidTy(), false),
                       GlobalValue::InternalLinkage, "ct.register", &U.M);
  B.SetInsertPoint(BasicBlock::Create(B.getContext(), "", Constructor));
  if (U.Separate)
    storeSharedBytes(*Data);
  B.CreateCall(U.M.getOrInsertFunction("__ct_cpu_register_unit", B.getVoidTy(),
                                       B.getPtrTy()),
               {Data});
  B.CreateRetVoid();
  appendToGlobalCtors(U.M, Constructor, Priority);
  if (U.Separate)
    defineLinkedBinary();
}

} // namespace

void emitEntries(Unit &U) { Registration(U).emit(); }

} // namespace ct
