/* SPDX-License-Identifier: Apache-2.0 */
/* For which sides a function is. */
#include "clang-plugin/declared.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/SemaCUDA.h"
#include "clang/Sema/TemplateDeduction.h"

using namespace clang;

/// Of the unit that is read.
static ct::Declared *Current;

enum : unsigned { Host = 1, Device = 2, Kernel = 4 };

static unsigned sidesOf(const FunctionDecl *F) {
  return (F->hasAttr<CUDAHostAttr>() ? Host : 0) |
         (F->hasAttr<CUDADeviceAttr>() ? Device : 0) |
         (F->hasAttr<CUDAGlobalAttr>() ? Kernel : 0);
}

/// Implicit attributes are those that clang does not compare between a template
/// and what is made of it.
static void setSides(FunctionDecl *F, unsigned Sides) {
  ASTContext &Context = F->getASTContext();

  F->dropAttrs<CUDAHostAttr, CUDADeviceAttr>();
  if (Sides & Host)
    F->addAttr(CUDAHostAttr::CreateImplicit(Context));
  if (Sides & Device)
    F->addAttr(CUDADeviceAttr::CreateImplicit(Context));
  if ((Sides & Kernel) && !F->hasAttr<CUDAGlobalAttr>())
    F->addAttr(CUDAGlobalAttr::CreateImplicit(Context));
}

/// Of explicit attributes nothing is lost where they stay.
static void addSides(FunctionDecl *F, unsigned Sides) {
  if ((sidesOf(F) | Sides) != sidesOf(F))
    setSides(F, sidesOf(F) | Sides);
}

static void addSidesToAll(FunctionDecl *F, unsigned Sides) {
  for (FunctionDecl *Declaration : F->redecls())
    addSides(Declaration, Sides);
  if (FunctionTemplateDecl *Template = F->getDescribedFunctionTemplate())
    for (FunctionDecl *Made : Template->specializations())
      if (!Made->isTemplateInstantiation() ||
          Made->getTemplateSpecializationKind() == TSK_ImplicitInstantiation)
        for (FunctionDecl *Declaration : Made->redecls())
          addSides(Declaration, Sides);
}

ct::Declared::Declared(Sema &S) : S(S) {
  // Of the attribute that is never taken back.
  S.getDiagnostics().setSeverity(diag::err_pragma_attribute_no_pop_eof,
                                 diag::Severity::Ignored, SourceLocation());
  Current = this;
}

ct::Declared::~Declared() { Current = nullptr; }

bool ct::Declared::isKnown(const FunctionDecl *F) const {
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  return Known.contains(F) || (Pattern && Known.contains(Pattern));
}

/// Whether a body follows the declarator of F: clang reads it next.
static bool isDefinition(Sema &S, const FunctionDecl *F) {
  const SourceManager &Sources = S.getSourceManager();
  TypeSourceInfo *Type = F->getTypeSourceInfo();
  SourceLocation At = Sources.getExpansionLoc(
      Type ? Type->getTypeLoc().getEndLoc() : F->getLocation());

  for (unsigned Words = 0; Words < 16; Words++) {
    auto Next = Lexer::findNextToken(At, Sources, S.getLangOpts());
    if (!Next || Next->isOneOf(tok::semi, tok::equal, tok::comma))
      return false;
    if (Next->isOneOf(tok::l_brace, tok::colon))
      return true;
    At = Next->getLocation();
  }
  return false;
}

void ct::Declared::seeRedeclaration(FunctionDecl *New) {
  DeclContext *In = New->getDeclContext()->getRedeclContext();
  bool IsTemplate = New->getDescribedFunctionTemplate();

  for (NamedDecl *Found : In->lookup(New->getDeclName())) {
    FunctionDecl *Old = Found->getAsFunction();
    if (!Old || Old == New || !isKnown(Old) ||
        bool(Old->getDescribedFunctionTemplate()) != IsTemplate ||
        S.IsOverload(New, Old, /*UseMemberUsingDeclRules=*/false,
                     /*ConsiderCudaAttrs=*/false))
      continue;
    unsigned Before = sidesOf(Old), Now = sidesOf(New);
    bool IsFriend = New->getFriendObjectKind() != Decl::FOK_None;
    if ((Before | Now) & Kernel) {
      if (IsFriend && IsTemplate && Before == Kernel && !Now)
        setSides(New, Kernel);
      continue; // else refused by both
    }
    if (Old->isDefined() && isDefinition(S, New))
      continue;
    unsigned Both = (Before ? Before : Host) | (Now ? Now : Host);
    if (Both != Host) {
      addSides(New, Both);
      addSidesToAll(Old, Both);
    }
  }
}

