#include "calls/References.h"

namespace rdna::calls {

static void callerWaits(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double a = item.x(round * 2), b = item.x(round * 2 + 1);
    item.result() += b * (a + a * a + b);
  }
}

static void calleeWaitsLate(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double a = item.x(round * 4), b = item.x(round * 4 + 1), c = item.x(round * 4 + 2),
                 d = item.x(round * 4 + 3);
    item.result() = (item.result() + a * (b + 1) + c * d) / 2 + d;
  }
}

static void calleePrefetches(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round)
    item.result() = item.result() / 2 + item.x(round * 2) * (item.x(round * 2 + 1) + 1);
}

static void returnElsewhere(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double a = item.x(round * 2), b = item.x(round * 2 + 1);
    item.result() += a * b * b * (b + 1) + a * b * (a + 1);
  }
}

static void callDirect(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double a = item.x(round * 3), b = item.x(round * 3 + 1), c = item.x(round * 3 + 2);
    item.result(0) += a * b + c;
    item.result(1) += b * c + a;
  }
}

static void labelTable(const WorkItem &item) {
  double state = item.x(0);
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double b = item.x(round + 1);
    if (round % 3 == 0)
      state = state / 2 + b;
    else
      state = round % 3 == 1 ? state * b - 0.25 : b * (state * state + 1);
  }
  item.result() = state;
}

static void fallThrough(const WorkItem &item) {
  for (size_t round = 0; round < item.arguments["rounds"]; ++round) {
    const double a = item.x(round * 2), b = item.x(round * 2 + 1);
    item.result() += 1.5 * a * b + a + b;
  }
}

std::map<std::string, Reference> byHandReferences() {
  return {{"caller_waits", {forEachItem<callerWaits>, 2e-6}},
          {"callee_waits_late", {forEachItem<calleeWaitsLate>, 2e-6}},
          {"callee_prefetches", {forEachItem<calleePrefetches>, 2e-6}},
          {"return_elsewhere", {forEachItem<returnElsewhere>, 2e-6}},
          {"call_direct", {forEachItem<callDirect>, 2e-6}},
          {"label_table", {forEachItem<labelTable>, 2e-6}},
          {"fall_through", {forEachItem<fallThrough>, 2e-6}}};
}

} // namespace rdna::calls
