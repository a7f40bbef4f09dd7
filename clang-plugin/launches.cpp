/* SPDX-License-Identifier: Apache-2.0 */
/* Braces in launches as nvcc takes them. */
#include "clang-plugin/launches.h"
#include <memory>

using namespace clang;

/// Brace becomes "::", and is what comes behind "::" and the name of the type.
void ct::LaunchWatcher::putType(Token &Brace, unsigned Argument) {
  static const char *const Types[] = {"dim3", "dim3", "size_t", "cudaStream_t"};
  IdentifierInfo *Type = PP.getIdentifierInfo(Types[Argument]);
  auto Behind = std::make_unique<Token[]>(2);
  Token Colons;

  Colons.startToken();
  Colons.setKind(tok::coloncolon);
  Colons.setLocation(Brace.getLocation());
  Behind[0] = Colons;
  Behind[0].setKind(Type->getTokenID());
  Behind[0].setIdentifierInfo(Type);
  Behind[1] = Brace;
  bool IsKept = PP.isBacktrackEnabled() && PP.IsPreviousCachedToken(Brace);
  Brace = Colons;
  if (IsKept) // to be read again
    PP.ReplacePreviousCachedToken(Colons);
  PP.EnterTokenStream(std::move(Behind), 2, /*DisableMacroExpansion=*/true,
                      /*IsReinject=*/true);
}

void ct::LaunchWatcher::see(Token &T) {
  if (T.is(tok::lesslessless)) {
    Open.push_back({});
    return;
  }
  if (Open.empty())
    return;
  Launch &In = Open.back();
  bool Begins = std::exchange(In.Begins, false);
  switch (T.getKind()) {
  case tok::l_brace:
    // Nested statements that are entered below are not seen again, but for
    // their end.
    In.Depth++;
    if (Begins && In.Depth == 1 && In.Argument < 4)
      putType(T, In.Argument);
    break;
  case tok::l_paren:
  case tok::l_square:
    In.Depth++;
    break;
  case tok::r_paren:
  case tok::r_square:
  case tok::r_brace:
    if (In.Depth-- == 0)
      Open.pop_back();
    break;
  case tok::comma:
    if (In.Depth == 0) {
      In.Argument++;
      In.Begins = true;
    }
    break;
  case tok::greatergreatergreater:
  case tok::semi:
  case tok::eof:
    if (In.Depth == 0 || T.is(tok::eof))
      Open.pop_back();
    break;
  default:
    break;
  }
}
