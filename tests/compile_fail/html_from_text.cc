// Plain text is no markup: it gets into a page escaped, by Html::text or by format_html, or not at
// all.
// EXPECT-ERROR: conver
#include <string>

#include "lastbit/base/html.h"

using namespace lastbit;

std::string name() { return "<script>"; }

#ifdef LASTBIT_WRONG
Html heading() { return name(); }
#else
Html heading() { return format_html("<h1>{}</h1>", name()); }
#endif
