/* SPDX-License-Identifier: Apache-2.0 */
/* Calls to the other side as nvcc takes them. */
#include "clang-plugin/sides.h"
#include "clang-plugin/declared.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

namespace ct {

class SideVisitor : public DynamicRecursiveASTVisitor {
public:
  SideVisitor(Sides &S, FunctionDecl *Caller) : S(S), Caller(Caller) {}

  bool VisitCallExpr(CallExpr *E) override {
    Called.insert(E->getCallee()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (auto *Callee = dyn_cast<FunctionDecl>(E->getDecl()))
      S.examineReference(Caller, Callee, E->getLocation(), Called.contains(E));
    else if (auto *Variable = dyn_cast<VarDecl>(E->getDecl());
             Variable && Caller && !E->isNonOdrUse())
      S.examineVariable(Caller, Variable, E->getLocation());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) override {
    if (auto *Callee = dyn_cast<FunctionDecl>(E->getMemberDecl()))
      S.examineReference(Caller, Callee, E->getMemberLoc(), true);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    S.examineReference(Caller, E->getConstructor(), E->getLocation(), true);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) override {
    if (!V->isStaticLocal() && !isa<ParmVarDecl>(V))
      destroys(V->getType(), V->getLocation());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *E) override {
    destroys(E->getType(), E->getBeginLoc());
    return true;
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *E) override {
    return !S.runsDefaults(Caller) || TraverseStmt(E->getExpr());
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *E) override {
    return !S.runsDefaults(Caller) || TraverseStmt(E->getExpr());
  }
  bool VisitRecoveryExpr(RecoveryExpr *E) override {
    S.refuse(E->getBeginLoc());
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *E) override {
    for (Expr *Init : E->capture_inits())
      TraverseStmt(Init);
    if (!E->isGenericLambda())
      SideVisitor(S, E->getCallOperator()).TraverseStmt(E->getBody());
    return true;
  }
  bool TraverseIfStmt(IfStmt *If) override {
    if (!If->isConstexpr() || If->getCond()->isValueDependent())
      return DynamicRecursiveASTVisitor::TraverseIfStmt(If);
    if (auto Taken = If->getNondiscardedCase(S.context()))
      TraverseStmt(*Taken);
    return true;
  }
  // Operands that are not evaluated are for both sides.
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &) override {
    return true;
  }
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc, bool) override { return true; }
  bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc, bool) override {
    return true;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr *) override { return true; }
  bool TraverseTypeTraitExpr(TypeTraitExpr *) override { return true; }
  bool TraverseRequiresExpr(RequiresExpr *) override { return true; }
  bool TraverseConceptSpecializationExpr(ConceptSpecializationExpr *) override {
    return true;
  }

  void destroys(QualType Type, SourceLocation Where) {
    const CXXRecordDecl *Class =
        Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (Class && Class->hasDefinition())
      if (CXXDestructorDecl *Destructor = Class->getDestructor())
        S.examineReference(Caller, Destructor, Where, true);
  }

private:
  Sides &S;
  FunctionDecl *Caller;
  llvm::SmallPtrSet<const Expr *, 8> Called;
};

/// Whether a template names functions at one place whatever its arguments are.
class FixedName : public DynamicRecursiveASTVisitor {
public:
  explicit FixedName(SourceLocation Where) : Where(Where) {}

  bool IsFound = false;

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    return look(E->getLocation(), isa<FunctionDecl>(E->getDecl()));
  }
  bool VisitMemberExpr(MemberExpr *E) override {
    return look(E->getMemberLoc(), isa<FunctionDecl>(E->getMemberDecl()));
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    return look(E->getLocation(), !E->isTypeDependent());
  }
  bool VisitVarDecl(VarDecl *V) override {
    return look(V->getLocation(), !V->getType()->isDependentType());
  }

private:
  SourceLocation Where;

  bool look(SourceLocation At, bool IsFixed) {
    IsFound |= IsFixed && At == Where;
    return !IsFound;
  }
};

