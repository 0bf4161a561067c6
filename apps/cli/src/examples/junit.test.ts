import { expect, test } from "vitest";
import type { FolderFault } from "../folders.ts";
import { exampleOf, fakeService, fakeTool } from "./fixtures/service.ts";
import { junitXml } from "./junit.ts";
import { tryExample } from "./try-example.ts";

const HOSTILE = `</failure><x a="1">&amp; ]]> \u001b[31m\u0000\ufffe\ud800 "'`;

test("JUnit's XML counts, and no stranger's text is markup or a character that XML has not", async () => {
  const { client } = fakeService(() => ({ status: "succeeded", result: HOSTILE }));
  const deps = { client, checkSchema: async () => [], root: "/", loaded: { files: [] }, isLive: false };
  const { signal } = new AbortController();
  const examples = [
    await tryExample(deps, fakeTool("adder"), exampleOf("right", {}), { signal }),
    await tryExample(deps, fakeTool("adder"), exampleOf(HOSTILE, { result: 1 }), { signal }),
  ].map((one) => ({ ...one, durationMs: 1_500 }));
  const fault = {
    severity: "error",
    code: "module.threw",
    file: "bad/tools.ts",
    line: 2,
    column: 3,
  } as const;
  const faults: FolderFault[] = [{ ...fault, export: null, message: HOSTILE, frame: null, stack: null }];
  const xml = junitXml({ examples, faults, missing: [{ name: "silent", file: "silent/tool.js" }] });
  expect(xml).toContain('<testsuites name="bulkhead test" tests="4" failures="2" errors="1" time="3.000">');
  expect(xml).toContain('<testsuite name="adder" tests="2" failures="1" errors="0" time="3.000">');
  expect(xml).toContain('<testcase classname="silent" name="examples"');
  expect(xml).toContain("&lt;/failure&gt;&lt;x a=");
  expect(xml).toContain(String.raw`\x1b[31m\x00`);
  const unescaped = xml.replaceAll(
    /<\/?(?:testsuites?|testcase|failure|error|system-out)\b[^<>]*>|<\?xml[^<>]*>/g,
    "",
  );
  expect(unescaped).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|#9|#10);)/);
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- XML has none of these.
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Cs}/u);
});
