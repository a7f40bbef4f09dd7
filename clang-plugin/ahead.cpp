/* SPDX-License-Identifier: Apache-2.0 */
/* The headers that clang reads before a CUDA source, compiled ahead. */
#include "clang-plugin/ahead.h"
#include "clang-plugin/ahead_cache.h"
#include "clang-plugin/macros.h"
#include "clang/Basic/Version.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <dlfcn.h>
#include <unistd.h>

using namespace clang;

static const char Ourselves[] = "CT_NVCC_AHEAD";

struct ct::HeadersAhead::Made {
  AheadCache::Entry Entry;

  explicit Made(AheadCache::Entry &&Entry) : Entry(std::move(Entry)) {}
  ~Made() { close(Entry.Descriptor); }
};

/// Nothing asks for more of the headers than a precompiled one holds.
static bool isUsual(CompilerInstance &CI) {
  const FrontendOptions &Frontend = CI.getFrontendOpts();
  const PreprocessorOptions &Options = CI.getPreprocessorOpts();
  const DependencyOutputOptions &Output = CI.getDependencyOutputOpts();
  const CodeGenOptions &Code = CI.getCodeGenOpts();
  bool Compiles = false;

  switch (Frontend.ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitObj:
    Compiles = Frontend.Inputs.size() == 1 && Frontend.Inputs[0].isFile() &&
               !Frontend.Inputs[0].getKind().isPreprocessed();
    break;
  default:
    break;
  }
  return Compiles && Frontend.ASTMergeFiles.empty() &&
         Frontend.ModuleFiles.empty() && Frontend.StatsFile.empty() &&
         !Frontend.ShowStats && !Frontend.FixAndRecompile &&
         Options.ImplicitPCHInclude.empty() && Options.MacroIncludes.empty() &&
         Options.ChainedIncludes.empty() && Options.RemappedFiles.empty() &&
         Options.UsePredefines && !Options.DetailedRecord &&
         CI.getHeaderSearchOpts().VFSOverlayFiles.empty() &&
         !CI.getLangOpts().Modules && !Output.ShowHeaderIncludes &&
         Output.HeaderIncludeOutputFile.empty() &&
         Output.DOTOutputFile.empty() &&
         Output.ModuleDependencyOutputDir.empty() &&
         Output.ShowIncludesDest == ShowIncludesDestination::None &&
         // Debug information has whatever namespaces and constants are read.
         Code.getDebugInfo() <= llvm::codegenoptions::DebugLineTablesOnly &&
         !Code.CoverageMapping && !CI.getDiagnosticOpts().VerifyDiagnostics;
}

/// Takes what the command line defines before the headers. False: in a way that
/// is not looked at closer.
static bool takeMacros(const PreprocessorOptions &Options,
                       std::vector<std::string> &Defined) {
  llvm::StringSet<> Names;

  for (const auto &[Macro, IsUndef] : Options.Macros) {
    if (!Names.insert(ct::nameOf(Macro)).second ||
        StringRef(Macro).contains('\n'))
      return false;
    if (!IsUndef && !ct::isBehindPrologue(ct::nameOf(Macro)))
      Defined.push_back(Macro);
  }
  return true;
}

static void forgetNames(CodeGenOptions &Code) {
  for (std::string *Name :
       {&Code.MainFileName, &Code.DebugCompilationDir,
        &Code.CoverageCompilationDir, &Code.CoverageNotesFile,
        &Code.CoverageDataFile, &Code.SplitDwarfFile, &Code.SplitDwarfOutput,
        &Code.ObjectFilenameForDebug, &Code.CudaGpuBinaryFileName,
        &Code.StackUsageOutput, &Code.OptRecordFile,
        &Code.UniqueSourceFileIdentifier, &Code.SaveTempsFilePrefix,
        &Code.RecordCommandLine, &Code.DwarfDebugFlags})
    Name->clear();
  Code.PassPlugins.clear();
  Code.LinkBitcodeFiles.clear();
}

/// A compile of the headers alone, without what is of this unit only.
static CompilerInvocation compileOfHeaders(CompilerInstance &CI,
                                           ArrayRef<std::string> Defined) {
  CompilerInvocation Result(CI.getInvocation());
  FrontendOptions &Frontend = Result.getFrontendOpts();
  PreprocessorOptions &Options = Result.getPreprocessorOpts();
  std::vector<std::pair<std::string, bool>> Macros;

  Frontend.DashX = Frontend.Inputs[0].getKind().getHeader();
  Frontend.Inputs.clear();
  Frontend.Inputs.emplace_back("/dev/null", Frontend.DashX);
  Frontend.ProgramAction = frontend::GeneratePCH;
  Frontend.OutputFile.clear();
  Frontend.LLVMArgs.clear();
  Frontend.TimeTracePath.clear();
  llvm::erase_if(Frontend.PluginArgs["cuda-trace"],
                 [](StringRef Word) { return Word.starts_with("ahead="); });
  forgetNames(Result.getCodeGenOpts());
  Result.getLangOpts().CUID.clear();
  Result.getDependencyOutputOpts() = DependencyOutputOptions();
  Result.getDiagnosticOpts().DiagnosticLogFile.clear();
  Result.getDiagnosticOpts().DiagnosticSerializationFile.clear();
  Result.getDiagnosticOpts().ShowColors = false;
  llvm::erase_if(Options.Includes,
                 [](StringRef Header) { return !ct::isAhead(Header); });
  for (const std::string &Macro : Defined)
    Macros.push_back({Macro, false});
  for (const auto &[Macro, IsUndef] : Options.Macros)
    if (IsUndef && !ct::isBehindPrologue(Macro))
      Macros.push_back({Macro, true});
  Macros.push_back({Ourselves, false});
  Options.Macros = Macros;
  return Result;
}

