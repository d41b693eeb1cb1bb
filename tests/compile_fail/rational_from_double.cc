// A double says "about 0.1"; a Rational says which number it is. The conversion has to be asked
// for by name: Rational::exactly for the bits, rational("0.1") for the decimal.
// EXPECT-ERROR: deleted (function|constructor)
#include "lastbit/numerics/rational.h"

#ifdef LASTBIT_WRONG
lastbit::Rational epsilon = 0.1;
#else
lastbit::Rational epsilon = lastbit::rational("0.1");
#endif