/// Whether the arguments of a template that is not instantiated explicitly have
/// chosen what F calls there. nvcc looks at no such call.
static bool isChosenByArguments(const FunctionDecl *F, SourceLocation Where) {
  for (const DeclContext *In = F; In; In = In->getParent()) {
    auto *Function = dyn_cast<FunctionDecl>(In);
    if (!Function ||
        Function->getTemplateSpecializationKind() != TSK_ImplicitInstantiation)
      continue;
    auto *Method = dyn_cast<CXXMethodDecl>(Function);
    const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
    if (!Pattern || (Method && isLambdaCallOperator(Method)))
      continue;
    FixedName Names(Where);
    Names.TraverseDecl(const_cast<FunctionDecl *>(Pattern));
    return !Names.IsFound;
  }
  return false;
}

Sides::Sides(Sema &S) : S(S) {
  DiagnosticsEngine &Diagnostics = S.getDiagnostics();
  Warning = Diagnostics.getCustomDiagID(
      DiagnosticsEngine::Warning,
      "%0 is for the other side than this __host__ __device__ function is "
      "compiled for: calling it is a trap");
  Error = Diagnostics.getCustomDiagID(
      DiagnosticsEngine::Error,
      "clang has no code of this call of a function of the other side");
  Wrong = Diagnostics.getCustomDiagID(
      DiagnosticsEngine::Error, "call to __host__ function from "
                                "%select{__device__|__global__}1 function: %0");
  OfDevice = Diagnostics.getCustomDiagID(
      DiagnosticsEngine::Error,
      "reference to __device__ function %0 in __host__ function");
  OfHost = Diagnostics.getCustomDiagID(
      DiagnosticsEngine::Error, "host variable %0 is used in code for devices");
}

const ASTContext &Sides::context() const { return S.Context; }

static Stmt *emptyBody(ASTContext &Context, const FunctionDecl *F) {
  return CompoundStmt::Create(Context, {}, FPOptionsOverride(),
                              F->getBeginLoc(), F->getEndLoc());
}

void Sides::refuse(SourceLocation Where) {
  if (!S.getDiagnostics().hasErrorOccurred())
    S.getDiagnostics().Report(Where, Error);
}

/// Attributes that clang adds by itself have no place; declared.h gives them
/// one.
static bool isWritten(const CUDADeviceAttr *A) {
  return !A->isImplicit() || A->getRange().isValid();
}

void Sides::examineVariable(FunctionDecl *Caller, VarDecl *Variable,
                            SourceLocation Where) {
  auto *Attribute = Caller->getAttr<CUDADeviceAttr>();

  if (!S.getLangOpts().CUDAIsDevice || !Variable->hasGlobalStorage() ||
      Variable->isStaticLocal() || Variable->getType()->isReferenceType() ||
      S.getSourceManager().isInSystemHeader(Where) ||
      S.CUDA().IdentifyTarget(Variable) != SemaCUDA::CVT_Host)
    return;
  if (Caller->hasAttr<CUDAGlobalAttr>() || (Attribute && isWritten(Attribute)))
    S.getDiagnostics().Report(Where, OfHost) << Variable;
}

void Sides::finish() {
  for (const Call &C : Refused)
    if (S.CUDA().IdentifyTarget(C.Callee) == CUDAFunctionTarget::Host)
      S.getDiagnostics().Report(C.Where, Wrong)
          << C.Callee << C.Caller->hasAttr<CUDAGlobalAttr>();
  Refused.clear();
}

