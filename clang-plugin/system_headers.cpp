/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings that clang gives in system headers and gcc does not. */
#include "clang-plugin/system_headers.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace {

/// As if "#pragma GCC diagnostic ignored" stood at the beginning of each system
/// header that a file of the program includes.
class QuietHeaders : public PPCallbacks {
public:
  QuietHeaders(DiagnosticsEngine &Diags) : Diags(Diags) {}

  void FileChanged(SourceLocation Where, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind Kind, FileID) override {
    if (Reason == ExitFile && Depth && --Depth == 0)
      Diags.popMappings(Where);
    if (Reason != EnterFile || (!Depth && !SrcMgr::isSystem(Kind)))
      return;
    if (Depth++ == 0) {
      Diags.pushMappings(Where);
      Diags.setSeverityForGroup(diag::Flavor::WarningOrError,
                                "deprecated-declarations",
                                diag::Severity::Ignored, Where);
    }
  }

private:
  DiagnosticsEngine &Diags;
  unsigned Depth = 0; // files from the outermost system header on
};

} // namespace

void ct::keepSystemHeadersQuiet(CompilerInstance &CI) {
  CI.getPreprocessor().addPPCallbacks(
      std::make_unique<QuietHeaders>(CI.getDiagnostics()));
}
