/* SPDX-License-Identifier: Apache-2.0 */
/* Instrumented clones of kernels and device functions. */
#include "llvm-pass/clone/clone.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/base/names.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

static const unsigned MaxThreadsPerBlock = 1024;

/// struct ct_launch of ring.h.
static StructType *launchType(LLVMContext &C) {
  if (StructType *Known = StructType::getTypeByName(C, "struct.ct_launch"))
    return Known;
  Type *I32 = Type::getInt32Ty(C), *I64 = Type::getInt64Ty(C);
  return StructType::create(C, {I64, I32, I32, I32, I32, I64, I64, I64},
                            "struct.ct_launch");
}

/// Drops attributes that held for the pristine function but do not for one that
/// calls hooks.
static void dropBrokenPromises(Function &F) {
  F.removeFnAttr(Attribute::Memory);
  F.removeFnAttr(Attribute::NoSync);
  F.removeFnAttr(Attribute::NoCallback);
  F.removeFnAttr(Attribute::Speculatable);
  F.removeFnAttr(Attribute::WillReturn);
  F.addFnAttr(Attribute::Convergent);
  for (Argument &A : F.args())
    A.removeAttr(ct::compat::captureAttribute());
}

/// Clones with more parameters, the first of which is returned.
static Argument *cloneWith(ct::TracedFunction &F, ArrayRef<Type *> Extra,
                           const Twine &Name) {
  Function &Old = *F.Original;
  SmallVector<Type *, 8> Types(Old.getFunctionType()->params());
  Types.append(Extra.begin(), Extra.end());
  Function *New = Function::Create(
      FunctionType::get(Old.getReturnType(), Types, false), Old.getLinkage(),
      Old.getAddressSpace(), Name, Old.getParent());
  F.Map = std::make_unique<ValueToValueMapTy>();
  for (unsigned I = 0; I < Old.arg_size(); I++) {
    New->getArg(I)->setName(Old.getArg(I)->getName());
    (*F.Map)[Old.getArg(I)] = New->getArg(I);
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(New, &Old, *F.Map,
                    CloneFunctionChangeType::LocalChangesOnly, Returns);
  New->setComdat(nullptr);
  dropBrokenPromises(*New);
  F.Clone = New;
  return New->getArg(Old.arg_size());
}

/// Clones a kernel, with struct ct_launch by value.
static void cloneWithLaunch(ct::TracedFunction &F, const Twine &Name) {
  LLVMContext &C = F.Original->getContext();
  Argument *Launch = cloneWith(F, {PointerType::get(C, 0)}, Name);

  AttrBuilder Attributes(C);
  Attributes.addByValAttr(launchType(C));
  Attributes.addAlignmentAttr(Align(8));
  Launch->addAttrs(Attributes);
  Launch->setName("ct.launch");
  F.Clone->setLinkage(GlobalValue::ExternalLinkage); // the host must find it
  ct::compat::copyAnnotations(*F.Original, *F.Clone);
}

void ct::cloneKernel(TracedFunction &F, uint64_t UnitId, bool CallsOthers) {
  cloneWithLaunch(F, cloneName(F.Original->getName(), UnitId,
                               F.Original->isWeakForLinker()));
  if (CallsOthers)
    compat::removeBounds(*F.Clone);
  else if (!compat::hasThreadBound(*F.Clone))
    compat::setMaxThreads(*F.Clone, MaxThreadsPerBlock);
}

void ct::cloneSilentKernel(TracedFunction &F, uint64_t UnitId) {
  cloneWithLaunch(F, cloneName(F.Original->getName(), UnitId,
                               F.Original->isWeakForLinker()));
}

/// No bounds but its own: it shall have the registers of the pristine kernel.
void ct::cloneKernelForClock(TracedFunction &F, uint64_t UnitId) {
  cloneWithLaunch(F, clockName(F.Original->getName(), UnitId,
                               F.Original->isWeakForLinker()));
}

Function *ct::cloneForClock(TracedFunction &F) {
  Type *I64 = Type::getInt64Ty(F.Original->getContext());
  cloneWith(F, {I64, I64}, "__ctc_" + F.Original->getName());
  F.Clone->setVisibility(GlobalValue::DefaultVisibility);
  F.Clone->setLinkage(GlobalValue::InternalLinkage);
  return F.Clone;
}

void ct::cloneKernelForBlocks(TracedFunction &F, uint64_t UnitId) {
  cloneWithLaunch(F, blocksName(F.Original->getName(), UnitId,
                                F.Original->isWeakForLinker()));
}

void ct::cloneForBlocks(TracedFunction &F) {
  F.State = cloneWith(F, {Type::getInt64Ty(F.Original->getContext())},
                      "__ctb_" + F.Original->getName());
  F.Clone->setVisibility(GlobalValue::DefaultVisibility);
  F.Clone->setLinkage(GlobalValue::InternalLinkage);
}

/// A symbol that PTX takes, without the signs of a pattern that it does not.
static std::string functionCloneName(const ct::TracedFunction &F,
                                     bool Suffixed) {
  std::string Name = ("__ct_" + F.Original->getName()).str();
  if (!Suffixed)
    return Name;
  std::string Suffix = F.Context;
  llvm::replace(Suffix, '-', '_');
  return Name + "." + Suffix;
}

Function *ct::makeForwarder(FunctionType *Type,
                            GlobalValue::LinkageTypes Linkage,
                            const Twine &Name, Function &Target) {
  Function *F = Function::Create(Type, Linkage, Name, Target.getParent());
  F->copyAttributesFrom(&Target);
  F->setVisibility(GlobalValue::DefaultVisibility);
  dropBrokenPromises(*F);
  IRBuilder<> B(BasicBlock::Create(F->getContext(), "", F));
  SmallVector<Value *, 8> Arguments;
  for (unsigned I = 0; I < Target.arg_size(); I++)
    Arguments.push_back(F->getArg(I));
  CallInst *Call = B.CreateCall(&Target, Arguments);
  Call->setAttributes(Target.getAttributes());
  Call->setCallingConv(Target.getCallingConv());
  if (Type->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
  return F;
}

void ct::cloneDeviceFunction(TracedFunction &F, bool Exported) {
  F.State = cloneWith(F, {Type::getInt32Ty(F.Original->getContext())},
                      functionCloneName(F, Exported || !F.IsEntry));
  F.State->setName("ct.state");
  F.Clone->setVisibility(GlobalValue::DefaultVisibility);
  F.Clone->setLinkage(GlobalValue::InternalLinkage);
  if (Exported)
    makeForwarder(F.Clone->getFunctionType(), GlobalValue::ExternalLinkage,
                  functionCloneName(F, false), *F.Clone);
}
