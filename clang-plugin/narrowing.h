/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constant expressions that do not fit their type: arguments of templates,
 * enumerators, labels of switches. Nvcc refuses them as C++11 does, but for
 * those that become a bool; clang has one diagnostic for all. It is a warning
 * here, which is held back until the end of the unit, and is an error then.
 */
#ifndef CT_CLANG_PLUGIN_NARROWING_H
#define CT_CLANG_PLUGIN_NARROWING_H

#include "clang/Basic/Diagnostic.h"
#include <vector>

namespace ct {

/// All diagnostics pass through it. It is the engine's from then on.
class Narrowing : public clang::DiagnosticConsumer {
public:
  static Narrowing *hold(clang::DiagnosticsEngine &Diagnostics);

  /// Tells what was held back.
  void reportHeld();

  void BeginSourceFile(const clang::LangOptions &LangOpts,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;
  bool IncludeInDiagnosticCounts() const override;

private:
  explicit Narrowing(clang::DiagnosticsEngine &Diagnostics);

  clang::DiagnosticsEngine &Diagnostics;
  std::unique_ptr<clang::DiagnosticConsumer> Owned; // of Next, if it was owned
  clang::DiagnosticConsumer *Next;
  std::vector<std::pair<clang::SourceLocation, std::string>> Held;
};

} // namespace ct
#endif
