/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage report. */
#include "llvm-pass/unit/report.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

static const char *const Headings[] = {"definite", "checked", "elsewhere",
                                       "filtered", "not instrumented"};
static const unsigned Columns = std::size(Headings);

static unsigned column(uint8_t Verdict) {
  switch (Verdict) {
  case CT_VERDICT_GLOBAL:
    return 0;
  case CT_VERDICT_CHECKED:
    return 1;
  case CT_VERDICT_ELSEWHERE:
    return 2;
  case CT_VERDICT_FILTERED:
    return 3;
  default:
    return 4;
  }
}

static StringRef operationText(uint8_t Operation) {
  switch (Operation) {
#define CT_OPERATION(id, name, text, group, memtrace)                          \
  case id:                                                                     \
    return text;
#include <cudatrace/operations.def>
#undef CT_OPERATION
  default:
    return "?";
  }
}

static StringRef spaceText(uint8_t Space) {
  static const char *const Names[] = {"-",      "global",   "-",
                                      "shared", "constant", "local"};
  return Space < std::size(Names) ? Names[Space] : "-";
}

namespace {

struct Row {
  std::string Operation, Space; // a heading: all in Operation, and no counts
  bool Counts;
  unsigned Count[Columns] = {};
};

/// The table of one kernel.
class KernelTable {
public:
  KernelTable(const ct::UnitWriter &Unit, raw_ostream &Out)
      : Unit(Unit), Out(Out) {}

  /// Sites of one function in one context.
  void add(StringRef Heading, ArrayRef<const ct_unit_site *> Sites) {
    std::map<std::pair<uint8_t, uint8_t>, Row> ByKind;
    if (!Heading.empty())
      Rows.push_back({Heading.str(), "", false});
    for (const ct_unit_site *S : Sites) {
      Row &R = ByKind
                   .try_emplace({S->operation, S->space},
                                Row{operationText(S->operation).str(),
                                    spaceText(S->space).str(), true})
                   .first->second;
      R.Count[column(S->verdict)]++;
      Total.Count[column(S->verdict)]++;
      if (S->verdict == CT_VERDICT_SKIPPED)
        Skipped.push_back(S);
    }
    for (auto &[Kind, R] : ByKind)
      Rows.push_back(std::move(R));
  }

  void print() {
    size_t Width = StringRef("operation").size();
    if (Rows.empty()) {
      Out << "  no accesses\n";
      return;
    }
    for (const Row &R : Rows)
      Width = std::max(Width, R.Counts ? R.Operation.size() : 0);
    Out << "  " << left_justify("operation", Width) << "  space   ";
    for (const char *Heading : Headings)
      Out << "  " << Heading;
    Out << "\n";
    Rows.push_back(Total);
    for (const Row &R : Rows)
      print(R, Width);
    for (const ct_unit_site *S : Skipped)
      print(*S);
  }

private:
  const ct::UnitWriter &Unit;
  raw_ostream &Out;
  std::vector<Row> Rows;
  std::vector<const ct_unit_site *> Skipped;
  Row Total = {"total", "", true};

  void print(const Row &R, size_t Width) {
    if (!R.Counts) {
      Out << "  + " << R.Operation << "\n";
      return;
    }
    Out << "  " << left_justify(R.Operation, Width) << "  "
        << left_justify(R.Space, StringRef("constant").size());
    for (unsigned I = 0; I < Columns; I++)
      Out << "  " << format_decimal(R.Count[I], StringRef(Headings[I]).size());
    Out << "\n";
  }

  void print(const ct_unit_site &S) {
    Out << "  not instrumented: " << operationText(S.operation);
    if (S.line)
      Out << " at " << Unit.text(S.file) << ":" << S.line;
    Out << ": " << Unit.text(S.reason) << "\n";
  }
};

} // namespace

std::string
ct::coverageReport(const UnitWriter &Unit,
                   function_ref<bool(StringRef, StringRef)> Reaches) {
  using Key = std::pair<uint32_t, uint32_t>; // function, pattern
  MapVector<Key, std::vector<const ct_unit_site *>> Functions;
  std::vector<std::vector<const ct_unit_site *>> Bodies(Unit.kernels().size());
  std::string Text;
  raw_string_ostream Out(Text);

  for (const ct_unit_site &S : Unit.sites())
    (S.kernel == CT_NONE ? Functions[{S.function, S.pattern}]
                         : Bodies[S.kernel])
        .push_back(&S);
  for (uint32_t I = 0; I < Unit.kernels().size(); I++) {
    const ct_unit_kernel &K = Unit.kernels()[I];
    KernelTable Table(Unit, Out);
    Out << "kernel " << Unit.text(K.display);
    if (K.line)
      Out << " at " << Unit.text(K.file) << ":" << K.line;
    Out << "\n";
    if (K.reason) {
      Out << "  no clone: " << Unit.text(K.reason) << "\n";
      continue;
    }
    Table.add("", Bodies[I]);
    for (auto &[Function, Sites] : Functions) {
      if (!Reaches(Unit.text(K.name), Unit.text(Function.first)))
        continue;
      std::string Name =
          "device function " + demangle(Unit.text(Function.first));
      StringRef Pattern = Unit.text(Function.second);
      Table.add(Name + (Pattern.empty() ? "" : " [" + Pattern.str() + "]"),
                Sites);
    }
    Table.print();
  }
  return Text;
}
