/* SPDX-License-Identifier: Apache-2.0 */
/* Launch and allocation sites in host code. */
#include "clang-plugin/call_sites.h"
#include "clang-plugin/descriptor.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace {

/// API calls that launch: where the kernel and the stream stand.
struct LaunchApi {
  llvm::StringLiteral Name;
  unsigned Function;
  int Stream; // -1: within a configuration
};
const LaunchApi Launches[] = {
    {"cudaLaunchKernel", 0, 5},
    {"cudaLaunchCooperativeKernel", 0, 5},
    {"cudaLaunchKernelEx", 1, -1},
    {"cudaLaunchKernelExC", 1, -1},
};

/// API calls that allocate: where the size stands.
struct AllocationApi {
  llvm::StringLiteral Name;
  unsigned Size;
};
const AllocationApi Allocations[] = {
    {"cudaMalloc", 1},
    {"cudaMallocManaged", 1},
    {"cudaMallocHost", 1},
    {"cudaHostAlloc", 1},
    {"cudaMallocAsync", 1},
    {"cudaMallocPitch", 2},
    {"cudaMallocFromPoolAsync", 1},
};

} // namespace

namespace ct {

class CallVisitor : public DynamicRecursiveASTVisitor {
public:
  CallVisitor(CallSites &Sites, const NamedDecl *Within)
      : Sites(Sites), Within(Within) {
    ShouldVisitTemplateInstantiations = false;
    ShouldVisitImplicitCode = false;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Call) override {
    if (Sites.isOurs(Call) && Call->getConfig())
      Sites.augmentKernelCall(Call, Call->getConfig(), Within);
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) override {
    if (!isa<CUDAKernelCallExpr>(Call) && Call->getDirectCallee() &&
        Sites.isOurs(Call))
      Sites.augmentApiCall(Call, Within);
    return true;
  }

private:
  CallSites &Sites;
  const NamedDecl *Within;
};

} // namespace ct

bool ct::CallSites::isOurs(const CallExpr *Call) {
  const SourceManager &SM = S.getSourceManager();
  return !Call->isTypeDependent() && !Call->isValueDependent() &&
         !Call->isInstantiationDependent() && !Call->containsErrors() &&
         !SM.isInSystemHeader(SM.getFileLoc(Call->getBeginLoc())) &&
         !Done.contains(Call);
}

void ct::CallSites::augmentKernelCall(CallExpr *Call, CallExpr *Config,
                                      const NamedDecl *Within) {
  const unsigned Stream = 3;
  if (Config->getNumArgs() <= Stream || !Done.insert(Call).second)
    return;
  Descriptor Site(S.getASTContext(), "L");
  Site.addPosition(Call->getBeginLoc())
      .addName(Within)
      .addExpression(Call->getCallee());
  for (const Expr *Argument : Call->arguments())
    Site.addExpression(Argument);
  Config->setArg(
      Stream, H.wrap("__ct_launch_site", Config->getArg(Stream), Site.str()));
}

void ct::CallSites::augmentLaunchApi(CallExpr *Call, const NamedDecl *Within,
                                     unsigned Function, int Stream) {
  unsigned Wrapped = Stream < 0 ? Function : Stream;
  if (Call->getNumArgs() <= Wrapped || !Done.insert(Call).second)
    return;
  Descriptor Site(S.getASTContext(), "L");
  Site.addPosition(Call->getBeginLoc())
      .addName(Within)
      .addExpression(allocatedVariable(Call->getArg(Function)));
  llvm::StringRef Hook =
      Stream < 0 ? "__ct_launch_site_function" : "__ct_launch_site";
  Call->setArg(Wrapped, H.wrap(Hook, Call->getArg(Wrapped), Site.str()));
}

void ct::CallSites::augmentAllocation(CallExpr *Call, const NamedDecl *Within,
                                      unsigned Size) {
  if (Call->getNumArgs() <= Size || !Done.insert(Call).second)
    return;
  Descriptor Site(S.getASTContext(), "A");
  Site.addPosition(Call->getBeginLoc())
      .addName(Within)
      .addExpression(allocatedVariable(Call->getArg(0)))
      .addExpression(Call->getArg(Size));
  Call->setArg(Size, H.wrap("__ct_alloc_site", Call->getArg(Size), Site.str()));
}

void ct::CallSites::augmentApiCall(CallExpr *Call, const NamedDecl *Within) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee->getIdentifier() ||
      !Callee->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return;
  llvm::StringRef Name = Callee->getName();
  if (!Name.starts_with("cuda"))
    return;
  Name.consume_back("_ptsz");
  for (const LaunchApi &Api : Launches)
    if (Name == Api.Name)
      return augmentLaunchApi(Call, Within, Api.Function, Api.Stream);
  for (const AllocationApi &Api : Allocations)
    if (Name == Api.Name)
      return augmentAllocation(Call, Within, Api.Size);
}

/// True for functions that exist in device code only; their host side is a
/// stub.
static bool isDeviceOnly(const FunctionDecl *F) {
  return F->hasAttr<CUDAGlobalAttr>() ||
         (F->hasAttr<CUDADeviceAttr>() && !F->hasAttr<CUDAHostAttr>());
}

void ct::CallSites::augment(Decl *D) {
  if (auto *F = dyn_cast<FunctionDecl>(D)) {
    if (!F->isThisDeclarationADefinition() || !F->hasBody() ||
        F->isDependentContext() || isDeviceOnly(F))
      return;
    CallVisitor(*this, F).TraverseDecl(F);
  } else if (auto *Variable = dyn_cast<VarDecl>(D)) {
    if (Variable->hasInit() &&
        !Variable->getDeclContext()->isDependentContext())
      CallVisitor(*this, Variable).TraverseDecl(Variable);
  }
}
