/* SPDX-License-Identifier: Apache-2.0 */
/* Calls to the other side as nvcc takes them. */
#include "clang-plugin/sides.h"
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
  /// Its body is a function of its own.
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }

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
      "a __host__ __device__ function that is always emitted calls one that is "
      "for the other side: make it inline or static");
}

void Sides::refuse(SourceLocation Where) {
  if (!S.getDiagnostics().hasErrorOccurred())
    S.getDiagnostics().Report(Where, Error);
}

void Sides::examineReference(FunctionDecl *Caller, FunctionDecl *Callee,
                             SourceLocation Where) {
  using Target = CUDAFunctionTarget;
  bool IsDevice = S.getLangOpts().CUDAIsDevice;
  Target From = S.CUDA().IdentifyTarget(Caller);
  Target To = S.CUDA().IdentifyTarget(Callee);

  if (Callee->getBuiltinID() || Callee->isImplicit() ||
      To != (IsDevice ? Target::Host : Target::Device))
    return;
  if (From != Target::HostDevice || Callee->hasAttr<AsmLabelAttr>())
    return;
  // Of functions that a header or clang made for both sides nobody knows.
  auto *Attribute = Caller->getAttr<CUDAHostAttr>();
  if (!S.getSourceManager().isInSystemHeader(Where) && Attribute &&
      !Attribute->isImplicit())
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
