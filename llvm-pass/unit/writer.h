/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly of a unit blob (unit.h). */
#ifndef CT_LLVM_PASS_UNIT_WRITER_H
#define CT_LLVM_PASS_UNIT_WRITER_H

#include "llvm-pass/base/annotations.h"
#include "llvm-pass/base/options.h"
#include "llvm-pass/blame/blame.h"
#include "llvm-pass/blocks/blocks.h"
#include "llvm-pass/sites/sites.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <cudatrace/unit.h>
#include <map>
#include <vector>

namespace ct {

class UnitWriter {
public:
  UnitWriter(uint64_t UnitId, uint32_t Arch, llvm::StringRef Source,
             const Options &Opts);

  /// Returns the kernel's index.
  uint32_t addKernel(llvm::StringRef Name, const KernelFacts &Facts,
                     llvm::StringRef Reason);
  /// Kernel: index of the kernel that Function is, or CT_NONE. Pattern: of a
  /// specialised function, else "".
  void addSite(llvm::StringRef Function, uint32_t Kernel, const Site &S,
               llvm::StringRef Pattern);
  /// Those of Function; FirstSite: index of its first site.
  void addBlocks(llvm::StringRef Function, uint32_t Kernel,
                 llvm::StringRef Pattern, uint32_t FirstSite,
                 const std::vector<BlockFacts> &Facts);
  /// Adds the facts of all functions; after their blocks, whose places it is
  /// kept for.
  void addBlame(const BlameFacts &Facts);
  /// Adds the facts of host code, instead: all of them.
  void addFlows(const BlameFacts &Facts);
  std::string blob() const;

  const std::vector<ct_unit_kernel> &kernels() const { return Kernels; }
  const std::vector<ct_unit_site> &sites() const { return Sites; }
  /// Returns the text of an offset in one of these.
  llvm::StringRef text(uint32_t Offset) const {
    return Strings.c_str() + Offset;
  }

private:
  ct_unit_header Header = {};
  std::vector<ct_unit_kernel> Kernels;
  std::vector<ct_unit_param> Params;
  std::vector<ct_unit_site> Sites;
  std::vector<ct_unit_frame> Frames;
  std::vector<ct_unit_block> Blocks;
  std::vector<ct_unit_mix> Mix;
  std::vector<ct_unit_step> Steps;
  std::vector<uint32_t> Next;
  std::vector<ct_unit_variable> Variables;
  std::vector<ct_unit_statement> Statements;
  std::vector<ct_unit_call> Calls;
  std::vector<ct_unit_outcome> Outcomes;
  std::vector<ct_unit_share> Shares;
  std::vector<uint32_t> List;
  std::string Strings;
  llvm::StringMap<uint32_t> StringOffsets;
  llvm::DenseMap<const llvm::DILocation *, uint32_t> FrameOfLocation;

  /// Maps the facts of blame that are kept: by the facts' numbers those of the
  /// unit, or CT_NONE.
  std::vector<uint32_t> VariableOf;
  std::map<std::vector<uint32_t>, uint32_t> Lists;

  uint32_t string(llvm::StringRef Text);
  uint32_t list(const VariableList &From);
  uint32_t variable(const BlameFacts &Facts, uint32_t From);
  void addStatement(const BlameFacts &Facts, const BlamedStatement &From);
  void addCall(const BlameFacts &Facts, const BlamedCall &From);
  uint32_t frame(const llvm::DILocation *Location);
};

} // namespace ct
#endif
