/* SPDX-License-Identifier: Apache-2.0 */
/* Optimise for the CPU and write the object file. */
#include "cpu-target/retarget/unit/emit.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ct {

static OptimizationLevel levelOf(unsigned Level) {
  switch (Level) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

/// Each call that is inlined moves what stands behind it in its block. Kernels
/// of thousands of tiles and matrices, unrolled to one block, keep their calls.
static void keepManyCalls(Module &M) {
  constexpr uint64_t MovesMax = 10'000'000;
  for (Function &F : M)
    for (BasicBlock &Block : F) {
      SmallVector<CallBase *> Calls;
      for (Instruction &I : Block)
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (Function *Callee = Call->getCalledFunction();
              Callee && !Callee->isDeclaration() &&
              !Callee->hasFnAttribute(Attribute::AlwaysInline))
            Calls.push_back(Call);
      if (Calls.size() * Block.size() > MovesMax)
        for (CallBase *Call : Calls)
          Call->setIsNoInline();
    }
}

static void optimise(Module &M, TargetMachine &TM, unsigned Level) {
  PassBuilder PB(&TM);
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CAM, MAM);
  OptimizationLevel O = levelOf(Level);
  ModulePassManager Passes = O == OptimizationLevel::O0
                                 ? PB.buildO0DefaultPipeline(O)
                                 : PB.buildPerModuleDefaultPipeline(O);
  Passes.run(M, MAM);
}

bool emitObject(Unit &U, TargetMachine &TM, unsigned Level, StringRef Output) {
  if (verifyModule(U.M, &errs())) {
    errs() << "ct-retarget: internal error: the translated unit is not valid; "
              "please report this\n";
    return false;
  }
  keepManyCalls(U.M);
  optimise(U.M, TM, Level);
  std::error_code Error;
  ToolOutputFile File(Output, Error, sys::fs::OF_None);
  if (Error) {
    errs() << "ct-retarget: " << Output << ": " << Error.message() << '\n';
    return false;
  }
  legacy::PassManager Passes;
  if (TM.addPassesToEmitFile(Passes, File.os(), nullptr,
                             CodeGenFileType::ObjectFile)) {
    errs() << "ct-retarget: this LLVM cannot write x86-64 object files\n";
    return false;
  }
  Passes.run(U.M);
  File.keep();
  return true;
}

} // namespace ct
