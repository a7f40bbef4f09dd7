/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ct-retarget: NVPTX bitcode of one translation unit -> x86-64 object file
 * that registers its kernels with the CPU target's runtime.
 */
#include "cpu-target/retarget/calls/call_events.h"
#include "cpu-target/retarget/calls/calls.h"
#include "cpu-target/retarget/entry/blocking.h"
#include "cpu-target/retarget/entry/registration.h"
#include "cpu-target/retarget/numbers/arithmetic.h"
#include "cpu-target/retarget/numbers/denormals.h"
#include "cpu-target/retarget/spaces/spaces.h"
#include "cpu-target/retarget/thread/thread.h"
#include "cpu-target/retarget/unit/emit.h"
#include "cpu-target/retarget/unit/linkage.h"
#include "cpu-target/retarget/unit/target.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

static cl::OptionCategory Category("ct-retarget options");
static cl::opt<std::string> Input(cl::Positional, cl::Required,
                                  cl::desc("<device bitcode>"),
                                  cl::cat(Category));
static cl::opt<std::string> Output("o", cl::Required, cl::value_desc("file"),
                                   cl::desc("object file to write"),
                                   cl::cat(Category));
static cl::opt<std::string> Id("id", cl::Required, cl::desc("name of the unit"),
                               cl::cat(Category));
static cl::opt<std::string> DeviceRuntime("device-rt", cl::Required,
                                          cl::value_desc("file"),
                                          cl::desc("device runtime bitcode"),
                                          cl::cat(Category));
static cl::opt<std::string>
    CPU("cpu", cl::init("x86-64-v2"),
        cl::desc("processor to generate code for, or native"),
        cl::cat(Category));
static cl::opt<char> Level("O", cl::Prefix, cl::init('2'),
                           cl::desc("optimisation level, 0 to 3"),
                           cl::cat(Category));
static cl::opt<bool>
    Separate("rdc",
             cl::desc("separate compilation: device functions and variables "
                      "are shared with other units by the linker"),
             cl::cat(Category));
static cl::opt<bool> PrintIR("print-ir", cl::Hidden,
                             cl::desc("print the unit before optimising"),
                             cl::cat(Category));

static std::unique_ptr<TargetMachine> createTarget() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  if (CPU == "native")
    CPU = sys::getHostCPUName().str();
  Triple TT("x86_64-unknown-linux-gnu");
  std::string Error;
  const Target *T = TargetRegistry::lookupTarget(TT, Error);
  if (!T) {
    errs() << "ct-retarget: " << Error << '\n';
    return nullptr;
  }
  TargetOptions Options;
  Options.AllowFPOpFusion = FPOpFusion::Strict;
  Options.FunctionSections = Separate; // driver/wrapper/unreached.c
  return std::unique_ptr<TargetMachine>(
      T->createTargetMachine(TT, CPU, "", Options, Reloc::PIC_, std::nullopt,
                             CodeGenOptLevel::Default));
}

static bool retarget(Module &M, TargetMachine &TM) {
  ct::Unit U{M, Id, Separate, {}, {}, {}, {}, 0, {}};
  ct::adoptTarget(U, TM);
  if (!ct::linkDeviceRuntime(U, DeviceRuntime, TM))
    return false;
  ct::defineBuiltinVariables(U);
  ct::exportSymbols(U);
  ct::changeKernelSignatures(U);
  ct::flattenAddressSpaces(U);
  ct::lowerCalls(U);
  ct::markCallEvents(U);
  ct::insertSpinYields(U);
  ct::guardDivisions(U);
  ct::clampShifts(U);
  ct::saturateConversions(U);
  ct::contractMultiplyAdds(U);
  ct::flushDenormals(U);
  ct::cleanAttributes(U, CPU);
  ct::internalizeRest(U);
  ct::emitEntries(U);
  if (PrintIR)
    M.print(outs(), nullptr);
  return ct::emitObject(U, TM, Level - '0', Output);
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(
      argc, argv, "Compile device bitcode of a CUDA unit for the CPU target\n");
  if (Level < '0' || Level > '3')
    Level = '2';
  std::unique_ptr<TargetMachine> TM = createTarget();
  if (!TM)
    return 1;
  LLVMContext Context;
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M = parseIRFile(Input, Diagnostic, Context);
  if (!M) {
    errs() << "ct-retarget: " << Input << ": " << Diagnostic.getMessage()
           << '\n';
    return 1;
  }
  return retarget(*M, *TM) ? 0 : 1;
}
