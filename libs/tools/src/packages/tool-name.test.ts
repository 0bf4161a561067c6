import { expect, test } from "vitest";
import { toToolName } from "./tool-name.ts";

test.each([
  ["fetch_products", "fetch_products"],
  ["fetch-products", "fetch_products"],
  ["workflow-x", "workflow_x"],
  ["workflow-my-tool", "workflow_my_tool"],
  ["camelCase", "camel_case"],
  ["parseHTMLPage2Text", "parse_html_page2_text"],
  ["Summarize site e-mail!", "summarize_site_e_mail"],
  ["  Crème brûlée  ", "creme_brulee"],
  ["__a--b__", "a_b"],
  ["2fast", "fast"],
  ["größe", "grosse"],
  ["GRÖẞE", "grosse"],
  ["Fußweg ändern", "fussweg_andern"],
  ["Smørrebrød på øl", "smorrebrod_pa_ol"],
  ["Łódź", "lodz"],
  ["œuvre d’art", "oeuvre_d_art"],
  ["ﬁle №５", "file_no5"],
])("%j is called %s", (original, name) => {
  expect(toToolName(original)).toBe(name);
});

test.each(["", "-", "123", "日本", "__proto", "\u0000"])(
  "%j begins with no letter or becomes a name",
  (original) => {
    const name = toToolName(original);
    expect(name === null || /^[a-z][a-z0-9_]*$/.test(name)).toBe(true);
  },
);

test.each(["天気 fetch", "fetch 天気", "сводка_report", "tool_٣", "日本"])(
  "%j would lose a letter or a digit, and becomes no name",
  (original) => {
    expect(toToolName(original)).toBeNull();
  },
);

test("a long name takes no time to speak of", () => {
  expect(toToolName(`${"_A".repeat(50_000)}-`)).toMatch(/^a/);
});
