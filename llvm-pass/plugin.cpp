/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of the pass. */
#include "llvm-pass/base/annotations.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/base/managed.h"
#include "llvm-pass/base/names.h"
#include "llvm-pass/base/statics.h"
#include "llvm-pass/blame/blame.h"
#include "llvm-pass/device/contract.h"
#include "llvm-pass/device/device.h"
#include "llvm-pass/device/fields.h"
#include "llvm-pass/device/normalise.h"
#include "llvm-pass/device/other_side.h"
#include "llvm-pass/device/undefined.h"
#include "llvm-pass/device/whole.h"
#include "llvm-pass/device/wrappers.h"
#include "llvm-pass/host/accesses.h"
#include "llvm-pass/host/kernel_symbols.h"
#include "llvm-pass/host/notices.h"
#include "llvm-pass/host/registration.h"
#include "llvm/Passes/PassBuilder.h"
#include <map>
#include <memory>

using namespace llvm;

namespace {

/// Keeps the facts of a module from before it is optimised, until the trace
/// pass has it.
using FactsOfModules = std::map<const Module *, ct::BlameFacts>;

/// Looks at the code as the front end makes it.
struct BlamePass : PassInfoMixin<BlamePass> {
  std::shared_ptr<FactsOfModules> Facts;
  bool Optimise;
  BlamePass(std::shared_ptr<FactsOfModules> Facts, bool Optimise)
      : Facts(std::move(Facts)), Optimise(Optimise) {}

  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    ct::Options Opts = ct::options(M, Optimise);
    if (Opts.UnitDirectory.empty())
      return PreservedAnalyses::all();
    if (!ct::compat::targetTriple(M).isNVPTX()) {
      if (Opts.Blame)
        (*Facts)[&M] = ct::analyseFlows(M);
      return PreservedAnalyses::all();
    }
    if (Opts.Blame)
      (*Facts)[&M] = ct::analyseBlame(M);
    if (Opts.DropVariables)
      ct::dropVariables(M);
    return PreservedAnalyses::all();
  }
};

struct TracePass : PassInfoMixin<TracePass> {
  std::shared_ptr<FactsOfModules> Facts;
  bool Optimise;
  TracePass(std::shared_ptr<FactsOfModules> Facts, bool Optimise)
      : Facts(std::move(Facts)), Optimise(Optimise) {}

  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    ct::Options Opts = ct::options(M, Optimise);
    bool IsHost = !ct::compat::targetTriple(M).isNVPTX();
    bool Changed = IsHost && ct::nameKernels(M);
    Changed |= ct::makeNamesAscii(M, IsHost);
    Changed |= !IsHost && ct::trapOtherSide(M);
    if (IsHost && Opts.Host)
      Changed |= ct::instrumentHost(M, MAM);
    if (IsHost && !Opts.UnitDirectory.empty())
      Changed |= ct::registerWithHost(M, Opts, (*Facts)[&M]);
    if (IsHost && (Opts.Host || !Opts.UnitDirectory.empty()))
      Changed |= ct::noticeCalls(M);
    if (IsHost)
      Facts->erase(&M);
    if (IsHost || Opts.UnitDirectory.empty())
      return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    if (Optimise && Opts.DeviceTarget == ct::Target::GPU)
      ct::contractMultiplyAdds(M);
    if (Optimise)
      ct::addMerged((*Facts)[&M], M);
    auto Wrappers = Optimise ? ct::WrapperInlining() : ct::WrapperInlining(M);
    if (!Wrappers.isEmpty())
      MAM.invalidate(M, PreservedAnalyses::none());
    ct::normaliseAccesses(M, MAM, Optimise);
    ct::instrumentDevice(M, MAM, Opts, (*Facts)[&M], Wrappers);
    if (Opts.DeviceTarget == ct::Target::GPU)
      ct::lowerShortExchanges(M);
    Facts->erase(&M);
    return PreservedAnalyses::none();
  }
};

/// Before bodies that the plugin has emptied are inlined.
struct OtherSideOfHost : PassInfoMixin<OtherSideOfHost> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    bool Changed =
        !ct::compat::targetTriple(M).isNVPTX() && ct::trapOtherSide(M);
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

struct RegisterBounds : PassInfoMixin<RegisterBounds> {
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (ct::compat::targetTriple(M).isNVPTX())
      ct::takeRegisterBounds(M);
    return PreservedAnalyses::all();
  }
};

struct CopyFieldsOfDevices : PassInfoMixin<CopyFieldsOfDevices> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!ct::copiesFields() || !ct::compat::targetTriple(M).isNVPTX())
      return PreservedAnalyses::all();
    return createModuleToFunctionPassAdaptor(ct::CopyFieldsPass()).run(M, MAM);
  }
};

} // namespace

static void registerPass(PassBuilder &PB) {
  auto Facts = std::make_shared<FactsOfModules>();
  PB.registerPipelineStartEPCallback(
      [Facts](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(OtherSideOfHost());
        MPM.addPass(ct::JoinStaticsPass());
        MPM.addPass(ct::DropForeignKernelsPass());
        MPM.addPass(ct::MarkForeignKernelsPass());
        MPM.addPass(ct::WholeUnitPass());
        MPM.addPass(BlamePass(Facts, Level != OptimizationLevel::O0));
        MPM.addPass(ct::ManagedVariablesPass());
        MPM.addPass(RegisterBounds());
        if (Level != OptimizationLevel::O0)
          MPM.addPass(CopyFieldsOfDevices());
        MPM.addPass(ct::UndefinedPass());
      });
  PB.registerOptimizerLastEPCallback([Facts](ModulePassManager &MPM,
                                             OptimizationLevel Level,
                                             ThinOrFullLTOPhase) {
    MPM.addPass(TracePass(Facts, Level != OptimizationLevel::O0));
  });
  PB.registerPipelineParsingCallback(
      [Facts](StringRef Name, ModulePassManager &MPM,
              ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "ct-trace" && Name != "ct-trace-plain")
          return false;
        MPM.addPass(BlamePass(Facts, Name == "ct-trace"));
        MPM.addPass(TracePass(Facts, Name == "ct-trace"));
        return true;
      });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "cuda-trace", "1", registerPass};
}
