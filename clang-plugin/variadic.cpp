/* SPDX-License-Identifier: Apache-2.0 */
/* Objects passed for an ellipsis. */
#include "clang-plugin/variadic.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace {

class EllipsisVisitor : public DynamicRecursiveASTVisitor {
public:
  explicit EllipsisVisitor(ASTContext &Context) : Context(Context) {}

  bool VisitCallExpr(CallExpr *Call) override {
    for (unsigned I = 0; I < Call->getNumArgs(); I++)
      if (Expr *Object = objectBehindTrap(Call->getArg(I)))
        Call->setArg(I, Object);
    if (Call->getBuiltinCallee() == Builtin::BIprintf &&
        Context.getLangOpts().CUDAIsDevice &&
        llvm::any_of(Call->arguments(), isObject))
      pack(Call);
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

  static bool isObject(const Expr *Argument) {
    return Argument->getType()->isRecordType();
  }

  /// printf of devices takes one structure with all arguments after the format,
  /// each where a structure of C has it. clang makes that of scalars alone.
  void pack(CallExpr *Call) {
    SourceLocation At = Call->getExprLoc();
    auto *Packed = CXXRecordDecl::Create(Context, TagTypeKind::Struct,
                                         Context.getTranslationUnitDecl(), At,
                                         At, &Context.Idents.get("ct_printed"));
    SmallVector<Expr *, 8> Values;
    int64_t Bytes = 0;
    Packed->startDefinition();
    for (Expr *Argument : llvm::drop_begin(Call->arguments())) {
      QualType Type = Argument->getType().getUnqualifiedType();
      int64_t Alignment = Context.getTypeAlignInChars(Type).getQuantity();
      fill(Packed, Values, Bytes, Alignment);
      if (isObject(Argument))
        Argument = bytesOf(Argument, At);
      // printf reads numbers where the whole is at their alignment.
      addField(Packed, Argument->getType(),
               std::max(Alignment, Values.empty() ? INT64_C(8) : 1));
      Values.push_back(Argument);
      Bytes += Context.getTypeSizeInChars(Type).getQuantity();
    }
    fill(Packed, Values, Bytes, 8);
    Packed->completeDefinition();

    auto *List = new (Context) InitListExpr(Context, At, Values, At);
    QualType Type = Context.getTypeDeclType(cast<TypeDecl>(Packed));
    List->setType(Type);
    Expr *Held = new (Context)
        MaterializeTemporaryExpr(Type, List, /*BoundToLvalueReference=*/true);
    Call->setArg(1, UnaryOperator::Create(Context, Held, UO_AddrOf,
                                          Context.getPointerType(Type),
                                          VK_PRValue, OK_Ordinary, At, false,
                                          FPOptionsOverride()));
    Call->shrinkNumArgs(2);
    Call->setCallee(packedPrintf(At));
  }

  /// Zeros up to Alignment: printf may read more bytes than an object has.
  void fill(CXXRecordDecl *Packed, SmallVectorImpl<Expr *> &Values,
            int64_t &Bytes, int64_t Alignment) {
    int64_t Gap = llvm::alignTo(Bytes, Alignment) - Bytes;
    if (!Gap)
      return;
    addField(Packed, bytes(Gap), 1);
    Values.push_back(new (Context) ImplicitValueInitExpr(bytes(Gap)));
    Bytes += Gap;
  }

  QualType bytes(int64_t Count) {
    return Context.getConstantArrayType(Context.CharTy, llvm::APInt(64, Count),
                                        nullptr, ArraySizeModifier::Normal, 0);
  }

  void addField(CXXRecordDecl *Packed, QualType Type, int64_t Alignment) {
    SourceLocation At = Packed->getLocation();
    auto *Field = FieldDecl::Create(Context, Packed, At, At, nullptr,
                                    Type.getUnqualifiedType(), nullptr, nullptr,
                                    /*Mutable=*/false, ICIS_NoInit);
    Field->setAccess(AS_public);
    Field->addAttr(AlignedAttr::CreateImplicit(
        Context, /*IsAlignmentExpr=*/true,
        IntegerLiteral::Create(Context, llvm::APInt(32, Alignment),
                               Context.IntTy, At)));
    Packed->addDecl(Field);
  }

  /// The bytes of an object, which is not destroyed.
  Expr *bytesOf(Expr *Object, SourceLocation At) {
    QualType Bytes =
        bytes(Context.getTypeSizeInChars(Object->getType()).getQuantity());
    Expr *Source = bitsOf(Object);
    if (auto *Cast = dyn_cast<ImplicitCastExpr>(Source))
      Source = Cast->getSubExpr();
    if (!Source->isGLValue())
      Source = new (Context)
          MaterializeTemporaryExpr(Object->getType(), Source, false);
    return new (Context)
        BuiltinBitCastExpr(Bytes, VK_PRValue, CK_LValueToRValueBitCast, Source,
                           Context.getTrivialTypeSourceInfo(Bytes, At), At, At);
  }

  /// int vprintf(const char *format, void *arguments)
  Expr *packedPrintf(SourceLocation At) {
    DeclContext *Unit = Context.getTranslationUnitDecl();
    QualType Of[] = {Context.getPointerType(Context.CharTy.withConst()),
                     Context.VoidPtrTy};
    QualType Type = Context.getFunctionType(Context.IntTy, Of,
                                            FunctionProtoType::ExtProtoInfo());
    auto *Function = FunctionDecl::Create(
        Context, Unit, At, At, &Context.Idents.get("vprintf"), Type,
        Context.getTrivialTypeSourceInfo(Type, At), SC_Extern);
    ParmVarDecl *Parameters[2];
    for (unsigned I = 0; I < 2; I++)
      Parameters[I] = ParmVarDecl::Create(Context, Function, At, At, nullptr,
                                          Of[I], nullptr, SC_None, nullptr);
    Function->setParams(Parameters);
    Function->addAttr(CUDADeviceAttr::CreateImplicit(Context));
    Function->addAttr(AsmLabelAttr::CreateImplicit(Context, "vprintf"));
    Expr *Name = DeclRefExpr::Create(
        Context, NestedNameSpecifierLoc(), SourceLocation(), Function,
        /*RefersToEnclosingVariableOrCapture=*/false, At, Type, VK_LValue);
    return ImplicitCastExpr::Create(Context, Context.getPointerType(Type),
                                    CK_FunctionToPointerDecay, Name, nullptr,
                                    VK_PRValue, FPOptionsOverride());
  }

  /// Returns what is copied, without the constructor that would copy it.
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
