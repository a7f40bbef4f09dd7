/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of functions that others call to allocate. */
#include "clang-plugin/passed_on.h"
#include "clang-plugin/descriptor.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace {

/// Where the way to a variable begins: d of d->a[i].b, `this`, or null.
const Expr *rootOf(const Expr *E, bool &IsFollowed) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (auto *Member = dyn_cast<MemberExpr>(E)) {
      IsFollowed |= Member->isArrow();
      E = Member->getBase();
    } else if (auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
      IsFollowed |=
          Element->getBase()->IgnoreParenImpCasts()->getType()->isPointerType();
      E = Element->getBase();
    } else if (auto *Operator = dyn_cast<UnaryOperator>(E)) {
      if (Operator->getOpcode() == UO_Deref)
        IsFollowed = true;
      else if (Operator->getOpcode() != UO_AddrOf)
        return nullptr;
      E = Operator->getSubExpr();
    } else {
      return E;
    }
  }
}

/// An expression stores to this: the caller's memory, or a variable of the
/// function's own, or neither.
struct Target {
  bool IsCallers = false;
  const VarDecl *Own = nullptr;
};

/// IsAddress: the expression is the address that is stored to.
Target targetOf(const Expr *E, bool IsAddress) {
  bool IsFollowed = false;
  const Expr *Root = rootOf(E, IsFollowed);
  if (!Root)
    return {};
  if (isa<CXXThisExpr>(Root))
    return {true, nullptr};
  auto *Reference = dyn_cast<DeclRefExpr>(Root);
  auto *Variable =
      Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  if (!Variable || !Variable->hasLocalStorage())
    return {};
  // `out` itself is the address of what is the caller's.
  bool IsPlain = IsAddress && E->IgnoreParenCasts() == Root;
  if (isa<ParmVarDecl>(Variable) &&
      (IsFollowed || IsPlain || Variable->getType()->isReferenceType()))
    return {true, nullptr};
  return {false, IsFollowed ? nullptr : Variable};
}

class Mentions : public DynamicRecursiveASTVisitor {
public:
  explicit Mentions(const VarDecl *Variable) : Variable(Variable) {}
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    Found |= E->getDecl() == Variable;
    return !Found;
  }
  // The result of a call of CUDA's is its status.
  bool TraverseCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && Callee->getIdentifier() &&
        Callee->getName().starts_with("cu"))
      return true;
    return DynamicRecursiveASTVisitor::TraverseCallExpr(Call);
  }
  bool Found = false;

private:
  const VarDecl *Variable;
};

bool mentions(Expr *E, const VarDecl *Variable) {
  Mentions Visitor(Variable);
  Visitor.TraverseStmt(E);
  return Visitor.Found;
}

/// Ways out of a function for what a variable of its holds.
class WaysOut : public DynamicRecursiveASTVisitor {
public:
  explicit WaysOut(const VarDecl *Variable) : Variable(Variable) {}

  bool VisitReturnStmt(ReturnStmt *Return) override {
    Found |= Return->getRetValue() && holds(Return->getRetValue());
    return !Found;
  }
  bool VisitBinaryOperator(BinaryOperator *Operator) override {
    Found |= Operator->getOpcode() == BO_Assign && holds(Operator->getRHS()) &&
             targetOf(Operator->getLHS(), false).IsCallers;
    return !Found;
  }
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool Found = false;

private:
  /// The variable's value, not what a comparison says of it.
  bool holds(Expr *E) {
    const Expr *Plain = E->IgnoreParenCasts();
    if (auto *Operator = dyn_cast<BinaryOperator>(Plain))
      if (Operator->isComparisonOp() || Operator->isLogicalOp())
        return false;
    return mentions(E, Variable);
  }

  const VarDecl *Variable;
};

} // namespace

bool ct::isPassedOn(const Expr *Argument, const FunctionDecl *Function) {
  Target To = targetOf(Argument, true);
  if (!To.Own || To.IsCallers)
    return To.IsCallers;
  WaysOut Ways(To.Own);
  Ways.TraverseStmt(Function->getBody());
  return Ways.Found;
}
