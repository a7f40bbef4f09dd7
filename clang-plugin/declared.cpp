/* SPDX-License-Identifier: Apache-2.0 */
/* For which sides a function is. */
#include "clang-plugin/declared.h"
#include "clang-plugin/host_bodies.h"
#include "clang-plugin/member_templates.h"
#include "clang-plugin/moves.h"
#include "clang-plugin/templates.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/SemaCUDA.h"
#include "clang/Sema/TemplateDeduction.h"
#include "clang/Sema/TemplateInstCallback.h"

using namespace clang;

/// The declarations of the unit that is read.
static ct::Declared *Current;

static const unsigned Host = 1, Device = 2, Kernel = 4;

/// An attribute that is lent to the host has a place; one that was implicit
/// before has none.
static bool isLent(const CUDAHostAttr *A) {
  return A && ((A->isImplicit() && A->getRange().isValid()) ||
               ct::HostBodies::isLent(A));
}

static unsigned sidesOf(const FunctionDecl *F) {
  auto *OfHost = F->getAttr<CUDAHostAttr>();
  auto *OfDevice = F->getAttr<CUDADeviceAttr>();
  return (OfHost && !isLent(OfHost) ? Host : 0) |
         (OfDevice && !ct::HostBodies::isLent(OfDevice) ? Device : 0) |
         (F->hasAttr<CUDAGlobalAttr>() ? Kernel : 0);
}

bool ct::isForDevicesAlone(const FunctionDecl *F) {
  unsigned Sides = sidesOf(F);
  return Sides == Device || (Sides & Kernel);
}

/// Host code that is read for the device, and of which nothing is emitted, may
/// name what is there instead of the host's. All declarations of a function are
/// lent the host, or clang takes them for overloads.
static void lendHost(FunctionDecl *F) {
  if (F->getASTContext().getLangOpts().CUDAIsDevice && sidesOf(F) == Device &&
      !F->hasAttr<CUDAHostAttr>())
    F->addAttr(CUDAHostAttr::CreateImplicit(F->getASTContext(),
                                            SourceRange(F->getLocation())));
}

/// Implicit attributes are those that clang does not compare between a template
/// and what is made of it.
static void setSides(FunctionDecl *F, unsigned Sides) {
  ASTContext &Context = F->getASTContext();

  F->dropAttrs<CUDAHostAttr, CUDADeviceAttr>();
  if (Sides & Host)
    F->addAttr(CUDAHostAttr::CreateImplicit(Context));
  if (Sides & Device)
    F->addAttr(CUDADeviceAttr::CreateImplicit(Context, F->getLocation()));
  if ((Sides & Kernel) && !F->hasAttr<CUDAGlobalAttr>())
    F->addAttr(CUDAGlobalAttr::CreateImplicit(Context));
  lendHost(F);
}

/// Explicit attributes lose nothing where they stay.
static void addSides(FunctionDecl *F, unsigned Sides) {
  if ((sidesOf(F) | Sides) != sidesOf(F))
    setSides(F, sidesOf(F) | Sides);
}

void ct::Declared::addSidesToAll(FunctionDecl *F, unsigned Sides) {
  unsigned Here = S.getLangOpts().CUDAIsDevice ? Device : Host;
  unsigned Before = sidesOf(F);
  bool IsNew = (Sides & Here) && !((Before ? Before : Host) & Here);

  for (FunctionDecl *Declaration : F->redecls())
    addSides(Declaration, Sides);
  // Code was made of a body for the other side alone.
  if (FunctionDecl *Body = F->getDefinition();
      IsNew && Body && !F->isDependentContext())
    S.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(Body));
  if (FunctionTemplateDecl *Template = F->getDescribedFunctionTemplate())
    for (FunctionDecl *Made : Template->specializations())
      if (!Made->isTemplateInstantiation() ||
          Made->getTemplateSpecializationKind() == TSK_ImplicitInstantiation)
        for (FunctionDecl *Declaration : Made->redecls())
          addSides(Declaration, Sides);
}

namespace {

class Instantiations : public TemplateInstantiationCallback {
public:
  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}
  void atTemplateBegin(const Sema &,
                       const Sema::CodeSynthesisContext &Context) override {
    if (Current)
      Current->begin(Context.Entity);
  }
  void atTemplateEnd(const Sema &,
                     const Sema::CodeSynthesisContext &) override {
    if (Current)
      Current->end();
  }
};

} // namespace

ct::Declared::Declared(Sema &S, bool CrossesSides)
    : S(S), CrossesSides(CrossesSides) {
  S.TemplateInstCallbacks.push_back(std::make_unique<Instantiations>());
  Current = this;
}

ct::Declared::~Declared() { Current = nullptr; }