/// The library of which Symbol is.
static void addLibrary(std::string &Text, const void *Symbol) {
  Dl_info Info;

  if (dladdr(Symbol, &Info) && Info.dli_fname)
    Text +=
        std::string("\n") + Info.dli_fname + " " + ct::stampOf(Info.dli_fname);
}

/// Whatever clang reads headers by, but folders and macros.
static std::string keyOf(CompilerInstance &CI) {
  CompilerInvocation Compile = compileOfHeaders(CI, {});
  std::string Text = getClangFullVersion();

  Compile.getHeaderSearchOpts().UserEntries.clear();
  Text += "\n" + llvm::join(Compile.getCC1CommandLine(), "\n");
  addLibrary(Text, reinterpret_cast<const void *>(&getClangFullVersion));
  addLibrary(Text, reinterpret_cast<const void *>(&keyOf));
  Text += "\n" + ct::stampOf("/proc/self/exe");
  for (const char *Name : {"SOURCE_DATE_EPOCH", "CCC_OVERRIDE_OPTIONS"})
    if (const char *Value = getenv(Name))
      Text += std::string("\n") + Name + "=" + Value;
  llvm::XXH128_hash_t Hash = llvm::xxh3_128bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(Text.data()), Text.size()));
  return llvm::utohexstr(Hash.high64, true, 16) +
         llvm::utohexstr(Hash.low64, true, 16);
}

std::unique_ptr<ct::HeadersAhead> ct::HeadersAhead::find(CompilerInstance &CI,
                                                         StringRef Directory) {
  const HeaderSearch &Search = CI.getPreprocessor().getHeaderSearchInfo();
  std::vector<std::string> Defined;

  if (!isUsual(CI) || !takeMacros(CI.getPreprocessorOpts(), Defined) ||
      access("/proc/self/fd", X_OK) < 0)
    return nullptr;
  AheadCache Cache(Directory, keyOf(CI));
  auto Entry = Cache.find(Search, Defined);
  if (!Entry && Cache.begin(Defined)) {
    Entry = Cache.find(Search, Defined); // made by another just now
    if (!Entry && Cache.make(compileOfHeaders(CI, Defined).getCC1CommandLine()))
      Entry = Cache.find(Search, Defined);
  }
  if (!Entry)
    return nullptr;
  return std::unique_ptr<HeadersAhead>(
      new HeadersAhead(CI, std::make_unique<Made>(std::move(*Entry))));
}

ct::HeadersAhead::HeadersAhead(CompilerInstance &CI, std::unique_ptr<Made> Of)
    : CI(CI), Headers(std::move(Of)) {
  const AheadList &List = Headers->Entry.List;
  PreprocessorOptions &Options = CI.getPreprocessorOpts();
  llvm::StringSet<> Known;

  for (const std::string &Macro : List.Macros)
    Known.insert(nameOf(Macro));
  Predefines = "# 1 \"<built-in>\" 3\n#undef " + std::string(Ourselves) + "\n";
  for (const std::string &Name : List.Spare)
    Predefines += "#undef " + Name + "\n";
  Predefines += behindAhead(CI.getPreprocessor().getPredefines(), Known);
  // Whoever deletes or replaces the file in the meantime does not matter. That
  // it fits is known, also where clang does not see it.
  Options.ImplicitPCHInclude =
      "/proc/self/fd/" + llvm::utostr(Headers->Entry.Descriptor);
  Options.DisablePCHOrModuleValidation = DisableValidationForModuleKind::PCH;
  Collectors.swap(CI.getDependencyCollectors());
}

ct::HeadersAhead::~HeadersAhead() = default;

void ct::HeadersAhead::begin() {
  SourceManager &Sources = CI.getSourceManager();
  auto Main = Sources.getFileEntryRefForID(Sources.getMainFileID());

  CI.getPreprocessor().setPredefines(Predefines);
  Collectors.swap(CI.getDependencyCollectors());
  for (auto &Collector : CI.getDependencyCollectors()) {
    if (Main)
      Collector->maybeAddDependency(
          llvm::sys::path::remove_leading_dotslash(Main->getName()), false,
          false, false, false);
    for (const AheadList::File &F : Headers->Entry.List.Files)
      Collector->maybeAddDependency(F.Path, false, F.IsSystem, false, false);
  }
}