void Sides::examineReference(FunctionDecl *Caller, FunctionDecl *Callee,
                             SourceLocation Where, bool IsCalled) {
  using Target = CUDAFunctionTarget;
  bool IsDevice = S.getLangOpts().CUDAIsDevice;
  bool IsOurs = !S.getSourceManager().isInSystemHeader(Where);
  Target From = Caller ? S.CUDA().IdentifyTarget(Caller) : Target::Host;
  Target To = Lent.contains(Callee->getCanonicalDecl())
                  ? Target::Device
                  : S.CUDA().IdentifyTarget(Callee);

  if (IsDevice && examineMade(Caller, Callee))
    return;
  if (Callee->getBuiltinID() ||
      (Callee->isImplicit() && !isInitialiser(Caller)))
    return;
  if (IsDevice && To == Target::Host && Caller && isForDevicesAlone(Caller)) {
    Refused.push_back({Caller, Callee, Where});
    return;
  }
  if (To != (IsDevice ? Target::Host : Target::Device))
    return;
  bool IsRelaxed = Callee->isConstexpr() && S.getPreprocessor().isMacroDefined(
                                                "__CUDACC_RELAXED_CONSTEXPR__");
  if (!IsDevice && From == Target::Host && Caller && IsCalled && IsOurs &&
      !IsRelaxed && !isChosenByArguments(Caller, Where)) {
    S.getDiagnostics().Report(Where, OfDevice) << Callee;
    return;
  }
  if (Callee->hasAttr<AsmLabelAttr>() ||
      (From != Target::HostDevice && (IsDevice || From != Target::Host)))
    return;
  // Which side functions that a header or clang made for both are for is not
  // known.
  auto *Attribute = Caller ? Caller->getAttr<CUDADeviceAttr>() : nullptr;
  if (IsOurs && Attribute && isWritten(Attribute) && !IsRelaxed &&
      !Lent.contains(Caller->getCanonicalDecl()))
    S.getDiagnostics().Report(Where, Warning) << Callee;
  if (!IsDevice && isKept(Callee)) {
    lendToHost(Callee);
    return;
  }
  trap(Callee);
}

/// The pass makes a trap of what is named so.
void Sides::trap(FunctionDecl *Callee) {
  std::string Name =
      (OtherSide + Callee->getNameAsString() + "_" +
       llvm::Twine::utohexstr(Callee->getCanonicalDecl()->getID()))
          .str();
  for (FunctionDecl *Declared : Callee->redecls()) {
    Declared->addAttr(AsmLabelAttr::CreateImplicit(S.Context, Name));
    // clang emits the members of classes that are used, whatever they are for.
    if (!S.getLangOpts().CUDAIsDevice &&
        Declared->doesThisDeclarationHaveABody())
      Declared->setBody(emptyBody(S.Context, Declared));
  }
}

bool Sides::isMade(const FunctionDecl *Caller) const {
  return Caller && (Defaulted.contains(Caller->getCanonicalDecl()) ||
                    Emptied.contains(Caller->getCanonicalDecl()));
}

bool Sides::runsDefaults(const FunctionDecl *Caller) const {
  return isInitialiser(Caller) || isMade(Caller);
}

/// True if Callee is what code for devices reaches through functions that
/// nothing has written.
bool Sides::examineMade(FunctionDecl *Caller, FunctionDecl *Callee) {
  auto IsHosts = [&](const FunctionDecl *F) {
    return S.CUDA().IdentifyTarget(F) == CUDAFunctionTarget::Host;
  };

  if (!Caller || (IsHosts(Caller) && !isMade(Caller)))
    return false;
  if (Callee->isDefaulted())
    examineDefaulted(Callee);
  else if (isMade(Caller) && IsHosts(Callee) && !Callee->getBuiltinID())
    leaveEmpty(Callee);
  else
    return false;
  return true;
}

void Sides::examineDefaulted(FunctionDecl *Function) {
  if (!Defaulted.insert(Function->getCanonicalDecl()).second)
    return;
  if (auto *Destructor = dyn_cast<CXXDestructorDecl>(Function))
    examineMembers(Destructor);
  else if (FunctionDecl *Body = Function->getDefinition();
           Body && Body->hasBody())
    examineBody(Body);
}

