/* SPDX-License-Identifier: Apache-2.0 */
/* Macros that stand for a pragma. */
#include "clang-plugin/pragmas.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"

using namespace clang;

namespace {

class PragmaMacros : public PPCallbacks {
public:
  explicit PragmaMacros(Preprocessor &PP) : PP(PP) {}

  void MacroDefined(const Token &Name, const MacroDirective *MD) override;

private:
  Preprocessor &PP;

  StringRef quote(ArrayRef<Token> Words);
  Token make(tok::TokenKind Kind, const Token &At, unsigned Length);
};

} // namespace

static bool isPragma(const MacroInfo &MI) {
  return MI.isObjectLike() && MI.getNumTokens() > 1 &&
         MI.getReplacementToken(0).is(tok::hash) &&
         MI.getReplacementToken(1).getIdentifierInfo() &&
         MI.getReplacementToken(1).getIdentifierInfo()->isStr("pragma");
}

/// A string literal of these words, which lives as long as macros do.
StringRef PragmaMacros::quote(ArrayRef<Token> Words) {
  std::string Text = "\"";

  for (const Token &Word : Words) {
    if (Word.hasLeadingSpace() && &Word != &Words.front())
      Text += ' ';
    for (char C : PP.getSpelling(Word)) {
      if (C == '"' || C == '\\')
        Text += '\\';
      Text += C;
    }
  }
  return StringRef(Text + '"').copy(PP.getPreprocessorAllocator());
}

/// All have the place of one token of the macro, where clang looks for them.
Token PragmaMacros::make(tok::TokenKind Kind, const Token &At,
                         unsigned Length) {
  Token T;

  T.startToken();
  T.setKind(Kind);
  T.setLocation(At.getLocation());
  T.setLength(Length);
  return T;
}

void PragmaMacros::MacroDefined(const Token &Name, const MacroDirective *MD) {
  const MacroInfo *Old = MD->getMacroInfo();

  if (!Old || !isPragma(*Old))
    return;
  const Token &Hash = Old->getReplacementToken(0);
  StringRef Text = quote(Old->tokens().drop_front(2));
  Token Pragma = make(tok::identifier, Hash, 1);
  Token String = make(tok::string_literal, Hash, Text.size());
  MacroInfo *New = PP.AllocateMacroInfo(Old->getDefinitionLoc());

  Pragma.setIdentifierInfo(PP.getIdentifierInfo("_Pragma"));
  String.setLiteralData(Text.data());
  New->setDefinitionEndLoc(Old->getDefinitionEndLoc());
  New->setTokens({Pragma, make(tok::l_paren, Hash, 1), String,
                  make(tok::r_paren, Hash, 1)},
                 PP.getPreprocessorAllocator());
  // The next definition is compared with what the program does not say.
  New->setIsAllowRedefinitionsWithoutWarning(true);
  PP.appendDefMacroDirective(Name.getIdentifierInfo(), New, MD->getLocation());
}

void ct::takePragmasOfMacros(Preprocessor &PP) {
  PP.addPPCallbacks(std::make_unique<PragmaMacros>(PP));
}
