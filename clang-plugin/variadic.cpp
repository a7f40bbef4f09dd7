/* SPDX-License-Identifier: Apache-2.0 */
/* Objects passed for an ellipsis. */
#include "clang-plugin/variadic.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace {

class EllipsisVisitor : public DynamicRecursiveASTVisitor {
public:
  explicit EllipsisVisitor(ASTContext &Context) : Context(Context) {}

  bool VisitCallExpr(CallExpr *Call) override {
    for (unsigned I = 0; I < Call->getNumArgs(); I++) {
      if (Expr *Object = objectBehindTrap(Call->getArg(I)))
        Call->setArg(I, Object);
      if (Call->getBuiltinCallee() == Builtin::BIprintf &&
          Context.getLangOpts().CUDAIsDevice)
        if (Expr *Number = numberOf(Call->getArg(I)))
          Call->setArg(I, Number);
    }
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Call) override {
    for (unsigned I = 0; I < Call->getNumArgs(); I++)
      if (Expr *Object = objectBehindTrap(Call->getArg(I)))
        Call->setArg(I, Object);
    return true;
  }

private:
  ASTContext &Context;

  /// clang makes `(__builtin_trap(), object)` of an object, at its place.
  Expr *objectBehindTrap(Expr *Argument) {
    auto *Comma = dyn_cast<BinaryOperator>(Argument);
    if (!Comma || Comma->getOpcode() != BO_Comma ||
        !Comma->getType()->isRecordType() ||
        Comma->getOperatorLoc() != Comma->getRHS()->getBeginLoc())
      return nullptr;
    auto *Trap = dyn_cast<CallExpr>(Comma->getLHS());
    if (!Trap || Trap->getBuiltinCallee() != Builtin::BI__builtin_trap)
      return nullptr;
    return Context.getLangOpts().CUDAIsDevice ? bitsOf(Comma->getRHS())
                                              : Comma->getRHS();
  }

  /// The bits of an object that printf of devices takes for a number; clang
  /// makes no code for objects there.
  Expr *numberOf(Expr *Object) {
    QualType Type = Object->getType();
    if (!Type->isRecordType())
      return nullptr;
    QualType Number = Context.getIntTypeForBitwidth(Context.getTypeSize(Type),
                                                    /*Signed=*/false);
    if (Number.isNull() || Context.getTypeSize(Type) > 64)
      return nullptr;
    Expr *Source = bitsOf(Object);
    if (auto *Cast = dyn_cast<ImplicitCastExpr>(Source))
      Source = Cast->getSubExpr();
    if (!Source->isGLValue())
      Source = new (Context) MaterializeTemporaryExpr(Type, Source, false);
    SourceLocation At = Object->getExprLoc();
    Expr *Bits = new (Context) BuiltinBitCastExpr(
        Number, VK_PRValue, CK_LValueToRValueBitCast, Source,
        Context.getTrivialTypeSourceInfo(Number, At), At, At);
    if (!Context.isPromotableIntegerType(Number))
      return Bits;
    return ImplicitCastExpr::Create(
        Context, Context.getPromotedIntegerType(Number), CK_IntegralCast, Bits,
        nullptr, VK_PRValue, FPOptionsOverride());
  }

  /// What is copied, without the constructor that would copy it.
  Expr *bitsOf(Expr *Object) {
    auto *Copy = dyn_cast<CXXConstructExpr>(Object->IgnoreImplicit());
    if (!Copy || !Copy->getConstructor()->isCopyOrMoveConstructor() ||
        Copy->getNumArgs() < 1 || !Copy->getArg(0)->isGLValue())
      return Object;
    return ImplicitCastExpr::Create(
        Context, Object->getType().getUnqualifiedType(), CK_LValueToRValue,
        Copy->getArg(0), nullptr, VK_PRValue, FPOptionsOverride());
  }
};

} // namespace

void ct::passObjects(Decl *D) {
  EllipsisVisitor(D->getASTContext()).TraverseDecl(D);
}
