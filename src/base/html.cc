#include "base/html.h"

#include <algorithm>

#include "base/printable.h"

namespace nn {
namespace {

constexpr std::string_view kStyle = R"(
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 80em; padding: 0 1em; color: #222; background: #fff; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border: 1px solid #ccc; padding: .2em .5em; text-align: right; }
th { background: #f3f3f3; }
th.name, td.name { text-align: left; }
td.good, p.good { background: #d9f2d9; }
td.bad, p.bad { background: #f8c9c4; font-weight: bold; }
#verdict { font-size: 1.2em; padding: .3em .6em; }
td.part { background: #fbe9c6; }
td.none { color: #888; }
code { font: 13px/1.4 ui-monospace, monospace; background: #f3f3f3; padding: .1em .3em; word-break: break-all; }
section.cause { border-left: 4px solid #d9534f; padding: .1em 1em; margin: 1em 0; }
p, li, td.name, pre, summary { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; }
.wide { overflow-x: auto; }
.wide td.name { overflow-wrap: normal; }
.legend td { border: 0; text-align: left; }
.legend td:first-child { border: 1px solid #ccc; text-align: right; }
section.known { border-color: #bbb; }
tr.chosen, details.chosen, section.chosen { outline: 2px solid #2a7de1; }
[hidden] { display: none; }
#filter { position: sticky; top: 0; padding: .5em 0; background: inherit; }
#words { font: inherit; width: 24em; max-width: 60%; }
#shown { margin-left: 1em; color: #888; }
#columns { display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-start; background: inherit; }
#drawing { flex: 1 1 20em; max-height: 85vh; overflow: auto; background: #fff; border: 1px solid #ccc; }
#drawing g.node, #drawing g.edge { cursor: pointer; }
#drawing .chosen > * > * > path, #drawing .chosen > * > * > ellipse { stroke: #2a7de1; stroke-width: 3; }
#parts { flex: 1 1 30em; max-height: 85vh; overflow: auto; background: inherit; }
#parts summary { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#parts #filter { padding-top: 0; }
@media (prefers-color-scheme: dark) {
body { color: #ddd; background: #1b1b1b; }
th, code { background: #2a2a2a; }
th, td { border-color: #444; }
td.good, p.good { background: #1f4023; }
td.bad, p.bad { background: #6b2723; }
td.part { background: #57451b; }
}
)";

constexpr std::string_view kScript = R"(
const words = document.getElementById('words'), bad = document.getElementById('bad');
const rows = [...document.querySelectorAll('[data-bad]')];
const drawn = [...document.querySelectorAll('#drawing g.node, #drawing g.edge')];
function apply() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(word => word);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !wanted.every(word => text.includes(word)) ||
                 (bad.checked && row.dataset.bad !== 'yes');
  }
  document.getElementById('shown').textContent =
      rows.filter(row => !row.hidden).length + ' of ' + rows.length + ' shown';
}
// The row of a node or an arrow of a drawing: "main.operations[4]".
function rowOf(shape) {
  const name = shape.querySelector('title').textContent;
  const [, graph, operation] = /^(?:g(\d+)_)?(?:op(\d+)$)?/.exec(name);
  const place = graph === undefined ? 'main' : `referenced[${graph}]`;
  if (operation !== undefined) return `${place}.operations[${operation}]`;
  const link = shape.querySelector('a');
  const operand = /^operand (\d+)/.exec(link ? link.getAttribute('xlink:title') : '');
  return operand ? `${place}.operands[${operand[1]}]` : '';
}
function choose(row) {
  for (const other of document.querySelectorAll('.chosen')) other.classList.remove('chosen');
  for (const shape of drawn) if (rowOf(shape) === row.id) shape.classList.add('chosen');
  row.classList.add('chosen');
  row.hidden = false;
  row.open = true;
  row.scrollIntoView({block: 'nearest'});
}
function ask() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const row = document.getElementById(asked.keys().next().value);
  if (rows.includes(row)) return choose(row);
  words.value = asked.get('q') || '';
  bad.checked = asked.get('only') === 'bad';
  apply();
}
words.addEventListener('input', apply);
bad.addEventListener('input', apply);
addEventListener('hashchange', ask);
for (const shape of drawn) {
  shape.addEventListener('click', event => {
    event.preventDefault();
    if (rowOf(shape)) location.hash = rowOf(shape);
  });
}
document.getElementById('filter').hidden = false;
apply();
ask();
)";

}  // namespace

std::string escapedForXml(std::string_view text) {
    std::string out;
    const std::string line = onOneLine(text);
    for (std::string_view rest = line; !rest.empty();) {
        const auto [code, size] = firstCharacter(rest);
        if (code == '&' || code == '<' || code == '>' || code == '"' || code == '\'') {
            out += fmt::format("&#{};", static_cast<int>(code));
        } else {
            // XML has no characters 0xFFFE and 0xFFFF.
            out += code == 0xfffe || code == 0xffff ? "?" : rest.substr(0, size);
        }
        rest.remove_prefix(std::max<size_t>(size, 1));
    }
    return out;
}

Html pageHead(std::string_view title) {
    return html(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src 'unsafe-inline'; style-src 'unsafe-inline'\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
            "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
            title, Html{std::string(kStyle)});
}

Html filterBox(std::string_view hint) {
    return html(
            "<div id=\"filter\" hidden=\"hidden\"><input id=\"words\" type=\"search\" "
            "placeholder=\"{}\"/> <label><input id=\"bad\" type=\"checkbox\"/> only "
            "problems</label> <span id=\"shown\"></span></div>\n",
            hint);
}

Html pageEnd() {
    return html("<script>\n//<![CDATA[{}//]]>\n</script>\n</body>\n</html>\n",
                Html{std::string(kScript)});
}

Html listOf(const std::vector<Html>& items) {
    if (items.empty()) return {};
    Html text = html("<ul>\n");
    for (const Html& item : items) text += html("<li>{}</li>\n", item);
    return text += html("</ul>\n");
}

Html expandable(const Html& summary, const Html& content) {
    if (content.empty()) return summary;
    return html("<details><summary>{}</summary>\n{}</details>\n", summary, content);
}

}  // namespace nn
