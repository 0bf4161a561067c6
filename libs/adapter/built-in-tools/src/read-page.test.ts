import { expect, test } from "vitest";
import { LINKS_MAX, PAGE_DEPTH_MAX } from "./bounds.ts";
import { readPage } from "./read-page.ts";

const URL_OF_PAGE = "https://a.example/dir/page";
const read = (body: string | Uint8Array, contentType = "text/html", textCharsMax = 10_000) =>
  readPage({
    bytes: typeof body === "string" ? Buffer.from(body) : body,
    contentType,
    url: URL_OF_PAGE,
    textCharsMax,
  });

test("a page becomes its title, its text and its links", () => {
  const html = `<html><head><title> A &amp; B </title><style>p{}</style></head><body><nav>menu</nav><h2>Head</h2>
    <p>One <i>two</i></p><ul><li>x</li></ul><script>evil()</script><a href="../up?q=1">Up</a></body></html>`;
  expect(read(html)).toEqual({
    title: "A & B",
    text: expect.stringMatching(/^Head\s+One two\s+\* x\s+Up$/),
    links: [{ text: "Up", href: "https://a.example/up?q=1" }],
    truncated: false,
  });
});

test.each([
  ["relative to a base", '<base href="/b/"><a href="c">t</a>', ["https://a.example/b/c"]],
  ["javascript:", '<a href="javascript:alert(1)">t</a>', []],
  ["data:", '<a href="data:text/html,x">t</a>', []],
  ["without an address", "<a>t</a>", []],
  ["that is no URL", '<a href="http://[">t</a>', []],
  ["that is longer than any real one", `<a href="/${"x".repeat(3_000)}">t</a>`, []],
])("a link %s", (_, html, hrefs) => {
  expect(read(html)?.links.map(({ href }) => href)).toEqual(hrefs);
});

test("more links than the bound, and more text than asked for, are cut off and said to be", () => {
  const many = read('<a href="/x">y</a>'.repeat(LINKS_MAX + 1));
  expect(many).toMatchObject({ truncated: true });
  expect(many?.links).toHaveLength(LINKS_MAX);
  expect(read("<p>abcdef", "text/html", 3)).toMatchObject({ text: "abc", truncated: true });
});

test.each([
  ["JSON is written readably", '{"a":[1]}', "application/json; charset=utf-8", '{\n  "a": [\n    1\n  ]\n}'],
  ["JSON that is cut off stays as it came", '{"a":[1', "application/json", '{"a":[1'],
  ["JSON of its own kind too", "1", "application/ld+json", "1"],
  ["plain text stays as it is", "<b>x</b>", "text/plain", "<b>x</b>"],
  ["XML stays as it is", "<a>x</a>", "application/xml", "<a>x</a>"],
  ["text of no stated type is text", "hello", "", "hello"],
  ["HTML of no stated type is HTML", " <!DOCTYPE html><p>hi", "", "hi"],
  ["an unknown encoding is read as UTF-8", "é", "text/plain; charset=nonsense", "é"],
])("%s", (_, body, contentType, text) => {
  expect(read(body, contentType)?.text).toBe(text);
});

test("the encoding is the header's, else the page's own", () => {
  const latin = Buffer.from("<meta charset='iso-8859-1'><p>caf\u00e9", "latin1");
  expect(read(latin)?.text).toBe("café");
  expect(read(Buffer.from("caf\u00e9", "latin1"), "text/html; charset=windows-1252")?.text).toBe("café");
});

test.each([
  ["an image", Buffer.of(0x89, 0x50), "image/png"],
  ["an archive", Buffer.from("PK"), "application/zip"],
  ["bytes of no stated type", Buffer.of(1, 0, 2), ""],
])("%s is not text", (_, bytes, contentType) => {
  expect(read(bytes, contentType)).toBeNull();
});

test.each([
  ["deep nesting", "<div>".repeat(20_000) + "x"],
  ["deep lists", "<ul><li>".repeat(2_000) + "x"],
  ["half tags", "<".repeat(200_000)],
  ["open attributes", '<a href="'.repeat(20_000)],
  ["entities", "&amp;".repeat(100_000)],
])("hostile HTML with %s ends in a page", (_, html) => {
  expect(read(html)).toMatchObject({ links: expect.any(Array) });
  expect(PAGE_DEPTH_MAX).toBeLessThan(2_000);
});
