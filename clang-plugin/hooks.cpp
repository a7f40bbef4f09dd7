/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of cudatrace/host.h, and expressions that call them. */
#include "clang-plugin/hooks.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

FunctionDecl *ct::Hooks::find(llvm::StringRef Name) {
  auto [Entry, New] = Known.try_emplace(Name, nullptr);
  if (!New && Entry->second)
    return Entry->second;
  ASTContext &Context = S.getASTContext();
  DeclarationName Identifier(&Context.Idents.get(Name));
  for (NamedDecl *D : Context.getTranslationUnitDecl()->lookup(Identifier))
    if (auto *F = dyn_cast<FunctionDecl>(D))
      return Entry->second = F;
  for (auto It = S.IdResolver.begin(Identifier); It != S.IdResolver.end();
       ++It) // C
    if (auto *F = dyn_cast<FunctionDecl>(*It))
      return Entry->second = F;
  return nullptr;
}

static Expr *cast(ASTContext &Context, Expr *E, QualType Type, CastKind Kind) {
  return ImplicitCastExpr::Create(Context, Type, Kind, E, nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

/// E as a value of Type, null if that would take more than a pointer cast.
static Expr *convert(ASTContext &Context, Expr *E, QualType Type) {
  if (Context.hasSameUnqualifiedType(E->getType(), Type))
    return E;
  if (E->getType()->isPointerType() && Type->isPointerType())
    return cast(Context, E, Type, CK_BitCast);
  return nullptr;
}

static Expr *stringConstant(ASTContext &Context, const std::string &Text,
                            SourceLocation Where) {
  QualType Type =
      Context.getStringLiteralArrayType(Context.CharTy, Text.size());
  Expr *Literal = StringLiteral::Create(
      Context, Text, StringLiteralKind::Ordinary, false, Type, Where);
  return cast(Context, Literal,
              Context.getPointerType(Context.CharTy.withConst()),
              CK_ArrayToPointerDecay);
}

Expr *ct::Hooks::wrap(llvm::StringRef Hook, Expr *Argument,
                      const std::string &Site) {
  FunctionDecl *F = find(Hook);
  if (!F || F->getNumParams() != 2 || !Argument->isPRValue())
    return Argument;
  ASTContext &Context = S.getASTContext();
  SourceLocation Where = Argument->getBeginLoc();
  Expr *Value = convert(Context, Argument, F->getParamDecl(0)->getType());
  if (!Value)
    return Argument;

  F->setReferenced();
  F->markUsed(Context);
  Expr *Callee =
      DeclRefExpr::Create(Context, NestedNameSpecifierLoc(), SourceLocation(),
                          F, false, Where, F->getType(), VK_LValue);
  Callee = cast(Context, Callee, Context.getPointerType(F->getType()),
                CK_FunctionToPointerDecay);
  Expr *Arguments[] = {Value, stringConstant(Context, Site, Where)};
  Expr *Call =
      CallExpr::Create(Context, Callee, Arguments, F->getCallResultType(),
                       VK_PRValue, Argument->getEndLoc(), FPOptionsOverride());
  if (Expr *Result = convert(Context, Call, Argument->getType()))
    return Result;
  return Argument;
}
