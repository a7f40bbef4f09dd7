/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of the plugin, and the stream of declarations that it sees. */
#include "clang-plugin/ahead.h"
#include "clang-plugin/call_sites.h"
#include "clang-plugin/declared.h"
#include "clang-plugin/dialect.h"
#include "clang-plugin/enumerations.h"
#include "clang-plugin/host_bodies.h"
#include "clang-plugin/kernel_facts.h"
#include "clang-plugin/lambdas.h"
#include "clang-plugin/launches.h"
#include "clang-plugin/macros.h"
#include "clang-plugin/member_templates.h"
#include "clang-plugin/moves.h"
#include "clang-plugin/narrowing.h"
#include "clang-plugin/pragmas.h"
#include "clang-plugin/shared.h"
#include "clang-plugin/shifts.h"
#include "clang-plugin/sides.h"
#include "clang-plugin/system_headers.h"
#include "clang-plugin/templates.h"
#include "clang-plugin/variadic.h"
#include "clang-plugin/visibility.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/SemaConsumer.h"
#include <cstdlib>
#include <optional>

using namespace clang;

namespace {

/// D is a definition of a function, or a variable with an initialiser, and no
/// template's.
bool holdsCode(const Decl *D) {
  auto *Function = dyn_cast<FunctionDecl>(D);
  auto *Variable = dyn_cast<VarDecl>(D);
  if (D->getDeclContext()->isDependentContext())
    return false;
  if (Function)
    return Function->isThisDeclarationADefinition() &&
           !Function->isDependentContext();
  return Variable && Variable->hasInit();
}

/// Runs before code generation on every declaration that code is generated for.
class TraceConsumer : public SemaConsumer, ASTMutationListener {
public:
  TraceConsumer(CompilerInstance &CI, bool IsNvcc, bool CrossesSides,
                bool Hides, ct::Narrowing *Narrowed,
                std::unique_ptr<ct::HeadersAhead> Headers,
                std::unique_ptr<ct::AheadWriter> Writer)
      : CI(CI), Options(CI.getLangOpts()), IsDevice(Options.CUDAIsDevice),
        IsNvcc(IsNvcc), CrossesSides(CrossesSides), Hides(Hides),
        Narrowed(Narrowed), Headers(std::move(Headers)),
        Writer(std::move(Writer)) {}

  void Initialize(ASTContext &) override {
    if (Headers)
      Headers->begin();
  }

  void InitializeSema(Sema &S) override {
    if (PP)
      return;
    PP = &S.getPreprocessor();
    PerThread = PP->getIdentifierInfo("__CUDART_API_PER_THREAD_DEFAULT_STREAM");
    Sites.emplace(S);
    if (S.getLangOpts().CUDA)
      Shared.emplace(S);
    if (IsNvcc) {
      ct::answerOfLambdas(S);
      Declarations.emplace(S, CrossesSides);
      Members.emplace(S);
    }
    if (CrossesSides)
      Sides.emplace(S);
    if (CrossesSides && !IsDevice)
      Bodies.emplace(S);
  }
  void ForgetSema() override {
    Sites.reset();
    Declarations.reset();
    Members.reset();
    Shared.reset();
    Sides.reset();
    Bodies.reset();
  }
  ASTMutationListener *GetASTMutationListener() override { return this; }
  void CompletedTagDefinition(const TagDecl *D) override {
    if (Bodies)
      Bodies->seeClass(D);
    if (auto *Class = dyn_cast<CXXRecordDecl>(D); Class && IsNvcc)
      ct::preferMoves(Class);
    if (auto *Enumeration = dyn_cast<EnumDecl>(D); Enumeration && IsNvcc)
      ct::widen(const_cast<EnumDecl *>(Enumeration));
  }
  void AddedCXXImplicitMember(const CXXRecordDecl *Class,
                              const Decl *) override {
    if (IsNvcc && Class->isCompleteDefinition())
      ct::preferMoves(Class);
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    // Those of a precompiled header come before the parser begins.
    InitializeSema(CI.getSema());
    chooseStream();
    for (Decl *D : Group)
      handle(D);
    return true;
  }
  void HandleInterestingDecl(DeclGroupRef Group) override {
    // Headers that were compiled ahead had this done when they were.
    if (!Headers)
      HandleTopLevelDecl(Group);
  }
  void HandleTranslationUnit(ASTContext &) override {
    if (Sides)
      Sides->finish();
    if (Narrowed)
      Narrowed->reportHeld();
    if (Writer)
      Writer->finish();
  }
  void HandleInlineFunctionDefinition(FunctionDecl *F) override { handle(F); }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *V) override { handle(V); }

private:
  CompilerInstance &CI;
  LangOptions &Options;
  bool IsDevice, IsNvcc, CrossesSides, Hides;
  ct::Narrowing *Narrowed; // of the engine; NULL: as clang does
  Preprocessor *PP = nullptr;
  const IdentifierInfo *PerThread = nullptr;
  std::unique_ptr<ct::HeadersAhead> Headers; // from the cache
  std::unique_ptr<ct::AheadWriter> Writer;   // of headers for it
  std::optional<ct::CallSites> Sites;
  std::optional<ct::Declared> Declarations;
  std::optional<ct::HostBodies> Bodies;
  std::optional<ct::MemberNames> Members;
  std::optional<ct::SharedObjects> Shared;
  std::optional<ct::Sides> Sides;

