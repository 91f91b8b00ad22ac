// All of the device library as one unit: bitcode of one compiler for kernels of the same.
#include "Hostcall.hip"
#include "Ids.hip"
#include "Grid.hip"
#include "Ocml.hip"
