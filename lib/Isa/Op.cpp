#include "Isa/Op.h"

#include <array>
#include <string>
#include <unordered_map>

namespace rdna {

namespace {
struct Row {
  std::string_view name;
  Unit unit;
  int8_t vopdX, vopdY;
};
} // namespace

static constexpr Row kRows[] = {
    {"unknown", Unit::Other, -1, -1},
#define RDNA_OP(name, unit, x, y, ...) {#name, Unit::unit, x, y},
#include "Isa/Ops.def"
#undef RDNA_OP
};

static const Row &row(Op op) { return kRows[static_cast<size_t>(op)]; }

std::string_view opName(Op op) { return row(op).name; }
Unit opUnit(Op op) { return row(op).unit; }
int vopdOpcodeX(Op op) { return row(op).vopdX; }
int vopdOpcodeY(Op op) { return row(op).vopdY; }

Op opByName(std::string_view name) {
  static const auto *byName = [] {
    auto *map = new std::unordered_map<std::string_view, Op>;
    for (size_t i = 1; i < std::size(kRows); ++i)
      map->emplace(kRows[i].name, static_cast<Op>(i));
    return map;
  }();
  const auto it = byName->find(name);
  return it == byName->end() ? Op::unknown : it->second;
}

} // namespace rdna