/// As nvcc does. A template's body may be made later.
void Sides::leaveEmpty(FunctionDecl *Function) {
  const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
  FunctionDecl *Body = Function->getDefinition();
  bool IsNew = Emptied.insert(Function->getCanonicalDecl()).second;

  if (IsNew && !Body && !(Pattern && Pattern->isDefined())) {
    if (!Function->hasAttr<AsmLabelAttr>())
      trap(Function);
    return;
  }
  if (!Body || !Body->doesThisDeclarationHaveABody())
    return;
  Body->setBody(emptyBody(S.Context, Body));
  if (auto *Destructor = dyn_cast<CXXDestructorDecl>(Body))
    examineMembers(Destructor);
  else
    examineBody(Body);
}

bool Sides::isInitialiser(const FunctionDecl *Caller) const {
  return !Caller || Lent.contains(Caller->getCanonicalDecl());
}

/// Whether nvcc's host program has it.
bool Sides::isKept(const FunctionDecl *Callee) const {
  return Callee->isConstexpr() ||
         isa<CXXConstructorDecl, CXXDestructorDecl>(Callee);
}

void Sides::examineMembers(CXXDestructorDecl *Destructor) {
  SideVisitor Visitor(*this, Destructor);
  const CXXRecordDecl *Class = Destructor->getParent();

  for (const CXXBaseSpecifier &Base : Class->bases())
    Visitor.destroys(Base.getType(), Destructor->getLocation());
  for (const FieldDecl *Field : Class->fields())
    Visitor.destroys(Field->getType(), Destructor->getLocation());
}

/// An attribute that is lent has a place (declared.cpp).
void Sides::lendToHost(FunctionDecl *Callee) {
  FunctionDecl *Body = Callee->getDefinition();

  if (!Lent.insert(Callee->getCanonicalDecl()).second)
    return;
  for (FunctionDecl *Declared : Callee->redecls())
    Declared->addAttr(CUDAHostAttr::CreateImplicit(
        S.Context, SourceRange(Declared->getLocation())));
  if (!Body)
    return;
  if (!Body->isConstexpr() && Body->isUserProvided())
    Body->setBody(emptyBody(S.Context, Body));
  if (auto *Destructor = dyn_cast<CXXDestructorDecl>(Body))
    examineMembers(Destructor);
  if (Body->isUserProvided())
    S.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(Body));
  else
    examineBody(Body);
}

/// clang drops calls of the other side from what is instantiated explicitly.
void Sides::examineDropped(FunctionDecl *Function) {
  if (S.getLangOpts().CUDAIsDevice ||
      Function->getTemplateSpecializationKind() !=
          TSK_ExplicitInstantiationDefinition)
    return;
  for (const auto &Call : S.CUDA().LocsWithCUDACallDiags)
    if (Call.FD == CanonicalDeclPtr<const FunctionDecl>(Function))
      refuse(Call.Loc);
}

void Sides::examine(Decl *D) {
  auto *Function = dyn_cast<FunctionDecl>(D);
  auto *Variable = dyn_cast<VarDecl>(D);

  if (Variable && !S.getLangOpts().CUDAIsDevice && Variable->hasInit() &&
      Variable->hasGlobalStorage() &&
      !Variable->getDeclContext()->isDependentContext() &&
      S.CUDA().IdentifyTarget(Variable) == SemaCUDA::CVT_Host) {
    SideVisitor Visitor(*this, nullptr);
    Visitor.TraverseStmt(Variable->getInit());
    Visitor.destroys(Variable->getType(), Variable->getLocation());
  }
  if (!Function || !Function->doesThisDeclarationHaveABody() ||
      Function->isDependentContext())
    return;
  if (Emptied.contains(Function->getCanonicalDecl())) {
    leaveEmpty(Function);
    return;
  }
  examineBody(Function);
  examineDropped(Function);
}

void Sides::examineBody(FunctionDecl *Function) {
  if (auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
    for (CXXCtorInitializer *Member : Constructor->inits())
      if (Member->isWritten() || runsDefaults(Function))
        SideVisitor(*this, Function).TraverseStmt(Member->getInit());
  SideVisitor(*this, Function).TraverseStmt(Function->getBody());
}

} // namespace ct
