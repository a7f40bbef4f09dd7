/* SPDX-License-Identifier: Apache-2.0 */
/* Reads from tokens what only they show of templates. */
#include "clang-plugin/templates.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

/// From the last "template <>" to the end of the declarator behind it.
static SourceLocation SpecialisationBegin, SpecialisationEnd;

bool ct::TemplateWatcher::isSpecialisation(SourceLocation At,
                                           const SourceManager &Sources) {
  return SpecialisationBegin.isValid() &&
         Sources.isBeforeInTranslationUnit(SpecialisationBegin, At) &&
         (SpecialisationEnd.isInvalid() ||
          Sources.isBeforeInTranslationUnit(At, SpecialisationEnd));
}

/// Which side an instantiation is for is said by its template (declared.h), and
/// clang refuses what says it again.
void ct::TemplateWatcher::hideSide(Token &T) {
  IdentifierInfo *Name = T.getIdentifierInfo();

  if (T.isNot(tok::identifier) || Before != tok::l_paren ||
      BeforeThat != tok::l_paren ||
      !(Name->isStr("host") || Name->isStr("device")))
    return;
  T.setIdentifierInfo(PP.getIdentifierInfo("unused"));
  if (PP.isBacktrackEnabled() && PP.IsPreviousCachedToken(T))
    PP.ReplacePreviousCachedToken(T);
}

void ct::TemplateWatcher::see(Token &T) {
  bool IsName = BeforeThat == tok::coloncolon || BeforeThat == tok::period ||
                BeforeThat == tok::arrow;

  if (T.is(tok::kw_template)) {
    Begin = T.getLocation();
  } else if (Before == tok::kw_template && !IsName) {
    Instantiates = T.isNot(tok::less);
  } else if (Before == tok::less && BeforeThat == tok::kw_template &&
             T.is(tok::greater)) {
    SpecialisationBegin = Begin;
    SpecialisationEnd = SourceLocation();
  } else if (T.isOneOf(tok::semi, tok::l_brace)) {
    Instantiates = false;
    if (SpecialisationBegin.isValid() && SpecialisationEnd.isInvalid())
      SpecialisationEnd = T.getLocation();
  }
  if (Instantiates)
    hideSide(T);
  BeforeThat = Before;
  Before = T.getKind();
}
