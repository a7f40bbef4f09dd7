/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the pass, as the compiler wrapper sets them with -mllvm. */
#ifndef CT_LLVM_PASS_BASE_OPTIONS_H
#define CT_LLVM_PASS_BASE_OPTIONS_H

#include "llvm/IR/Module.h"
#include <cstdint>
#include <string>

namespace ct {

enum class Target { GPU, CPU };
enum class Sharing { Auto, Apart, On, Off };

struct Options {
  uint64_t UnitSeed;
  std::string UnitDirectory; // empty: the pass does nothing
  Target DeviceTarget;
  std::string DeviceRuntime; // bitcode; needed for Target::GPU only
  bool Optimise;             // at -O1 and above
  // These say what is recorded.
  uint32_t Spaces; // bit 1 << enum ct_site_space
  uint32_t Kinds;  // enum ct_unit_kinds
  uint32_t Events; // enum ct_unit_events
  bool Values;
  std::string
      Kernels;       // extended regular expression for names of kernels; "" all
  std::string Files; // glob for files of sites; "" all
  std::string List;  // file of allow and deny rules; "" none
  bool Report;       // print the coverage table
  // How it is recorded (groups.h, loops.h).
  bool Groups = true;
  bool Loops = true;
  Sharing Share = Sharing::Auto; // what clones call (placement.h)
  bool Registers = true;         // bound those of clones (registers.h)
  bool Blame = true;             // tables of blame (blame.h)
  bool DropVariables = false;    // after that, debug information but lines
  bool Host = false;             // accesses of host code (host/accesses.h)
  // Accesses are recorded whose site's number n has (n + SiteOffset) %
  // SitePeriod == 0.
  uint32_t SitePeriod = 1;
  uint32_t SiteOffset = 0;
};

/// The options of this compilation; mistakes in them are reported as errors of
/// M, if it is device code.
Options options(llvm::Module &M, bool Optimise);

/// Reports an error about a module as the compiler's own diagnostic.
void reportError(llvm::Module &M, const llvm::Twine &Message);

} // namespace ct
#endif
