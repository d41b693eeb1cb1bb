#include "lastbit/report/release/page_style.h"

namespace lastbit::report {

HtmlLiteral page_style() {
  return R"css(
:root { color-scheme: light dark;
  --paper: #ffffff; --card: #f5f7fa; --ink: #17202b; --soft: #55606e; --rule: #dde3ea;
  --mark: #2459b3; --bar: #a9c5f4; --error: #17335f; --band: #d6e4fb; --warn: #7a4d00; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #11161d; --card: #1a212b; --ink: #e8edf3; --soft: #a3afbd; --rule: #2e3844;
  --mark: #7fb0ff; --bar: #33558c; --error: #d7e5ff; --band: #22395e; --warn: #f0c674; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
header, main, footer { max-width: 56rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; } footer { padding-bottom: 3rem; }
.skip { position: absolute; left: -100rem; background: var(--paper); padding: 0.5rem 1rem; }
.skip:focus { left: 0.5rem; top: 0.5rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
h1, h2, h3 { line-height: 1.25; margin: 0; overflow-wrap: anywhere; text-wrap: balance; }
h1 { font-size: 2rem; letter-spacing: -0.015em; }
h2 { font-size: 1.35rem; letter-spacing: -0.01em; }
h3 { font-size: 1rem; margin: 1.25rem 0 0.3rem; }
.panel h3 { font-size: 0.9rem; margin: 0 0 0.3rem; }
p { margin: 0.5rem 0; max-width: 44rem; }
p, figcaption, li { text-wrap: pretty; }
.lead { font-size: 1.05rem; color: var(--soft); margin: 0.6rem 0 1rem; max-width: 48rem; }
.period { font-size: 1.1rem; margin: 0.25rem 0 0; }
.said { max-width: 48rem; }
.eyebrow { font-size: 0.8rem; color: var(--soft); letter-spacing: 0.06em; text-transform: uppercase;
  margin: 0 0 0.3rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 0.75rem;
  margin: 1.25rem 0; padding: 0; }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
  padding: 0.75rem 0.9rem; overflow-wrap: anywhere; }
.card dt { font-size: 0.78rem; color: var(--soft); }
.card dd { margin: 0.1rem 0 0; font-size: 1.1rem; font-weight: 600; line-height: 1.3; }
.card dd small { display: block; font-size: 0.78rem; font-weight: 400; color: var(--soft); }
.downloads { display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: 0.92rem; margin: 0.5rem 0; }
.downloads p, .downloads ul { margin: 0; padding: 0; } .downloads li { display: inline-block;
  list-style: none; margin: 0 1rem 0 0; }
nav ol { columns: 16rem; column-gap: 2rem; margin: 0.5rem 0 0; padding-left: 1.6rem; }
nav li { break-inside: avoid; overflow-wrap: anywhere; }
a { color: var(--mark); text-underline-offset: 0.15em; }
section, footer .facts { border-top: 1px solid var(--rule); margin-top: 2rem; padding-top: 1.5rem; }
.kind { color: var(--soft); margin: 0.15rem 0 0.9rem; overflow-wrap: anywhere; }
.answer { font-size: 2.3rem; font-weight: 650; letter-spacing: -0.02em; line-height: 1.15;
  margin: 0.5rem 0 0.1rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.answer small { font-size: 1.15rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
figure { margin: 0.75rem 0; }
figcaption, .note { font-size: 0.85rem; color: var(--soft); max-width: 44rem; margin-top: 0.4rem; }
.panels.many { display: grid; gap: 1.5rem 2rem;
  grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); }
.panel { container-type: inline-size; min-width: 0; break-inside: avoid; }
.rows { list-style: none; margin: 0; padding: 0; max-width: none; }
.rows .row { margin: 0; }
.row { display: grid; grid-template-columns: minmax(4rem, 11rem) 1fr 10.5rem; gap: 0 0.9rem;
  align-items: center; min-height: 26px; break-inside: avoid; }
.row .label { text-align: end; font-size: 0.9rem; line-height: 1.2; overflow-wrap: anywhere;
  padding: 0.15rem 0; }
.row .label { max-height: 5em; overflow: hidden; }
.row .number { font-variant-numeric: tabular-nums; font-size: 0.9rem; line-height: 1.25; }
.row small { color: var(--soft); }
@container (max-width: 36rem) {
  .row, .rows .row { grid-template-columns: minmax(0, 1fr) minmax(0, auto); margin-bottom: 0.3rem; }
  .row .number { text-align: end; }
  .row .label { grid-area: 1 / 1; text-align: start; }
  .row .number { grid-area: 1 / 2; }
  .row svg { grid-area: 2 / 1 / 3 / 3; } }
.frame { display: grid; grid-template-columns: 3.4rem minmax(0, 1fr); gap: 0.15rem 0.5rem;
  padding-top: 8px; break-inside: avoid; }
svg { display: block; overflow: visible; }
svg text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.rule { stroke: var(--rule); } .zero { stroke: var(--soft); }
.bar { fill: var(--bar); } .error { stroke: var(--error); stroke-width: 1.5; fill: none; }
.bar.hollow { fill: none; stroke: var(--mark); stroke-dasharray: 3 2; }
.band { fill: var(--band); stroke: none; }
.stretch { overflow: hidden; }
.stretch path { vector-effect: non-scaling-stroke; }
.flag { color: var(--warn); font-weight: 600; } .row small.flag { color: var(--warn); }
.dot { fill: var(--paper); stroke: var(--mark); stroke-width: 2; } .dot.middle { fill: var(--mark); }
.curve, .range { stroke: var(--mark); stroke-width: 2; stroke-linecap: round; fill: none; }
.range { opacity: 0.5; }
.ranks { margin: 0; padding-left: 1.8rem; font-size: 1.05rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
table { border-collapse: collapse; font-size: 0.88rem; font-variant-numeric: tabular-nums; }
th { text-align: start; font-weight: 600; } thead th { color: var(--soft); }
tbody th { font-weight: 400; }
th, td { padding: 0.25rem 1.1rem 0.25rem 0; border-bottom: 1px solid var(--rule);
  vertical-align: top; }
td { overflow-wrap: break-word; }
td bdi, th bdi { display: inline-block; max-width: 18rem; vertical-align: top; }
.n { text-align: end; white-space: nowrap; }
details { margin: 0.75rem 0; }
summary { cursor: pointer; font-weight: 600; font-size: 0.9rem; padding: 0.2rem 0; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
ul, .steps { margin: 0.3rem 0; padding-left: 1.3rem; max-width: 44rem; }
li { margin: 0.15rem 0; overflow-wrap: anywhere; }
.caveats { padding-left: 1.3rem; max-width: 48rem; } .caveats li { margin: 0.4rem 0; }
.caveats li:target { background: var(--card); outline: 2px solid var(--mark); outline-offset: 4px; }
details.method { margin: 0.4rem 0 0; } .method summary { font-weight: 400; color: var(--soft); }
.more { margin: 0.4rem 0; }
.facts { display: grid; grid-template-columns: minmax(7rem, auto) minmax(0, 1fr); gap: 0.25rem 1.25rem;
  margin: 0.75rem 0; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
code, pre { font: 0.85rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 0.8rem 1rem;
  overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 30rem) {
  header, main, footer { padding-left: 1rem; padding-right: 1rem; }
  header { padding-top: 1.5rem; }
  h1 { font-size: 1.6rem; }
  .cards { grid-template-columns: 1fr 1fr; gap: 0.5rem; }
  .card:last-child:nth-child(odd) { grid-column: 1 / -1; }
  th, td { padding-right: 0.6rem; font-size: 0.82rem; }
  .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: 0.5rem; } }
@page { margin: 16mm 16mm 20mm;
  font: 8pt sans-serif; color: #3a3a3a;
  @bottom-left { content: "Noise protects the people in these numbers"; }
  @bottom-right { content: counter(page) " / " counter(pages); } }
@media print {
  :root { color-scheme: light; --paper: #ffffff; --card: #ffffff; --ink: #000000; --soft: #3a3a3a;
    --rule: #c8c8c8; --mark: #1f4fa8; --bar: #b8cdf0; --error: #000000; --band: #e4ecf9;
    --warn: #000000; }
  body { font-size: 10.5pt; }
  header, main, footer { max-width: none; padding: 0; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  figure, .card, .panel, .row, .table, tr, li, .facts dd { break-inside: avoid; }
  thead { display: table-header-group; }
  .cards { grid-template-columns: repeat(5, 1fr); gap: 0.4rem; }
  .card dd { font-size: 0.95rem; }
  .panels:not(.many) .row { grid-template-columns: minmax(4rem, 9rem) 1fr 9rem; }
  h1, h2, h3, .kind, .answer, .answer + p, summary, thead { break-after: avoid; }
  .skip, .downloads, nav, .more, .canonical { display: none; }
  .scroll, pre { overflow: visible; }
  a { color: inherit; text-decoration: none; }
  summary { list-style: none; } summary::marker { content: ""; }
  th, td { padding-top: 0.1rem; padding-bottom: 0.1rem; }
  .table::details-content { content-visibility: visible; block-size: auto; } }
)css"_html;
}

}  // namespace lastbit::report
