import { expect, test } from "vitest";
import { LINK_TEXT_CHARS_MAX, LINKS_MAX, PAGE_DEPTH_MAX, TITLE_CHARS_MAX } from "./bounds.ts";
import { readPage } from "./read-page.ts";

const URL_OF_PAGE = "https://a.example/dir/page";
const read = (body: string | Uint8Array, contentType = "text/html", textCharsMax = 10_000) =>
  readPage({
    bytes: typeof body === "string" ? Buffer.from(body) : body,
    contentType,
    url: URL_OF_PAGE,
    textCharsMax,
    format: "text",
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

const bytesOf = (text: string, encoding: BufferEncoding, mark: number[]): Buffer =>
  Buffer.concat([Buffer.from(mark), Buffer.from(text, encoding)]);
const EURO = "<meta charset='iso-8859-1'><p>5 €";

test.each([
  ["UTF-8", bytesOf(EURO, "utf8", [0xef, 0xbb, 0xbf])],
  ["UTF-16, little end first", bytesOf(EURO, "utf16le", [0xff, 0xfe])],
  ["UTF-16, big end first", bytesOf(EURO, "utf16le", [0xff, 0xfe]).swap16()],
])("a byte order mark wins over the header and the page: %s", (_, bytes) => {
  expect(read(bytes)?.text).toBe("5 €");
  expect(read(bytes, "text/html; charset=windows-1252")?.text).toBe("5 €");
  expect(read(bytes, "text/plain; charset=latin1")?.text).toBe(EURO);
});

test("the title is the page's, not a picture's", () => {
  const icon = "<svg><title>icon</title><g/><svg/></svg>";
  expect(read(`${icon}<title>page</title>${icon}`)?.title).toBe("page");
  expect(read(`<title></title>${icon}<p>x`)?.title).toBe("");
});

test.each([
  ["text", "<p>a😀", { text: "a" }],
  [
    "a title",
    `<title>${"x".repeat(TITLE_CHARS_MAX - 1)}😀</title>`,
    { title: "x".repeat(TITLE_CHARS_MAX - 1) },
  ],
  [
    "a link's text",
    `<a href="/">${"x".repeat(LINK_TEXT_CHARS_MAX - 1)}😀</a>`,
    { links: [{ text: "x".repeat(LINK_TEXT_CHARS_MAX - 1), href: "https://a.example/" }] },
  ],
])("%s is not cut within a character, and is said to be cut", (what, html, page) => {
  const charsMax = what === "text" ? 2 : 10_000;
  expect(read(html, "text/html", charsMax)).toMatchObject({ ...page, truncated: true });
});

test("plain text is not cut within a character", () => {
  expect(read("a😀b", "text/plain", 2)).toMatchObject({ text: "a", truncated: true });
  expect(read("a😀b", "text/plain", 3)).toMatchObject({ text: "a😀", truncated: true });
});

test.each([
  ["title", `<title>${"&amp;".repeat(TITLE_CHARS_MAX)}</title>`, false],
  ["title", `<title>${" ".repeat(600)}x${" ".repeat(600)}</title>`, false],
  ["title", `<title>${"&amp;".repeat(TITLE_CHARS_MAX + 1)}</title>`, true],
  ["link's text", `<a href="/">${"&lt;".repeat(LINK_TEXT_CHARS_MAX + 1)}</a>`, true],
])("a %s that is as long as may be is whole, a longer one is said to be cut", (_, html, truncated) => {
  expect(read(html)).toMatchObject({ truncated });
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
