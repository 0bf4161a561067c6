import { expect, test } from "vitest";
import { PAGE_DEPTH_MAX } from "./bounds.ts";
import { readMarkdown } from "./read-markdown.ts";

const URL_OF_PAGE = "https://a.example/dir/page";
const read = (html: string): string => readMarkdown(html, URL_OF_PAGE);
const LONG =
  "A bulkhead keeps one flooded compartment from sinking the whole ship, whatever it carries. ".repeat(4);
const AROUND = `<header><a href="/">Home</a> Menu</header><nav>nav</nav><div class="sidebar"><p>${LONG}Ads</p></div>`;

test("the main part is given, without what stands around it", () => {
  for (const html of [
    `${AROUND}<main><p>${LONG}</p></main><footer>Imprint</footer>`,
    `${AROUND}<article><p>${LONG}</p></article><footer>Imprint</footer>`,
    `${AROUND}<div id="c"><p>${LONG}</p><p>${LONG}</p></div><div><a href="x">${LONG}</a></div><footer>Imprint</footer>`,
  ]) {
    const text = read(html);
    expect(text).toContain("A bulkhead keeps");
    expect(text).not.toMatch(/Home|nav|Ads|Imprint/);
  }
});

test("where no part stands out, the page is given", () => {
  expect(read(`<header><h1>Shop</h1></header><div>Two words</div><footer>Imprint</footer>`)).toBe(
    "# Shop\n\nTwo words\nImprint",
  );
  expect(read("")).toBe("");
});

test("headings, lists, quotes, code and tables are Markdown's, and links are absolute", () => {
  const text = read(`<base href="/b/"><h2>A  <i>b</i></h2><p>One <b>two</b> <em>three</em> <code>x*y</code>
    <a href="c?d=1">Link [1]</a> <a href="javascript:alert(1)">no</a><img src="i.png" alt="A ship"></p>
    <ul><li>x<ul><li>y</li></ul></li></ul><ol start="3"><li>z</li></ol>
    <blockquote><p>said</p><p>so</p></blockquote><hr>
    <pre><code class="language-js">if (a) {\n  b();\n}</code></pre>
    <table><thead><tr><th>K<th>V|</thead><tr><td>1<td><a href="q">two</a><tr><td>3</table>`);
  expect(text).toBe(
    [
      "## A *b*",
      "One **two** *three* `x*y` [Link \\[1\\]](https://a.example/b/c?d=1) no![A ship](https://a.example/b/i.png)",
      "- x\n  - y",
      " 3. z",
      "> said\n>\n> so",
      "---",
      "```js\nif (a) {\n  b();\n}\n```",
      "| K | V\\| |\n| --- | --- |\n| 1 | two |\n| 3 |  |",
    ].join("\n\n"),
  );
});

test("code can't end its own fence, and a table that lays out a page is text", () => {
  expect(read("<pre>a\n```\nb</pre>")).toBe("````\na\n```\nb\n````");
  expect(read("<code>a`b</code>")).toBe("`` a`b ``");
  expect(read("<table><tr><td><table><tr><td>x<td>y</table></table>")).toContain("| x | y |");
});

test.each([
  ["deep nesting", `${"<div>".repeat(20_000)}x`],
  ["deep quotes", "<blockquote>y".repeat(5_000)],
  ["deep tables", "<table><tr><td>".repeat(3_000)],
  ["many paragraphs", "<p>a, b".repeat(50_000)],
  ["many links", '<a href="x">y</a> '.repeat(20_000)],
  ["half tags", "<".repeat(100_000)],
  ["a table of 100,000,000 columns", "<table><tr><td colspan=100000000>x<td>y</table>"],
])("hostile HTML with %s ends in text", (_, html) => {
  expect(typeof read(html)).toBe("string");
  expect(PAGE_DEPTH_MAX).toBeLessThan(2_000);
});
