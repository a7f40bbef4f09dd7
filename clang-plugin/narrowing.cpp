/* SPDX-License-Identifier: Apache-2.0 */
/* Constant expressions that do not fit their type. */
#include "clang-plugin/narrowing.h"
#include "clang/AST/Type.h"
#include "clang/Basic/DiagnosticSema.h"

using namespace clang;

ct::Narrowing::Narrowing(DiagnosticsEngine &Diagnostics)
    : Diagnostics(Diagnostics),
      Owned(Diagnostics.ownsClient() ? Diagnostics.takeClient() : nullptr),
      Next(Owned ? Owned.get() : Diagnostics.getClient()) {}

ct::Narrowing *ct::Narrowing::hold(DiagnosticsEngine &Diagnostics) {
  auto *Made = new Narrowing(Diagnostics);

  Diagnostics.setSeverity(diag::ext_cce_narrowing, diag::Severity::Warning,
                          SourceLocation());
  Diagnostics.setClient(Made, /*ShouldOwnClient=*/true);
  return Made;
}

void ct::Narrowing::BeginSourceFile(const LangOptions &LangOpts,
                                    const Preprocessor *PP) {
  Next->BeginSourceFile(LangOpts, PP);
}

void ct::Narrowing::EndSourceFile() { Next->EndSourceFile(); }

bool ct::Narrowing::IncludeInDiagnosticCounts() const {
  return Next->IncludeInDiagnosticCounts();
}

void ct::Narrowing::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                     const Diagnostic &Info) {
  if (Info.getID() == diag::ext_cce_narrowing) {
    // "... cannot be narrowed to type %3"
    auto To =
        QualType::getFromOpaquePtr(reinterpret_cast<void *>(Info.getRawArg(3)));
    SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    if (!To->isBooleanType())
      Held.emplace_back(Info.getLocation(), Text.str());
    return;
  }
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  Next->HandleDiagnostic(Level, Info);
}

void ct::Narrowing::reportHeld() {
  unsigned Error = Diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0");

  for (const auto &[Where, Text] : std::exchange(Held, {}))
    Diagnostics.Report(Where, Error) << Text;
}
