/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly of a unit blob (unit.h). */
#include "llvm-pass/unit/writer.h"
#include "llvm-pass/base/location.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

ct::UnitWriter::UnitWriter(uint64_t UnitId, uint32_t Arch, StringRef Source,
                           const Options &Opts)
    : Strings(1, '\0') {
  Header.magic = CT_UNIT_MAGIC;
  Header.version = CT_UNIT_VERSION;
  Header.header_bytes = sizeof(Header);
  Header.unit_id = UnitId;
  Header.arch = Arch;
  Header.source = string(Source);
  Header.spaces = Opts.Spaces;
  Header.kinds = Opts.Kinds;
  Header.events = Opts.Events;
  Header.values = Opts.Values;
  Header.sample_sites = Opts.SitePeriod;
}

uint32_t ct::UnitWriter::string(StringRef Text) {
  if (Text.empty())
    return 0;
  auto [Entry, New] = StringOffsets.try_emplace(Text, Strings.size());
  if (New) {
    Strings += Text;
    Strings += '\0';
  }
  return Entry->second;
}

uint32_t ct::UnitWriter::addKernel(StringRef Name, const KernelFacts &Facts,
                                   StringRef Reason) {
  ct_unit_kernel K = {};
  K.name = string(Name);
  K.display = string(Facts.Display);
  K.file = string(Facts.File);
  K.line = Facts.Line;
  K.column = Facts.Column;
  K.param_first = Params.size();
  K.param_count = Facts.Parameters.size();
  K.reason = string(Reason);
  for (const Parameter &P : Facts.Parameters)
    Params.push_back({string(P.Name), string(P.Type)});
  for (const PointerMember &M : Facts.Members)
    Params.push_back({string(M.Name), string(M.At)});
  Kernels.push_back(K);
  return Kernels.size() - 1;
}

uint32_t ct::UnitWriter::frame(const DILocation *Location) {
  if (!Location)
    return CT_NONE;
  auto Known = FrameOfLocation.find(Location);
  if (Known != FrameOfLocation.end())
    return Known->second;
  ct_unit_frame F = {};
  F.function = string(functionName(*Location));
  F.file = string(sourcePath(*Location));
  F.line = Location->getLine();
  F.column = Location->getColumn();
  F.inlined_at = frame(Location->getInlinedAt());
  Frames.push_back(F);
  FrameOfLocation[Location] = Frames.size() - 1;
  return Frames.size() - 1;
}

static void describeType(Type *Accessed, ct_unit_site &S) {
  S.vector_length = 1;
  if (!Accessed)
    return;
  if (auto *Vector = dyn_cast<FixedVectorType>(Accessed)) {
    S.vector_length = Vector->getNumElements();
    Accessed = Vector->getElementType();
  }
  S.scalar_bits = Accessed->getScalarSizeInBits();
  if (Accessed->isIntegerTy())
    S.scalar = CT_SCALAR_INTEGER;
  else if (Accessed->isBFloatTy())
    S.scalar = CT_SCALAR_BFLOAT;
  else if (Accessed->isFloatingPointTy())
    S.scalar = CT_SCALAR_FLOAT;
  else if (auto *Pointer = dyn_cast<PointerType>(Accessed)) {
    S.scalar = CT_SCALAR_POINTER;
    S.scalar_bits =
        Pointer->getAddressSpace() == 3 || Pointer->getAddressSpace() == 5 ? 32
                                                                           : 64;
  }
}

/// A block that ends in a branch stands where the branch is.
static const DILocation *placeOfSite(const ct::Site &S) {
  return ct::locationOf(S.Flags & CT_SITE_BRANCH
                            ? *S.Inst->getParent()->getTerminator()
                            : *S.Inst);
}

void ct::UnitWriter::addSite(StringRef Function, uint32_t Kernel,
                             const Site &From, StringRef Pattern) {
  ct_unit_site S = {};
  S.function = string(Function);
  S.kernel = Kernel;
  S.inlined_at = CT_NONE;
  if (const DILocation *Location = placeOfSite(From)) {
    S.file = string(sourcePath(*Location));
    S.line = Location->getLine();
    S.column = Location->getColumn();
    S.inlined_at = frame(Location->getInlinedAt());
  }
  if (From.Flags & CT_SITE_BRANCH)
    S.branch_line = S.line;
  else if (From.How != Form::Event)
    S.branch_line = From.LocalVariable;
  S.bytes = From.Bytes;
  S.operation = From.Operation;
  S.space = From.Space;
  S.verdict = From.Verdict;
  describeType(From.Accessed, S);
  S.loop_depth = From.LoopDepth;
  S.flags = From.Flags;
  S.variable = string(From.Variable);
  S.reason = string(From.Reason);
  S.pattern = string(Pattern);
  Sites.push_back(S);
}

template <typename T>
static std::pair<uint32_t, uint32_t> extend(std::vector<T> &All,
                                            const std::vector<T> &More) {
  uint32_t First = All.size();
  All.insert(All.end(), More.begin(), More.end());
  return {First, uint32_t(More.size())};
}

void ct::UnitWriter::addBlocks(StringRef Function, uint32_t Kernel,
                               StringRef Pattern, uint32_t FirstSite,
                               const std::vector<BlockFacts> &Facts) {
  uint32_t Number = 0;
  for (const BlockFacts &From : Facts) {
    ct_unit_block B = {};
    B.function = string(Function);
    B.kernel = Kernel;
    B.pattern = string(Pattern);
    B.number = Number++;
    B.site = From.Site == CT_NONE ? CT_NONE : FirstSite + From.Site;
    B.file = string(From.File);
    B.line = From.Line;
    B.last_line = From.LastLine;
    std::tie(B.mix_first, B.mix_count) = extend(Mix, From.Mix);
    std::tie(B.step_first, B.step_count) = extend(Steps, From.Steps);
    std::tie(B.next_first, B.next_count) = extend(Next, From.Next);
    B.instructions = From.Instructions;
    B.depth = From.Depth;
    B.load_waits = From.LoadWaits;
    B.loop_depth = From.LoopDepth;
    for (auto &[Where, Count] : From.Shares)
      Shares.push_back({uint32_t(Blocks.size()), frame(Where), Count});
    Blocks.push_back(B);
  }
}

template <typename T>
static void append(std::string &Blob, const std::vector<T> &Entries) {
  Blob.append(reinterpret_cast<const char *>(Entries.data()),
              Entries.size() * sizeof(T));
}

std::string ct::UnitWriter::blob() const {
  ct_unit_header H = Header;
  H.kernel_count = Kernels.size();
  H.param_count = Params.size();
  H.site_count = Sites.size();
  H.frame_count = Frames.size();
  H.string_bytes = Strings.size();
  H.block_count = Blocks.size();
  H.mix_count = Mix.size();
  H.step_count = Steps.size();
  H.next_count = Next.size();
  H.variable_count = Variables.size();
  H.statement_count = Statements.size();
  H.call_count = Calls.size();
  H.outcome_count = Outcomes.size();
  H.share_count = Shares.size();
  H.list_count = List.size();

  std::string Blob(reinterpret_cast<const char *>(&H), sizeof(H));
  append(Blob, Kernels);
  append(Blob, Params);
  append(Blob, Sites);
  append(Blob, Frames);
  append(Blob, Blocks);
  append(Blob, Mix);
  append(Blob, Steps);
  append(Blob, Next);
  append(Blob, Variables);
  append(Blob, Statements);
  append(Blob, Calls);
  append(Blob, Outcomes);
  append(Blob, Shares);
  append(Blob, List);
  return Blob + Strings;
}
