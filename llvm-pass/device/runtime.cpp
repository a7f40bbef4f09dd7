/* SPDX-License-Identifier: Apache-2.0 */
/* The device runtime (device-rt.bc): loading, and linking into a device module.
 */
#include "llvm-pass/device/runtime.h"
#include "llvm-pass/base/options.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

static const StringRef TargetAttributes[] = {"target-cpu", "target-features"};

std::unique_ptr<Module> ct::loadDeviceRuntime(Module &M, StringRef Path) {
  if (Path.empty()) {
    reportError(M, "-ct-target=gpu needs the device runtime: add -mllvm "
                   "-ct-device-rt=FILE");
    return nullptr;
  }
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> Runtime =
      parseIRFile(Path, Diagnostic, M.getContext());
  if (!Runtime)
    reportError(M, "cannot read the device runtime " + Path + ": " +
                       Diagnostic.getMessage());
  return Runtime;
}

uint64_t ct::sharedBytes(const Module &Runtime) {
  uint64_t Bytes = 0;
  for (const GlobalVariable &GV : Runtime.globals())
    if (GV.getAddressSpace() == 3 && !GV.isDeclaration())
      Bytes += alignTo(
          Runtime.getDataLayout().getTypeAllocSize(GV.getValueType()), 16);
  return Bytes;
}

/// From which placement on functions of the runtime are apart, by their
/// annotations: "ct.rare" or "ct.records".
static StringMap<ct::Apart> apartFunctions(const Module &Runtime) {
  StringMap<ct::Apart> Least;
  const GlobalVariable *List =
      Runtime.getGlobalVariable("llvm.global.annotations");
  if (!List || !List->hasInitializer())
    return Least;
  for (const Use &Operand : List->getInitializer()->operands()) {
    auto Element = [&](unsigned I) {
      return cast<Constant>(Operand)
          ->getAggregateElement(I)
          ->stripPointerCasts();
    };
    StringRef Text;
    getConstantStringInfo(Element(1), Text);
    Least[Element(0)->getName()] =
        Text == "ct.rare" ? ct::Apart::Rare : ct::Apart::Records;
  }
  return Least;
}

/// Leaves nothing in the runtime that speaks of another target or compilation.
static void adoptTarget(Module &Runtime, const Module &M,
                        const Function &Model) {
  Runtime.setTargetTriple(M.getTargetTriple());
  Runtime.setDataLayout(M.getDataLayout());
  StripDebugInfo(Runtime);
  while (!Runtime.named_metadata_empty())
    Runtime.named_metadata_begin()->eraseFromParent();
  for (StringRef Name :
       {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"})
    if (GlobalVariable *List = Runtime.getGlobalVariable(Name))
      List->eraseFromParent();
  for (Function &F : Runtime)
    for (StringRef Name : TargetAttributes) {
      F.removeFnAttr(Name);
      if (!F.isDeclaration() && Model.hasFnAttribute(Name))
        F.addFnAttr(Model.getFnAttribute(Name));
    }
}

static void internalise(Module &M, ArrayRef<std::string> Names) {
  for (StringRef Name : Names)
    if (GlobalValue *GV = M.getNamedValue(Name))
      if (!GV->isDeclaration()) {
        GV->setVisibility(GlobalValue::DefaultVisibility);
        GV->setLinkage(GlobalValue::InternalLinkage);
        if (auto *Object = dyn_cast<GlobalObject>(GV))
          Object->setComdat(nullptr);
      }
}

static void dropUnused(Module &M, ArrayRef<std::string> Names) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (StringRef Name : Names) {
      GlobalValue *GV = M.getNamedValue(Name);
      if (!GV || !GV->hasLocalLinkage())
        continue;
      GV->removeDeadConstantUsers();
      if (!GV->use_empty())
        continue;
      GV->eraseFromParent();
      Changed = true;
    }
  }
}

/// ct-ptxas compiles these apart, and may need copies of them there; nothing of
/// the runtime calls hooks.
static void nameApart(Module &M, ArrayRef<std::string> Names,
                      const StringMap<ct::Apart> &Least,
                      ct::Apart CompiledApart) {
  for (StringRef Name : Names) {
    Function *F = M.getFunction(Name);
    if (!F || F->isDeclaration())
      continue;
    auto Known = Least.find(Name);
    bool IsApart = CompiledApart >=
                   (Known == Least.end() ? ct::Apart::All : Known->second);
    if (IsApart || !Name.starts_with("__ct_"))
      F->setName((IsApart ? "ct_apart_" : "ct_near_") + Name);
  }
}

void ct::linkDeviceRuntime(Module &M, std::unique_ptr<Module> Runtime,
                           const Function &Model, Apart CompiledApart,
                           ModuleAnalysisManager &MAM) {
  StringMap<Apart> Least = apartFunctions(*Runtime);
  adoptTarget(*Runtime, M, Model);
  SmallVector<std::string, 32> Names;
  for (const GlobalValue &GV : Runtime->global_values()) {
    const GlobalValue *Mine =
        GV.isDeclaration() ? nullptr : M.getNamedValue(GV.getName());
    if (!GV.isDeclaration() && GV.hasName() && (!Mine || Mine->isDeclaration()))
      Names.push_back(GV.getName().str());
  }
  if (Linker::linkModules(M, std::move(Runtime), Linker::LinkOnlyNeeded)) {
    reportError(M, "cannot link the device runtime into this module");
    return;
  }
  internalise(M, Names);
  AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false).run(M, MAM);
  dropUnused(M, Names);
  if (CompiledApart != Apart::Nothing)
    nameApart(M, Names, Least, CompiledApart);
}

void ct::tidyClones(ArrayRef<Function *> Clones, ModuleAnalysisManager &MAM) {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  for (Function *F : Clones) {
    auto &FAM =
        MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F->getParent())
            .getManager();
    FAM.invalidate(*F, FPM.run(*F, FAM));
  }
}
