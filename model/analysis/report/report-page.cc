/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-page.h"

#include "svg-chart.h"

namespace ns3
{

namespace
{

const char* const PAGE_STYLE = R"(
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1000px; padding: 0 16px 48px;
       color: #111; background: #fff; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2em; }
code { overflow-wrap: anywhere; }
.notice { border: 2px solid #D55E00; border-radius: 4px; padding: 8px 12px; }
figure { margin: 24px 0; overflow-x: auto; }
figcaption { font-weight: 600; }
svg { display: block; width: 100%; min-width: 560px; height: auto; }
svg text { font: 13px system-ui, sans-serif; fill: #111; }
.grid { stroke: #ddd; }
.maps svg { min-width: 0; max-width: 720px; }
.steps { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 8px 0; }
.steps[hidden] { display: none; }
.steps input { flex: 1 1 200px; min-width: 120px; }
.steps button, .steps select { font: inherit; padding: 2px 10px; }
.table { overflow-x: auto; margin: 16px 0; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 10px; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th button { font: inherit; font-weight: 600; border: 0; padding: 0; background: none; cursor: pointer; color: inherit; }
th[aria-sort=ascending] button::after { content: " \2191"; }
th[aria-sort=descending] button::after { content: " \2193"; }
td.long { white-space: normal; text-align: left; min-width: 200px; max-width: 420px; }
.words td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
@media print {
  figure, tr, .notice { break-inside: avoid; } h2 { break-after: avoid; }
  th button { cursor: auto; } .steps { display: none; }
  table { font-size: 11px; } th, td { padding: 2px 6px; white-space: normal; }
}
)";

const char* const PAGE_SCRIPT = R"(
for (const button of document.querySelectorAll('th button')) {
  button.addEventListener('click', () => {
    const head = button.parentElement, body = head.closest('table').tBodies[0];
    const place = [...head.parentElement.children].indexOf(head);
    const up = head.getAttribute('aria-sort') !== 'ascending';
    for (const other of head.parentElement.children) { other.removeAttribute('aria-sort'); }
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const value = row => row.children[place].dataset.value ?? row.children[place].textContent;
    const compare = (a, b) => a !== '' && b !== '' && !isNaN(a) && !isNaN(b) ? a - b : a < b ? -1 : a > b ? 1 : 0;
    const rows = [...body.rows].sort((a, b) => (up ? 1 : -1) * compare(value(a), value(b)));
    body.append(...rows);
  });
}
for (const maps of document.querySelectorAll('figure.maps')) {
  const rail = maps.querySelector('select'), slider = maps.querySelector('input');
  const of = () => JSON.parse(rail.selectedOptions[0].dataset.instants);
  const show = () => {
    const [text, picture] = of()[slider.value];
    maps.querySelector('.instant').textContent = text;
    for (const one of maps.querySelectorAll('.map')) { one.hidden = one.id !== picture; }
  };
  const go = place => { slider.value = place; show(); };
  rail.addEventListener('change', () => {
    slider.max = of().length - 1;
    go(rail.selectedOptions[0].dataset.first);
  });
  slider.addEventListener('input', show);
  maps.querySelector('.before').addEventListener('click', () => go(Number(slider.value) - 1));
  maps.querySelector('.after').addEventListener('click', () => go(Number(slider.value) + 1));
  maps.querySelector('.steps').hidden = false;
}
)";

} // namespace

std::string
MakeReportPage(const std::string& title, const std::string& body)
{
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
           EscapeMarkup(title) +
           "</title>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<link rel=\"icon\" href=\"data:,\">\n<style>" +
           PAGE_STYLE + "</style></head><body>\n" + body + "<script>" + PAGE_SCRIPT +
           "</script></body></html>\n";
}

} // namespace ns3
