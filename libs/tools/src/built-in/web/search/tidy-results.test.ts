import { expect, test } from "vitest";
import { RESULT_SNIPPET_CHARS_MAX, RESULT_TITLE_CHARS_MAX } from "./bounds.ts";
import { tidyResults } from "./tidy-results.ts";

const URL_OF_PAGE = "https://a.example/";
const one = (raw: object) => tidyResults([{ url: URL_OF_PAGE, ...raw }], 10)[0];

test("marks, entities, line ends and invisible characters of strangers are gone", () => {
  const title = "The <strong>news</strong> &amp; more\u202e\u0000";
  expect(one({ title, snippet: "a\n\n b\u001b[31m &lt;script&gt;" })).toEqual({
    title: "The news & more",
    url: URL_OF_PAGE,
    snippet: "a b[31m <script>",
  });
});

test("long texts are cut, and no character within", () => {
  const long = "😀".repeat(5_000);
  const { title, snippet } = one({ title: long, snippet: long }) as { title: string; snippet: string };
  expect([title.length, snippet.length]).toEqual([RESULT_TITLE_CHARS_MAX, RESULT_SNIPPET_CHARS_MAX]);
  expect([title.isWellFormed(), snippet.isWellFormed()]).toEqual([true, true]);
});

test.each([
  ["2026-11-20T08:00:00Z", "2026-11-20T08:00:00.000Z"],
  ["2026-11-20", "2026-11-20T00:00:00.000Z"],
  ["3 days ago", undefined],
  [7, undefined],
  [null, undefined],
])("a date %j is told as %j", (publishedAt, told) => {
  expect(one({ publishedAt })?.["publishedAt"]).toBe(told);
});

test.each([
  ["no text", 5],
  ["javascript:", "javascript:alert(1)"],
  ["data:", "data:text/html,x"],
  ["no URL", "nothing"],
  ["longer than any real one", `https://a.example/${"x".repeat(3_000)}`],
])("a result whose address is %s is left out, and the next ones count", (_, url) => {
  const results = tidyResults([{ url }, { url: "https://b.example/" }, { url: "https://c.example/" }], 1);
  expect(results).toEqual([{ title: "", url: "https://b.example/", snippet: "" }]);
});
