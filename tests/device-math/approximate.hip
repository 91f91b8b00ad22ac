//===- approximate.hip - the fast forms of one or two instructions ---------===//
#include "functions.h"

RUN_1(__expf, float)
RUN_1(__exp2f, float)
RUN_1(__exp10f, float)
RUN_1(__logf, float)
RUN_1(__log2f, float)
RUN_1(__log10f, float)
RUN_1(__sinf, float)
RUN_1(__cosf, float)
RUN_1(__tanf, float)
RUN_2(__powf, float)
RUN_2(__fdividef, float)
