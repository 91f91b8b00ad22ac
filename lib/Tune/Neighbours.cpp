#include "Tune/Neighbours.h"

namespace rdna::tune {

using generate::Hints;
using generate::KernelSpec;

namespace {

class Neighbours {
public:
  Neighbours(const Point &from, const Space &space) : from_(from), space_(space) {}
  std::vector<Point> all();

private:
  template <typename Change> void add(Change change) {
    Point next = from_;
    change(next.spec);
    points_.push_back(std::move(next));
  }
  void twiceAndHalf(unsigned KernelSpec::*number) {
    add([number](KernelSpec &s) { s.*number *= 2; });
    add([number](KernelSpec &s) { s.*number /= 2; });
  }
  void blocks();
  void scalarBlocks();

  const Point &from_;
  const Space &space_;
  std::vector<Point> points_;
};

void Neighbours::blocks() {
  add([](KernelSpec &s) { std::swap(s.blockRows, s.blockColumns); });
  add([](KernelSpec &s) { std::swap(s.threadRows, s.threadColumns); });
  for (const auto &[one, other] :
       {std::pair(&KernelSpec::blockRows, &KernelSpec::blockColumns),
        std::pair(&KernelSpec::blockColumns, &KernelSpec::blockRows),
        std::pair(&KernelSpec::threadRows, &KernelSpec::threadColumns),
        std::pair(&KernelSpec::threadColumns, &KernelSpec::threadRows)}) {
    twiceAndHalf(one);
    add([one, other](KernelSpec &s) { s.*one *= 2, s.*other /= 2; });
  }
}

/// One element more or less may be what makes the blocks come out even on all compute units.
void Neighbours::scalarBlocks() {
  const auto [tile, waves] = scalarTileOf(from_.spec);
  const auto tileOf = [&](unsigned rows, unsigned columns) {
    if (rows >= 2 && columns >= 2)
      add([&](KernelSpec &s) { setScalarTile(s, {rows, columns}, waves); });
  };
  for (const unsigned rows : {tile.first - 1, tile.first + 1, tile.first / 2, tile.first * 2})
    tileOf(rows, tile.second);
  for (const unsigned columns : {tile.second / 2, tile.second * 2})
    tileOf(tile.first, columns);
  tileOf(tile.first / 2, tile.second * 2);
  tileOf(tile.first * 2, tile.second / 2);
  for (const Space::Tile &next : {Space::Tile{waves.first * 2, waves.second},
                                  {waves.first / 2, waves.second},
                                  {waves.first, waves.second * 2},
                                  {waves.first, waves.second / 2},
                                  {waves.first + 1, waves.second}})
    if (next.first >= 1 && next.second >= 1)
      add([&](KernelSpec &s) { setScalarTile(s, tile, next); });
}

std::vector<Point> Neighbours::all() {
  add([](KernelSpec &s) { s.stages = 3 - s.stages; });
  twiceAndHalf(&KernelSpec::bk);
  if (elementsOf(from_.spec) == Elements::Lds)
    blocks();
  else
    scalarBlocks();
  if (from_.spec.fragments != 0)
    twiceAndHalf(&KernelSpec::fragments);
  if (from_.spec.splitK > 1)
    twiceAndHalf(&KernelSpec::splitK);
  else if (space_.swizzle.size() > 1)
    twiceAndHalf(&KernelSpec::swizzle);
  if (space_.hints.size() > 1)
    add([](KernelSpec &s) { s.hints = s.hints == Hints::All ? Hints::None : Hints::All; });
  return std::move(points_);
}

} // namespace

std::vector<Point> neighboursOf(const Point &point, const Space &space) {
  return Neighbours(point, space).all();
}

} // namespace rdna::tune