bool ct::Declared::isKnown(const FunctionDecl *F) const {
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  if (const FunctionTemplateDecl *Member = F->getDescribedFunctionTemplate())
    while ((Member = Member->getInstantiatedFromMemberTemplate()))
      Pattern = Member->getTemplatedDecl();
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
    if ((Before | Now) & Kernel)
      continue; // refused by nvcc as well
    if (Old->isDefined() && isDefinition(S, New))
      continue;
    unsigned Both = (Before ? Before : Host) | (Now ? Now : Host);
    if (Both != Host) {
      addSides(New, Both);
      addSidesToAll(Old, Both);
    }
  }
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
    bool Fits =
        S.DeduceTemplateArguments(Template, nullptr, New->getType(), Made,
                                  Info) == TemplateDeductionResult::Success;
    if (!Fits) { // its arguments are written
      setSides(New, Now ? Now : Before);
      continue;
    }
    unsigned Both = !Now      ? Before
                    : !Before ? Now | (Now & Kernel ? 0u : unsigned(Host))
                              : Now | Before;
    if ((Both & Kernel) && Both != Kernel)
      continue;
    setSides(New, Both);
    if (Made)
      for (FunctionDecl *Declaration : Made->redecls())
        setSides(Declaration, Both);
  }
}

/// A friend in a template is compared with others when the class is made.
void ct::Declared::seeInstantiation(const CXXRecordDecl *Pattern) {
  for (const FriendDecl *Friend : Pattern->friends()) {
    NamedDecl *Named = Friend->getFriendDecl();
    FunctionDecl *F = Named ? Named->getAsFunction() : nullptr;
    if (!F || sidesOf(F) || F->isDefined())
      continue;
    if (S.getSourceManager().isInSystemHeader(F->getLocation()))
      continue;
    std::optional<unsigned> Sides;
    bool Agree = true;
    DeclContext *In = F->getDeclContext()->getRedeclContext();
    for (NamedDecl *Found : In->lookup(F->getDeclName())) {
      FunctionDecl *Other = Found->getAsFunction();
      if (!Other || Other->getNumParams() != F->getNumParams())
        continue;
      Agree = Agree && isKnown(Other) &&
              sidesOf(Other) == Sides.value_or(sidesOf(Other));
      Sides = sidesOf(Other);
    }
    if (Sides && *Sides && Agree)
      setSides(F, *Sides);
  }
}

/// clang drops a call to the other side from the code of a function that it
/// knows is emitted, as it does not of one that is inline.
void ct::Declared::lendInline(FunctionDecl *F) {
  if (sidesOf(F) != (Host | Device) || F->isInlined() ||
      F->isDependentContext())
    return;
  if (!isDefinition(S, F))
    return;
  F->setImplicitlyInline();
  Inlined.insert(F);
}

/// Whether D may be ready while the body of a function is read.
static bool isWithinBody(const Decl *D) {
  auto *F = dyn_cast<FunctionDecl>(D);
  auto *V = dyn_cast<VarDecl>(D);
  return (F && isTemplateInstantiation(F->getTemplateSpecializationKind())) ||
         (V && isTemplateInstantiation(V->getTemplateSpecializationKind())) ||
         D->getParentFunctionOrMethod();
}

void ct::Declared::restore(Decl *D) {
  auto *F = dyn_cast<FunctionDecl>(D);
  if (!isWithinBody(D))
    lenient(false);
  if (F && Inlined.erase(F))
    F->setImplicitlyInline(false);
}

void ct::Declared::see(FunctionDecl *F) {
  if (isLambdaCallOperator(F) || !F->getDeclName())
    return;
  Known.insert(F);
  MemberNames::see(F);
  HostBodies::seeDeclaration(F);
  preferAgain(F);
  if (!F->getDescribedFunctionTemplate() &&
      TemplateWatcher::isSpecialisation(F->getLocation(), S.getSourceManager()))
    seeSpecialisation(F);
  seeRedeclaration(F);
  if (F->getDescribedFunctionTemplate())
    setSides(F, sidesOf(F));
  else
    lendInline(F);
  lendHost(F);
  noteContext(F);
}

/// clang's only way to have a call of the host's functions pass in code for
/// devices, as in operands that are not evaluated. Those that are evaluated are
/// refused when all is read (sides.h).
void ct::Declared::lenient(bool Is) {
  const_cast<LangOptions &>(S.getLangOpts()).HIPStdPar = Is && CrossesSides;
}

/// From the declarator of F on its body is read, or that of a class with it.
void ct::Declared::noteContext(FunctionDecl *F) {
  auto *Class = dyn_cast<CXXRecordDecl>(F->getLexicalDeclContext());

  if (Class != LastClass)
    ClassIsMixed = false;
  LastClass = Class;
  if (Class && sidesOf(F) == (Host | Device))
    ClassIsMixed = true;
  if (Class && !sidesOf(F))
    return;
  lenient(isForDevicesAlone(F) && !ClassIsMixed);
}

void ct::Declared::begin(const Decl *Entity) {
  const FunctionDecl *F = Entity ? Entity->getAsFunction() : nullptr;

  Outer.push_back(S.getLangOpts().HIPStdPar);
  if (F)
    lenient(isForDevicesAlone(F));
  // Only named in operands that are not evaluated: those of traits.
  auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
  if (Method && Method->isStatic() && Method->getDescribedFunctionTemplate() &&
      !Method->isDefined() && !sidesOf(Method) && !Method->isConstexpr())
    setSides(const_cast<FunctionDecl *>(F), Host | Device);
  if (auto *Made = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Entity))
    if (const CXXRecordDecl *Pattern = Made->getTemplateInstantiationPattern())
      seeInstantiation(Pattern);
}

void ct::Declared::end() {
  if (!Outer.empty())
    lenient(Outer.pop_back_val());
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