  /// Launches without a stream go where CUDA's headers send calls without one,
  /// as with nvcc. clang has an option of its own for them, which its driver
  /// ignores for CUDA.
  void chooseStream() {
    if (Options.CUDA && PP->isMacroDefined(PerThread))
      Options.GPUDefaultStream = LangOptions::GPUDefaultStreamKind::PerThread;
  }

  void handle(Decl *D) {
    if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, CXXRecordDecl>(D)) {
      for (Decl *Member : cast<DeclContext>(D)->decls())
        handle(Member);
      return;
    }
    if (Declarations)
      Declarations->restore(D);
    if (Bodies)
      Bodies->restore(D);
    if (Shared)
      Shared->examine(D);
    if (Sides)
      Sides->examine(D);
    if (Hides && !IsDevice)
      ct::hideDeviceEntity(D);
    if ((IsDevice || IsNvcc) && holdsCode(D))
      ct::foldWideShifts(D);
    if (IsNvcc && holdsCode(D))
      ct::passObjects(D);
    if (IsDevice && IsNvcc)
      ct::leaveOutUnusedConstant(D);
    if (IsDevice) {
      ct::annotateKernel(D);
    } else if (Sites) {
      Sites->augment(D);
    }
  }
};

class TraceAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    std::unique_ptr<ct::HeadersAhead> Headers;
    std::unique_ptr<ct::AheadWriter> Writer;
    if (isWritingAst(CI.getFrontendOpts().ProgramAction) && List.empty())
      return std::make_unique<ASTConsumer>();
    bool IsCuda = CI.getLangOpts().CUDA;
    Preprocessor &PP = CI.getPreprocessor();
    if (!List.empty())
      Writer = std::make_unique<ct::AheadWriter>(CI, List);
    else if (IsCuda && !Directory.empty())
      Headers = ct::HeadersAhead::find(CI, Directory);
    ct::takeWhatNvccTakes(CI.getDiagnostics(), IsNvcc && IsCuda,
                          CrossesSides && IsCuda);
    if (IsCuda && CI.getPreprocessorOpts().ImplicitPCHInclude.empty())
      PP.setPredefines(ct::behindPrologue(PP.getPredefines()));
    ct::Narrowing *Narrowed = nullptr;
    if (IsNvcc && IsCuda) {
      Narrowed = ct::Narrowing::hold(CI.getDiagnostics());
      ct::readDialect(CI);
      ct::takePragmasOfMacros(PP);
      watchTokens(PP);
      ct::keepSystemHeadersQuiet(CI);
    }
    // The pass reads what is written there when it is
    // (llvm-pass/unit/places.h).
    if (CI.getLangOpts().CUDAIsDevice)
      setenv("CT_DEVICE_OUTPUT", CI.getFrontendOpts().OutputFile.c_str(), 1);
    return std::make_unique<TraceConsumer>(
        CI, IsNvcc && IsCuda, CrossesSides && IsCuda, Hides && IsCuda, Narrowed,
        std::move(Headers), std::move(Writer));
  }

  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &Words) override {
    IsNvcc = llvm::is_contained(Words, "nvcc");
    CrossesSides = llvm::is_contained(Words, "nvcc-sides");
    Hides = llvm::is_contained(Words, "nvcc-hidden");
    for (StringRef Word : Words) {
      if (Word.consume_front("ahead="))
        Directory = Word;
      else if (Word.consume_front("ahead-list="))
        List = Word;
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  bool IsNvcc = false;       // reads what nvcc reads (dialect.h)
  bool CrossesSides = false; // calls what nvcc lets be called (sides.h)
  bool Hides = false;        // symbols from other libraries (visibility.h)
  std::string Directory;     // of headers compiled ahead (ahead.h)
  std::string List;          // to write while they are

  static void watchTokens(Preprocessor &PP) {
    PP.setTokenWatcher(
        [Launches = ct::LaunchWatcher(PP), Members = ct::MemberWatcher(PP),
         Templates = ct::TemplateWatcher(PP)](const Token &T) mutable {
          ct::HostBodies::seeToken();
          Launches.see(const_cast<Token &>(T));
          Templates.see(const_cast<Token &>(T));
          Members.see(const_cast<Token &>(T));
        });
  }

  /// A PCH or module must hold what the user wrote.
  static bool isWritingAst(frontend::ActionKind Kind) {
    switch (Kind) {
    case frontend::GeneratePCH:
    case frontend::GenerateModule:
    case frontend::GenerateModuleInterface:
    case frontend::GenerateReducedModuleInterface:
    case frontend::GenerateHeaderUnit:
      return true;
    default:
      return false;
    }
  }
};

} // namespace

static FrontendPluginRegistry::Add<TraceAction>
    Registration("cuda-trace",
                 "kernel facts, launch sites and allocation sites");
