/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the options leave out: kernels, and sites of the kernels that are left.
 *
 * A list (-ct-list=FILE) has one rule per line; # starts a comment:
 *
 *   allow|deny kernel REGEX    the kernel's name, as in the source or mangled
 *   allow|deny function REGEX  the function of an access, inlined or not
 *   allow|deny file GLOB       the file it stands in: path or base name
 *
 * Of the rules of one subject (kernel, function, file) that match, the last one
 * decides. What none matches gets the opposite of the subject's first rule: a
 * list that begins to allow kernels denies the others.
 */
#ifndef CT_LLVM_PASS_SITES_FILTER_H
#define CT_LLVM_PASS_SITES_FILTER_H

#include "llvm-pass/base/operations.h"
#include "llvm-pass/base/options.h"
#include "llvm-pass/base/toolchain.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <string>
#include <vector>

namespace ct {

class SiteFilter {
public:
  /// Errors in patterns and in the list are reported as errors of M; what is in
  /// error filters nothing. Opts must outlive the filter.
  SiteFilter(llvm::Module &M, const Options &Opts);
  ~SiteFilter();
  SiteFilter(const SiteFilter &) = delete;
  SiteFilter &operator=(const SiteFilter &) = delete;

  /// Why a kernel gets no clone; "" if it gets one. Display: its name in the
  /// source.
  std::string whyNotSelected(const llvm::Function &Kernel,
                             llvm::StringRef Display) const;

  /// Why a site is left out (verdict FILTERED), naming the option; "" if it is
  /// recorded. F: the function whose body holds I. Sites of operation CALL are
  /// never left out: call paths need them; kinds leave no other event out,
  /// either.
  std::string whyFiltered(const llvm::Instruction &I, Operation Op,
                          const llvm::Function &F) const;

  /// True if accesses to a space (enum ct_site_space) are recorded. Sites that
  /// are definitely in another one get verdict ELSEWHERE.
  bool recordsSpace(unsigned Space) const { return Opts.Spaces >> Space & 1; }

private:
  struct Rule;
  enum class Subject { Kernel, Function, File };
  const Options &Opts;
  std::vector<std::unique_ptr<Rule>> Rules;
  std::unique_ptr<Rule> Kernels, Files; // of -ct-kernels and -ct-files

  void readList(llvm::Module &M);
  Toolchain Headers;
  const llvm::DILocation *userLocation(const llvm::Instruction &I) const;
  std::string whyDenied(Subject What,
                        llvm::ArrayRef<llvm::StringRef> Names) const;
};

} // namespace ct
#endif