/// Files in the order in which they are read first.
class ct::AheadWriter::Dependencies : public DependencyCollector {
public:
  std::vector<AheadList::File> Read;

  bool needSystemDependencies() override { return true; }
  bool sawDependency(StringRef Path, bool, bool IsSystem, bool, bool) override {
    Read.push_back({Path.str(), "", IsSystem});
    return true;
  }
};

class ct::AheadWriter::Names : public PPCallbacks {
public:
  llvm::StringSet<> Included, Expanded;

  void InclusionDirective(SourceLocation, const Token &Word, StringRef Name,
                          bool IsAngled, CharSourceRange, OptionalFileEntryRef,
                          StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    IdentifierInfo *Directive = Word.getIdentifierInfo();
    add(Name, IsAngled, Directive && !Directive->isStr("include"));
  }
  void HasInclude(SourceLocation, StringRef Name, bool IsAngled,
                  OptionalFileEntryRef, SrcMgr::CharacteristicKind) override {
    add(Name, IsAngled, /*IsNext=*/true); // perhaps __has_include_next
  }
  void MacroExpands(const Token &Name, const MacroDefinition &, SourceRange,
                    const MacroArgs *) override {
    Expanded.insert(Name.getIdentifierInfo()->getName());
  }

private:
  void add(StringRef Name, bool IsAngled, bool IsNext) {
    if (!llvm::sys::path::is_absolute(Name))
      Included.insert(
          ((IsNext ? "+" : "") + llvm::Twine(IsAngled ? "<" : "\"") + Name)
              .str());
  }
};

ct::AheadWriter::AheadWriter(CompilerInstance &CI, StringRef List)
    : CI(CI), List(List), Files(std::make_shared<Dependencies>()) {
  auto Callbacks = std::make_unique<Names>();

  Seen = Callbacks.get();
  Files->attachToPreprocessor(CI.getPreprocessor());
  CI.getPreprocessor().addPPCallbacks(std::move(Callbacks));
}

ct::AheadWriter::~AheadWriter() = default;

static bool hasWord(StringRef Text, StringRef Word) {
  auto IsOfName = [](char C) {
    return llvm::isAlnum(C) || C == '_' || C == '$';
  };

  for (size_t At = 0; (At = Text.find(Word, At)) != StringRef::npos;
       At += Word.size())
    if ((At == 0 || !IsOfName(Text[At - 1])) &&
        (At + Word.size() == Text.size() || !IsOfName(Text[At + Word.size()])))
      return true;
  return false;
}

void ct::AheadWriter::finish() {
  SourceManager &Sources = CI.getSourceManager();
  Preprocessor &PP = CI.getPreprocessor();
  AheadList Result;
  std::vector<StringRef> Texts;
  bool IsPlain = true;

  for (auto I = Sources.fileinfo_begin(); I != Sources.fileinfo_end(); ++I) {
    auto Buffer = Sources.getMemoryBufferForFileOrNone(I->first);
    IsPlain &= Buffer && !Sources.isFileOverridden(I->first);
    if (Buffer)
      Texts.push_back(Buffer->getBuffer());
  }
  for (AheadList::File &F : Files->Read) {
    if (F.Path == "/dev/null")
      continue;
    F.Stamp = stampOf(F.Path);
    IsPlain &= !F.Stamp.empty() && llvm::sys::path::is_absolute(F.Path) &&
               !StringRef(F.Path).contains('\n');
    Result.Files.push_back(F);
  }
  for (const auto &Name : Seen->Included) {
    AheadList::Places Places =
        placesOf(Name.getKey(), PP.getHeaderSearchInfo());
    for (const std::string &Place : Places)
      IsPlain &= llvm::sys::path::is_absolute(Place.substr(2));
    Result.Names[Name.getKey().str()] = std::move(Places);
  }
  for (const auto &Entry : PP.getIdentifierTable())
    Result.Words.insert(Entry.getKey());
  for (const auto &[Macro, IsUndef] : CI.getPreprocessorOpts().Macros) {
    std::string Name = nameOf(Macro).str();
    if (IsUndef || Name == Ourselves)
      continue;
    if (Seen->Expanded.contains(Name) ||
        llvm::any_of(Texts,
                     [&](StringRef Text) { return hasWord(Text, Name); })) {
      Result.Macros.push_back(Macro);
    } else {
      Result.Spare.push_back(Name);
      Result.Words.erase(Name);
    }
  }
  std::error_code Error;
  llvm::raw_fd_ostream Out(List, Error);
  if (!Error)
    Out << Result.print();
  if (Error || !IsPlain)
    CI.getDiagnostics().Report(CI.getDiagnostics().getCustomDiagID(
        DiagnosticsEngine::Error, "these headers cannot be compiled ahead"));
}
