/* SPDX-License-Identifier: Apache-2.0 */
/* Change of target: triple, layout, metadata, attributes, linkage. */
#include "cpu-target/retarget/unit/target.h"
#include "cpu-target/retarget/unit/linkage.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ct {

static void eraseGlobal(Module &M, StringRef Name) {
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    G->eraseFromParent();
}

static void dropModuleMetadata(Module &M) {
  for (StringRef Name :
       {"nvvm.annotations", "nvvmir.version", "opencl.ocl.version",
        "llvm.linker.options", "llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *N = M.getNamedMetadata(Name))
      N->eraseFromParent();
  for (StringRef Name :
       {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"})
    eraseGlobal(M, Name);
}

/// Device code has no constructors of its own.
static void adoptLayout(Module &M, TargetMachine &TM) {
  M.setTargetTriple(TM.getTargetTriple());
  M.setDataLayout(TM.createDataLayout());
  M.setModuleInlineAsm("");
  dropModuleMetadata(M);
}

void adoptTarget(Unit &U, TargetMachine &TM) {
  adoptLayout(U.M, TM);
  for (Function &F : U.M) {
    if (F.getCallingConv() == CallingConv::PTX_Kernel && !F.isDeclaration())
      U.Kernels.push_back(&F);
    F.setCallingConv(CallingConv::C);
    F.setSubprogram(nullptr);
  }
}

bool linkDeviceRuntime(Unit &U, StringRef Path, TargetMachine &TM) {
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> Runtime =
      parseIRFile(Path, Diagnostic, U.M.getContext());
  if (!Runtime) {
    errs() << "ct-retarget: " << Path << ": " << Diagnostic.getMessage()
           << '\n';
    return false;
  }
  StripDebugInfo(*Runtime);
  for (Function &F : *Runtime)
    if (F.isDeclaration())
      U.RuntimeImports.insert(F.getName());
    else
      F.addFnAttr(RuntimeAttribute);
  adoptLayout(*Runtime, TM);
  for (Function &F : *Runtime) // each unit has its own
    if (!F.isDeclaration() && !F.getName().starts_with(RuntimePrefix))
      F.setLinkage(GlobalValue::InternalLinkage);
  if (Linker::linkModules(U.M, std::move(Runtime))) {
    errs() << "ct-retarget: cannot link " << Path << " into the unit\n";
    return false;
  }
  return true;
}

static void cleanFunction(Function &F, StringRef CPU) {
  for (StringRef Name :
       {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
        "uniform-work-group-size", "min-legal-vector-width",
        "stack-protector-buffer-size"})
    F.removeFnAttr(Name);
  if (F.isIntrinsic())
    return;
  // Properties of special registers and convergent operations of NVPTX do not
  // hold for loads and calls that may switch to another thread.
  F.removeFnAttr(Attribute::NoSync);
  F.removeFnAttr(Attribute::Memory);
  F.removeFnAttr(Attribute::Speculatable);
  F.removeFnAttr(Attribute::WillReturn);
  F.removeFnAttr(Attribute::StackProtectStrong);
  if (F.isDeclaration())
    return;
  F.addFnAttr("target-cpu", CPU);
  F.removeFnAttr(Attribute::Convergent);
}

static void cleanCall(CallBase &Call) {
  if (isa<IntrinsicInst>(Call))
    return;
  Call.removeFnAttr(Attribute::Memory);
  Call.removeFnAttr(Attribute::NoSync);
  Call.removeFnAttr(Attribute::WillReturn);
  Call.setCallingConv(Call.getCalledFunction()
                          ? Call.getCalledFunction()->getCallingConv()
                          : unsigned(CallingConv::C));
}

/// Aligned vector instructions would end the program where an address is no
/// such multiple; it goes on, and its trace tells of it.
static void relaxAlignment(Instruction &I) {
  const Align Relaxed(8);
  if (I.isAtomic())
    return;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Load->setAlignment(std::min(Load->getAlign(), Relaxed));
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Store->setAlignment(std::min(Store->getAlign(), Relaxed));
  } else if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
    Block->setDestAlignment(
        std::min(Block->getDestAlign().valueOrOne(), Relaxed));
    if (auto *Copy = dyn_cast<MemTransferInst>(Block))
      Copy->setSourceAlignment(
          std::min(Copy->getSourceAlign().valueOrOne(), Relaxed));
  }
}

void cleanAttributes(Unit &U, StringRef CPU) {
  for (Function &F : U.M) {
    cleanFunction(F, CPU);
    for (Instruction &I : instructions(F)) {
      relaxAlignment(I);
      if (auto *Call = dyn_cast<CallBase>(&I))
        cleanCall(*Call);
    }
  }
}

} // namespace ct
