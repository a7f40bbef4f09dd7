/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of the pass. */
#include "llvm-pass/base/compat.h"
#include "llvm-pass/device/contract.h"
#include "llvm-pass/device/device.h"
#include "llvm-pass/device/normalise.h"
#include "llvm-pass/device/other_side.h"
#include "llvm-pass/host/accesses.h"
#include "llvm-pass/host/notices.h"
#include "llvm-pass/host/registration.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace {

struct TracePass : PassInfoMixin<TracePass> {
  bool Optimise;
  explicit TracePass(bool Optimise) : Optimise(Optimise) {}

  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    ct::Options Opts = ct::options(M, Optimise);
    bool IsHost = !ct::compat::targetTriple(M).isNVPTX();
    bool Changed = ct::trapOtherSide(M);
    if (IsHost && Opts.Host)
      Changed |= ct::instrumentHost(M, MAM);
    if (IsHost && !Opts.UnitDirectory.empty())
      Changed |= ct::registerWithHost(M, Opts);
    if (IsHost && (Opts.Host || !Opts.UnitDirectory.empty()))
      Changed |= ct::noticeCalls(M);
    if (IsHost || Opts.UnitDirectory.empty())
      return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    if (Optimise && Opts.DeviceTarget == ct::Target::GPU)
      ct::contractMultiplyAdds(M);
    ct::normaliseAccesses(M, MAM, Optimise);
    ct::instrumentDevice(M, MAM, Opts);
    return PreservedAnalyses::none();
  }
};

} // namespace

static void registerPass(PassBuilder &PB) {
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase) {
        MPM.addPass(TracePass(Level != OptimizationLevel::O0));
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "ct-trace" && Name != "ct-trace-plain")
          return false;
        MPM.addPass(TracePass(Name == "ct-trace"));
        return true;
      });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "cuda-trace", "1", registerPass};
}
