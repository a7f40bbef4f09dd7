/* SPDX-License-Identifier: Apache-2.0 */
/* Launch and allocation sites in host code. */
#include "clang-plugin/call_sites.h"
#include "clang-plugin/descriptor.h"
#include "clang-plugin/passed_on.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include <cudatrace/host.h>

using namespace clang;

/// A call of api.def, and what of it carries a site.
struct ct::Api {
  llvm::StringLiteral Name;
  enum { None, Launches, LaunchesConfigured, Allocates } Site;
  unsigned What;    // the argument that names the kernel, or the memory
  unsigned Carries; // the one that is wrapped
};

namespace {

const ct::Api Apis[] = {
#define SITE_NONE ct::Api::None, 0, 0
#define SITE_LAUNCHES(Kernel, Stream) ct::Api::Launches, Kernel, Stream
#define SITE_LAUNCHES_CONFIGURED(Kernel)                                       \
  ct::Api::LaunchesConfigured, Kernel, Kernel
#define SITE_ALLOCATES(Memory, Size) ct::Api::Allocates, Memory, Size
#define CT_API(returns, name, version, thread, where, site, ...)               \
  {#name #version, SITE_##site},
#include <cudatrace/api.def>
};

/// A function of CUDA's C++ headers that makes a call by another name.
struct Overload {
  llvm::StringLiteral Name;
  unsigned Arguments; // 0: any number
  llvm::StringLiteral Symbol;
};

const Overload Overloads[] = {
#define CT_API_OVERLOAD(name, arguments, symbol) {#name, arguments, #symbol},
#include <cudatrace/api.def>
};

const llvm::StringLiteral PerThread = "_ptsz";

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

/// A call of CUDA's by one of its names: CUDA's headers declare the other one
/// only if it is not said which is meant.
FunctionDecl *ct::CallSites::findEither(llvm::StringRef Symbol,
                                        bool IsPerThread) {
  std::string OfThread = (Symbol + PerThread).str();
  if (FunctionDecl *F = H.find(IsPerThread ? OfThread : Symbol))
    return F;
  return H.find(IsPerThread ? Symbol : OfThread);
}

/// Returns the function that <<<>>> launches by, as clang's code generation
/// chooses it.
FunctionDecl *ct::CallSites::launchFunction() {
  return findEither("cudaLaunchKernel",
                    S.getLangOpts().GPUDefaultStream ==
                        LangOptions::GPUDefaultStreamKind::PerThread);
}

void ct::CallSites::augmentKernelCall(CallExpr *Call, CallExpr *Config,
                                      const NamedDecl *Within) {
  const unsigned Stream = 3;
  FunctionDecl *Launch = launchFunction();
  if (Config->getNumArgs() <= Stream || !Launch || !Done.insert(Call).second)
    return;
  Descriptor Site(S.getASTContext(), "L");
  Site.addPosition(Call->getBeginLoc())
      .addName(Within)
      .addExpression(Call->getCallee());
  for (const Expr *Argument : Call->arguments())
    Site.addExpression(Argument);
  Config->setArg(Stream, H.wrap("__ct_launch_site", Config->getArg(Stream),
                                Site.str(), Launch));
}

void ct::CallSites::augment(CallExpr *Call, const NamedDecl *Within,
                            const Api &Api, FunctionDecl *Callee) {
  if (Call->getNumArgs() <= std::max(Api.What, Api.Carries) ||
      !Done.insert(Call).second)
    return;
  bool Allocates = Api.Site == Api::Allocates;
  Descriptor Site(S.getASTContext(), Allocates ? "A" : "L");
  Site.addPosition(Call->getBeginLoc())
      .addName(Within)
      .addExpression(namedVariable(Call->getArg(Api.What)));
  if (Allocates)
    Site.addExpression(Call->getArg(Api.Carries));
  auto *Function = dyn_cast_or_null<FunctionDecl>(Within);
  if (Allocates && Function && isPassedOn(Call->getArg(Api.What), Function))
    Site.add(CT_SITE_PASSED_ON);
  llvm::StringRef Hook = Allocates ? "__ct_alloc_site"
                         : Api.Site == Api::Launches
                             ? "__ct_launch_site"
                             : "__ct_launch_site_function";
  Call->setArg(Api.Carries,
               H.wrap(Hook, Call->getArg(Api.Carries), Site.str(), Callee));
}

/// The symbol of CUDA's that a call to Callee ends in, without the suffix of
/// its per-thread name.
static llvm::StringRef symbolOf(const FunctionDecl *Callee,
                                llvm::StringRef Name, unsigned Arguments) {
  if (!Callee->isExternC())
    for (const Overload &O : Overloads)
      if (Name == O.Name && (!O.Arguments || O.Arguments == Arguments))
        return O.Symbol;
  return Name;
}

void ct::CallSites::augmentApiCall(CallExpr *Call, const NamedDecl *Within) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee->getIdentifier() ||
      !Callee->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return;
  llvm::StringRef Name = Callee->getName();
  if (!Name.starts_with("cu"))
    return;
  bool IsPerThread = Name.consume_back(PerThread);
  llvm::StringRef Symbol = symbolOf(Callee, Name, Call->getNumArgs());
  for (const ct::Api &Api : Apis)
    if (Symbol == Api.Name && Api.Site != Api::None)
      if (FunctionDecl *F = findEither(Symbol, IsPerThread))
        return augment(Call, Within, Api, F);
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