/// Whether "template <>" is before what is read.
static bool isExplicitSpecialisation(Scope *At) {
  for (; At && !At->getEntity(); At = At->getParent())
    if (At->isTemplateParamScope())
      return At->decl_empty();
  return At && At->isTemplateParamScope() && At->decl_empty();
}

void ct::Declared::seeSpecialisation(FunctionDecl *New) {
  DeclContext *In = New->getDeclContext()->getRedeclContext();
  unsigned Now = sidesOf(New);

  for (NamedDecl *Found : In->lookup(New->getDeclName())) {
    auto *Template = dyn_cast<FunctionTemplateDecl>(Found);
    if (!Template || !isKnown(Template->getTemplatedDecl()))
      continue;
    unsigned Before = sidesOf(Template->getTemplatedDecl());
    sema::TemplateDeductionInfo Info(New->getLocation());
    FunctionDecl *Made = nullptr;
    bool Fits = S.DeduceTemplateArguments(Template, nullptr, New->getType(),
                                          Made, Info) ==
                TemplateDeductionResult::Success;
    if (!Fits && Now)
      continue;
    unsigned Both = !Now      ? Before
                    : !Before ? Now | (Now & Kernel ? 0u : unsigned(Host))
                              : Now | Before;
    if ((Both & Kernel) && Both != Kernel)
      continue;
    setSides(New, Both);
    if (Fits && Made)
      for (FunctionDecl *Declaration : Made->redecls())
        setSides(Declaration, Both);
  }
}

/// clang drops a call to the other side from the code of a function that it
/// knows is emitted, as it does not of one that is inline.
void ct::Declared::lendInline(FunctionDecl *F) {
  if (sidesOf(F) != (Host | Device) || F->isInlined() || F->isDependentContext())
    return;
  if (!isDefinition(S, F))
    return;
  F->setImplicitlyInline();
  Inlined.insert(F);
}

void ct::Declared::restore(Decl *D) {
  auto *F = dyn_cast<FunctionDecl>(D);
  if (F && Inlined.erase(F))
    F->setImplicitlyInline(false);
}

void ct::Declared::see(FunctionDecl *F) {
  if (isLambdaCallOperator(F) || !F->getDeclName())
    return;
  Known.insert(F);
  if (!F->getDescribedFunctionTemplate() &&
      isExplicitSpecialisation(S.getCurScope()))
    seeSpecialisation(F);
  seeRedeclaration(F);
  if (F->getDescribedFunctionTemplate())
    setSides(F, sidesOf(F));
  else
    lendInline(F);
}

namespace {

class DeclaredAttrInfo : public ParsedAttrInfo {
public:
  DeclaredAttrInfo() {
    static constexpr Spelling Names[] = {{ParsedAttr::AS_GNU, "ct_declared"}};
    Spellings = Names;
    IsSupportedByPragmaAttribute = true;
  }

  bool diagAppertainsToDecl(Sema &, const ParsedAttr &,
                            const Decl *D) const override {
    return isa<FunctionDecl>(D);
  }
  void getPragmaAttributeMatchRules(
      SmallVectorImpl<std::pair<attr::SubjectMatchRule, bool>> &Rules,
      const LangOptions &) const override {
    Rules.push_back({attr::SubjectMatchRule_function, true});
  }
  AttrHandling handleDeclAttribute(Sema &, Decl *D,
                                   const ParsedAttr &) const override {
    if (auto *F = dyn_cast<FunctionDecl>(D); F && Current)
      Current->see(F);
    return AttributeApplied;
  }
};

} // namespace

static ParsedAttrInfoRegistry::Add<DeclaredAttrInfo>
    DeclaredRegistration("ct_declared", "functions as nvcc declares them");
