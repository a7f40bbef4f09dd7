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

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (auto *Callee = dyn_cast<FunctionDecl>(E->getDecl()))
      S.examineReference(Caller, Callee, E->getLocation());
    else if (auto *Variable = dyn_cast<VarDecl>(E->getDecl());
             Variable && !E->isNonOdrUse())
      S.examineVariable(Caller, Variable, E->getLocation());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) override {
    if (auto *Callee = dyn_cast<FunctionDecl>(E->getMemberDecl()))
      S.examineReference(Caller, Callee, E->getMemberLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    S.examineReference(Caller, E->getConstructor(), E->getLocation());
    return true;
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
  // What is not evaluated is for both sides.
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc, bool) override { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr *) override { return true; }
  bool TraverseTypeTraitExpr(TypeTraitExpr *) override { return true; }
  bool TraverseRequiresExpr(RequiresExpr *) override { return true; }
  bool TraverseConceptSpecializationExpr(ConceptSpecializationExpr *) override {
    return true;
  }

private:
  Sides &S;
  FunctionDecl *Caller;
};

Sides::Sides(Sema &S) : S(S) {
  DiagnosticsEngine &Diagnostics = S.getDiagnostics();
  // A warning of it is refused; nothing is not.
  Diagnostics.setSeverity(diag::err_ref_bad_target, diag::Severity::Ignored,
                          SourceLocation());
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
  OfHost = Diagnostics.getCustomDiagID(
      DiagnosticsEngine::Error, "host variable %0 is used in code for devices");
}

const ASTContext &Sides::context() const { return S.Context; }

void Sides::refuse(SourceLocation Where) {
  if (!S.getDiagnostics().hasErrorOccurred())
    S.getDiagnostics().Report(Where, Error);
}

/// What clang adds by itself has no place; declared.h gives it one.
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
                             SourceLocation Where) {
  using Target = CUDAFunctionTarget;
  bool IsDevice = S.getLangOpts().CUDAIsDevice;
  Target From = S.CUDA().IdentifyTarget(Caller);
  Target To = S.CUDA().IdentifyTarget(Callee);

  if (IsDevice && To == Target::Host && isForDevicesAlone(Caller) &&
      !Callee->getBuiltinID() && !Callee->isImplicit()) {
    Refused.push_back({Caller, Callee, Where});
    return;
  }
  if (Callee->getBuiltinID() || Callee->isImplicit() ||
      To != (IsDevice ? Target::Host : Target::Device))
    return;
  if (From != Target::HostDevice || Callee->hasAttr<AsmLabelAttr>())
    return;
  // Of functions that a header or clang made for both sides nobody knows.
  auto *Attribute = Caller->getAttr<CUDADeviceAttr>();
  if (!S.getSourceManager().isInSystemHeader(Where) && Attribute &&
      isWritten(Attribute))
    S.getDiagnostics().Report(Where, Warning) << Callee;
  std::string Name =
      (OtherSide + Callee->getNameAsString() + "_" +
       llvm::Twine::utohexstr(Callee->getCanonicalDecl()->getID()))
          .str();
  for (FunctionDecl *Declared : Callee->redecls())
    Declared->addAttr(AsmLabelAttr::CreateImplicit(S.Context, Name));
}

void Sides::examine(Decl *D) {
  auto *Function = dyn_cast<FunctionDecl>(D);

  if (!Function || !Function->doesThisDeclarationHaveABody() ||
      Function->isDependentContext())
    return;
  SideVisitor(*this, Function).TraverseStmt(Function->getBody());
}

} // namespace ct
