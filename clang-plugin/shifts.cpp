/* SPDX-License-Identifier: Apache-2.0 */
/* Shifts of constants by more than their width. */
#include "clang-plugin/shifts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace {

class ShiftVisitor : public DynamicRecursiveASTVisitor {
public:
  explicit ShiftVisitor(ASTContext &Context) : Context(Context) {}

  /// Those in which a shift is have their values anew.
  void finish() const {
    for (VarDecl *Variable : Variables)
      if (EvaluatedStmt *Known = Variable->getEvaluatedStmt();
          Known && Changed) {
        Known->WasEvaluated = false;
        Known->Evaluated = APValue();
      }
  }

  bool VisitVarDecl(VarDecl *Variable) override {
    if (Variable->hasInit())
      Variables.push_back(Variable);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Shift) override {
    Expr::EvalResult Value, Amount;
    if (!Shift->isShiftOp() || Shift->isInstantiationDependent() ||
        Shift->containsErrors() || !Shift->getType()->isIntegerType() ||
        !Shift->getRHS()->EvaluateAsInt(Amount, Context))
      return true;
    unsigned Bits = Context.getIntWidth(Shift->getType());
    const llvm::APSInt &By = Amount.Val.getInt();
    if (By.isNegative() || By.getLimitedValue(Bits) < Bits ||
        !Shift->getLHS()->EvaluateAsInt(Value, Context))
      return true;
    bool IsMinusOne =
        Shift->getOpcode() == BO_Shr && Value.Val.getInt().isNegative();
    Shift->setLHS(literal(IsMinusOne ? llvm::APInt::getAllOnes(Bits)
                                     : llvm::APInt::getZero(Bits),
                          Shift));
    Shift->setRHS(literal(llvm::APInt::getZero(Bits), Shift));
    return Changed = true;
  }

private:
  ASTContext &Context;
  llvm::SmallVector<VarDecl *> Variables;
  bool Changed = false;

  Expr *literal(const llvm::APInt &Value, const Expr *Of) {
    return IntegerLiteral::Create(
        Context, Value, Of->getType().getUnqualifiedType(), Of->getExprLoc());
  }
};

} // namespace

void ct::foldWideShifts(Decl *D) {
  ShiftVisitor Visitor(D->getASTContext());
  Visitor.TraverseDecl(D);
  Visitor.finish();
}
