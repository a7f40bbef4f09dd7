/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of the pass and its options. */
#include "compat.h"
#include "device.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cudatrace/unit.h>

using namespace llvm;

static cl::opt<std::string> UnitSeed("ct-unit-seed", cl::Hidden, cl::value_desc("hex"),
                                     cl::desc("cuda-trace: names this compilation"));
static cl::opt<std::string>
    UnitDirectory("ct-unit-dir", cl::Hidden, cl::value_desc("directory"),
                  cl::desc("cuda-trace: where device compilations leave unit blobs for the host's"));
static cl::opt<ct::Target>
    DeviceTarget("ct-target", cl::Hidden, cl::init(ct::Target::GPU),
                 cl::desc("cuda-trace: what will execute device code"),
                 cl::values(clEnumValN(ct::Target::GPU, "gpu", "NVIDIA GPU"),
                            clEnumValN(ct::Target::CPU, "cpu", "CPU threads")));
static cl::opt<std::string> DeviceRuntime("ct-device-rt", cl::Hidden, cl::value_desc("file"),
                                          cl::desc("cuda-trace: device runtime bitcode"));

ct::Options ct::options(bool Optimise) {
  uint64_t Seed = 0;
  StringRef(UnitSeed).getAsInteger(16, Seed);
  return {Seed, UnitDirectory, DeviceTarget, DeviceRuntime, Optimise,
          1u << CT_SPACE_GLOBAL, CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC, 0,
          false, "", "", "", false};
}

/// With -save-temps the two compilations see different preprocessed files:
/// a-cuda-nvptx64-nvidia-cuda-sm_90.cui and a-host-x86_64-….cui or a.cui.
static StringRef unitSource(StringRef Source) {
  if (!Source.ends_with(".cui"))
    return Source;
  StringRef Stem = sys::path::stem(Source);
  return Stem.take_front(std::min(Stem.find("-cuda-nvptx"), Stem.find("-host-")));
}

uint64_t ct::unitId(const Module &M, uint64_t Seed) {
  std::string Key = utohexstr(Seed) + "\n" + unitSource(M.getSourceFileName()).str();
  return xxh3_64bits(Key);
}

void ct::reportError(Module &M, const Twine &Message) {
  M.getContext().diagnose(DiagnosticInfoGeneric("cuda-trace: " + Message));
}

namespace {

struct TracePass : PassInfoMixin<TracePass> {
  bool Optimise;
  explicit TracePass(bool Optimise) : Optimise(Optimise) {}

  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    ct::Options Opts = ct::options(Optimise);
    if (Opts.UnitDirectory.empty())
      return PreservedAnalyses::all();
    if (!ct::compat::targetTriple(M).isNVPTX())
      return ct::registerWithHost(M, Opts) ? PreservedAnalyses::none() : PreservedAnalyses::all();
    if (Optimise)
      ct::normaliseAccesses(M, MAM);
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
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "ct-trace" && Name != "ct-trace-plain")
          return false;
        MPM.addPass(TracePass(Name == "ct-trace"));
        return true;
      });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "cuda-trace", "1", registerPass};
}
