/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for devices that host code names. */
#include "clang-plugin/host_bodies.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/SemaCUDA.h"
#include "clang/Sema/TemplateInstCallback.h"

using namespace clang;

/// The bodies of the unit that is read; null for devices.
static ct::HostBodies *OfUnit;

namespace {

class BodiesMade : public TemplateInstantiationCallback {
public:
  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}
  void atTemplateBegin(const Sema &,
                       const Sema::CodeSynthesisContext &Context) override {
    if (OfUnit)
      OfUnit->begin(Context);
  }
  void atTemplateEnd(const Sema &,
                     const Sema::CodeSynthesisContext &) override {
    if (OfUnit)
      OfUnit->end();
  }
};

} // namespace

ct::HostBodies::HostBodies(Sema &S)
    : S(S), ForDevices(CUDADeviceAttr::CreateImplicit(S.Context)),
      ForHost(CUDAHostAttr::CreateImplicit(S.Context)) {
  S.TemplateInstCallbacks.push_back(std::make_unique<BodiesMade>());
  // Or one for devices that fits better comes before one for both sides.
  const_cast<LangOptions &>(S.getLangOpts()).GPUExcludeWrongSideOverloads = 1;
  OfUnit = this;
}

ct::HostBodies::~HostBodies() { OfUnit = nullptr; }

bool ct::HostBodies::isLent(const Attr *A) {
  return OfUnit && A && (A == OfUnit->ForDevices || A == OfUnit->ForHost);
}

bool ct::HostBodies::lend(FunctionDecl *F) {
  if (F->isImplicit() || F->hasAttr<CUDADeviceAttr>() ||
      F->hasAttr<CUDAGlobalAttr>() || F->hasAttr<CUDAInvalidTargetAttr>())
    return false;
  F->addAttr(ForDevices);
  if (!F->hasAttr<CUDAHostAttr>())
    F->addAttr(ForHost);
  return true;
}

void ct::HostBodies::takeBack(FunctionDecl *F) {
  if (isLent(F->getAttr<CUDADeviceAttr>()))
    F->dropAttr<CUDADeviceAttr>();
  if (isLent(F->getAttr<CUDAHostAttr>()))
    F->dropAttr<CUDAHostAttr>();
}

static bool isWithin(const DeclContext *Context, const DeclContext *Outer) {
  while (Context && Context != Outer)
    Context = Context->getParent();
  return Context;
}

/// clang knows of a function with a body that is emitted whether it is, and
/// drops calls of the other side from it.
void ct::HostBodies::follow() {
  for (FunctionDecl *F : InClasses)
    takeBack(F);
  InClasses.clear();
  if (S.CurContext == Context)
    return;
  Context = S.CurContext;
  if (Reading && !isWithin(Context, Reading)) {
    takeBack(Reading);
    Reading = nullptr;
  }
  auto *F = dyn_cast<FunctionDecl>(S.CurContext);
  if (!F || !lend(F) || Reading)
    return;
  Reading = F;
  if (!F->isDependentContext())
    F->setWillHaveBody(false);
}

/// Initialisers of variables that functions do not have are for a side as well.
void ct::HostBodies::openInitialiser() {
  auto &Initialises = S.CUDA().CurCUDATargetCtx;
  bool IsHere = Initialises.Kind == SemaCUDA::CTCK_InitGlobalVar;

  if (Initialised && (!IsHere || Initialises.D != Initialised)) {
    makeValid(Initialised);
    Initialised = nullptr;
  }
  if (IsHere && Initialises.Target == CUDAFunctionTarget::Host)
    Initialises.Target = CUDAFunctionTarget::HostDevice;
  if (IsHere)
    Initialised = dyn_cast_or_null<VarDecl>(Initialises.D);
}

/// clang takes a variable back whose initialiser is a call of a function for
/// devices, and without its error that would go unnoticed.
void ct::HostBodies::makeValid(VarDecl *Variable) {
  if (Variable->isInvalidDecl() && Variable->hasInit() &&
      Variable->hasGlobalStorage() && !S.getDiagnostics().hasErrorOccurred())
    Variable->setInvalidDecl(false);
}

void ct::HostBodies::seeToken() {
  if (!OfUnit)
    return;
  OfUnit->openInitialiser();
  if (OfUnit->S.CurContext != OfUnit->Context || !OfUnit->InClasses.empty())
    OfUnit->follow();
}

void ct::HostBodies::seeDeclaration(const FunctionDecl *F) {
  if (!OfUnit || !OfUnit->Reading ||
      OfUnit->Reading->getDeclName() != F->getDeclName())
    return;
  OfUnit->takeBack(OfUnit->Reading);
}

void ct::HostBodies::restore(Decl *D) {
  if (auto *F = dyn_cast<FunctionDecl>(D))
    takeBack(F);
  if (auto *Variable = dyn_cast<VarDecl>(D))
    makeValid(Variable);
}

void ct::HostBodies::lendMembers(const CXXRecordDecl *Class) {
  for (Decl *Member : Class->decls()) {
    if (auto *Friend = dyn_cast<FriendDecl>(Member))
      Member = Friend->getFriendDecl();
    if (auto *Template = dyn_cast_or_null<TemplateDecl>(Member))
      Member = Template->getTemplatedDecl();
    auto *F = dyn_cast_or_null<FunctionDecl>(Member);
    auto *Nested = dyn_cast_or_null<CXXRecordDecl>(Member);
    if (F && F->willHaveBody() && F->getLexicalDeclContext() == Class &&
        lend(F))
      InClasses.push_back(F);
    if (Nested && Nested->getLexicalDeclContext() == Class)
      lendMembers(Nested);
  }
}

void ct::HostBodies::seeClass(const TagDecl *D) {
  auto *Class = dyn_cast<CXXRecordDecl>(D);

  // Those within another are read with it; those of templates are not read.
  if (Class && !Class->isLambda() && S.CodeSynthesisContexts.empty() &&
      !isa<CXXRecordDecl>(Class->getLexicalDeclContext()))
    lendMembers(Class);
}

/// Parameters of function templates are substituted within the template, and
/// requirements are asked within what is made of it.
void ct::HostBodies::begin(const Sema::CodeSynthesisContext &Context) {
  auto *Template = dyn_cast_or_null<FunctionTemplateDecl>(Context.Entity);
  auto *F = dyn_cast_or_null<FunctionDecl>(Context.Entity);
  FunctionDecl *Around = S.getCurFunctionDecl(/*AllowLambda=*/true);

  openInitialiser();
  if (Template) {
    F = Template->getTemplatedDecl();
  } else if (F && &Context == &S.CodeSynthesisContexts.back()) {
    // The arguments fit, and a declaration is made, which has what the template
    // has; a body has a context of its own.
    if (const FunctionTemplateDecl *Pattern = F->getPrimaryTemplate())
      takeBack(Pattern->getTemplatedDecl());
    F = Around = nullptr;
  }
  Made.push_back(
      {F && lend(F) ? F : nullptr, Around && lend(Around) ? Around : nullptr});
}

void ct::HostBodies::end() {
  if (Made.empty())
    return;
  auto [Within, Around] = Made.pop_back_val();
  for (FunctionDecl *F : {Within, Around})
    if (F)
      takeBack(F);
}
