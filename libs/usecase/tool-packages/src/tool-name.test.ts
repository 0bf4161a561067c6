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

test("a long name takes no time to speak of", () => {
  expect(toToolName(`${"_A".repeat(50_000)}-`)).toMatch(/^a/);
});
