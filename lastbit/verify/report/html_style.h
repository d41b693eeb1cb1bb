// The look of html.cc: light and dark, narrow screens, paper.
#pragma once

#include "lastbit/base/html.h"

namespace lastbit::verify {

inline constexpr HtmlLiteral kHtmlStyle = R"css(
:root { --paper: #fdfcf9; --ink: #1d1f23; --soft: #5d636e; --line: #d9d6cd; --tint: #f3f1ea;
  --rule: #8a3b12; --good: #24663b; --mark: #fff1c2; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181c; --ink: #e6e4de; --soft: #9aa0ab; --line: #363a42; --tint: #1f2228;
    --rule: #f0a36f; --good: #7ec796; --mark: #4a3f17; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
  font-family: Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .7rem; border-bottom: 1px solid var(--line);
  padding-bottom: .25rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
code, .code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: .86em; overflow-wrap: anywhere; }
a { color: inherit; }
.theorem { font-size: 1.1rem; margin: 0 0 .4rem; }
.meta, .why, .side { color: var(--soft); }
.code { list-style: none; counter-reset: n; margin: 0; padding: .6rem 0; background: var(--tint);
  border: 1px solid var(--line); border-radius: 6px; }
.code li { counter-increment: n; display: flex; gap: .9rem; padding: 0 .8rem;
  scroll-margin-top: 4rem; }
.code li::before { content: counter(n); color: var(--soft); width: 1.6rem; text-align: right;
  flex: none; }
.code li span { white-space: pre-wrap; flex: 1 1 0; min-width: 0; }
.code li:target, .step:target { background: var(--mark); }
.code .marks a { color: var(--rule); text-decoration: none; margin-left: .7rem;
  font-size: .9em; }
.code .used { background: color-mix(in srgb, var(--mark) 45%, transparent); }
.step { border-left: 3px solid var(--line); padding: .15rem 0 .35rem .8rem; margin: .5rem 0;
  scroll-margin-top: 4rem; break-inside: avoid; }
.step > p, .step > ul { margin: .15rem 0; }
.head { display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: baseline; }
.rule { color: var(--rule); font-weight: 700; letter-spacing: .03em; font-size: .88rem;
  text-decoration: none; }
.spent { margin-left: auto; color: var(--soft); font-size: .88rem; }
.news { color: var(--soft); font-size: .93rem; margin: .5rem 0 0 .8rem; }
.news b { font-weight: 600; }
details.needs { font-size: .93rem; margin: .2rem 0; }
details.needs li { margin: .2rem 0; }
.reason { padding-left: 1.2rem; }
details.case { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0 .5rem .8rem;
  padding: .1rem .7rem; }
details.case.absurd { border-style: dashed; color: var(--soft); }
summary { cursor: pointer; padding: .2rem 0; }
details.case > summary { font-weight: 600; }
.rules { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr));
  gap: 1rem; }
figure { margin: 0; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: 6px;
  text-align: center; break-inside: avoid; scroll-margin-top: 4rem; }
figcaption { text-align: left; }
.premises { min-height: 1.4em; }
.conclusion { border-top: 1.5px solid var(--ink); margin-top: .3rem; padding-top: .3rem; }
.side { font-size: .9rem; margin-top: .4rem; }
.done { color: var(--good); font-weight: 600; }
@media (max-width: 40rem) { main { padding: 1rem .6rem 3rem; }
  details.case { margin-left: .2rem; padding: .1rem .4rem; } .step { padding-left: .5rem; }
  .spent { margin-left: 0; } }
@media print { body { background: none; color: #000; } main { max-width: none; padding: 0; }
  .code, figure { background: none; } }
)css"_html;

}  // namespace lastbit::verify
