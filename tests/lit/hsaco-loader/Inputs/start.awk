# What start.hip writes for a grid of 3 x 2 x 2 groups of 5 x 3 x 3 work-items.
BEGIN {
  for (g = 0; g < 12; ++g)
    for (f = 0; f < 45; ++f) {
      called = f % 2 ? f + 5 : 2 * f
      n = f % 16
      print f, g, g * 45 + (f + 1) % 45, (f % 8) * (f % 8) + 7, called, n * (n + 1) / 2,
            3 * 65536 + 2, 5 * 65536 + 3 * 256 + 3
    }
}
