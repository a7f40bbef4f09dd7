/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of cudatrace/host.h, and expressions that call them. */
#include "clang-plugin/hooks.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

using namespace clang;

/// Headers declare some of CUDA's calls for device code as well.
static FunctionDecl *hostFunction(NamedDecl *D) {
  auto *F = dyn_cast<FunctionDecl>(D);
  bool IsHost =
      F && (F->hasAttr<CUDAHostAttr>() || !F->hasAttr<CUDADeviceAttr>());
  return IsHost && F->isExternC() ? F : nullptr;
}

FunctionDecl *ct::Hooks::find(llvm::StringRef Name) {
  auto [Entry, New] = Known.try_emplace(Name, nullptr);
  if (!New && Entry->second)
    return Entry->second;
  ASTContext &Context = S.getASTContext();
  DeclarationName Identifier(&Context.Idents.get(Name));
  for (NamedDecl *D : Context.getTranslationUnitDecl()->lookup(Identifier))
    if (auto *F = hostFunction(D))
      return Entry->second = F;
  for (auto It = S.IdResolver.begin(Identifier); It != S.IdResolver.end();
       ++It) // C
    if (auto *F = hostFunction(*It))
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

static Expr *addressOf(ASTContext &Context, FunctionDecl *F,
                       SourceLocation Where) {
  Expr *Name =
      DeclRefExpr::Create(Context, NestedNameSpecifierLoc(), SourceLocation(),
                          F, false, Where, F->getType(), VK_LValue);
  return cast(Context, Name, Context.getPointerType(F->getType()),
              CK_FunctionToPointerDecay);
}

Expr *ct::Hooks::wrap(llvm::StringRef Hook, Expr *Argument,
                      const std::string &Site, FunctionDecl *Api) {
  FunctionDecl *F = find(Hook);
  if (!F || F->getNumParams() != 3 || !Argument->isPRValue())
    return Argument;
  ASTContext &Context = S.getASTContext();
  SourceLocation Where = Argument->getBeginLoc();
  Expr *Value = convert(Context, Argument, F->getParamDecl(0)->getType());
  if (!Value)
    return Argument;

  for (FunctionDecl *Used : {F, Api}) {
    Used->setReferenced();
    Used->markUsed(Context);
  }
  Expr *Arguments[] = {Value, stringConstant(Context, Site, Where),
                       cast(Context, addressOf(Context, Api, Where),
                            F->getParamDecl(2)->getType(), CK_BitCast)};
  Expr *Call = CallExpr::Create(Context, addressOf(Context, F, Where),
                                Arguments, F->getCallResultType(), VK_PRValue,
                                Argument->getEndLoc(), FPOptionsOverride());
  if (Expr *Result = convert(Context, Call, Argument->getType()))
    return Result;
  return Argument;
}
