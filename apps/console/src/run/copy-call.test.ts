import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { cliOf, curlOf, sdkOf } from "./copy-call.ts";

const URL = "http://127.0.0.1:3000";
const HOSTILE: Record<string, unknown> = {
  quote: `'; rm -rf / #`,
  dollar: "$(id) `id` ${HOME}",
  lines: "a\nb\r\n\u2028",
  turned: "\u202Egnp.exe",
  at: "@/etc/passwd",
  nested: { list: [1, "\\'", null] },
};

/** The words that a shell makes of a command. */
const wordsOf = (command: string): string[] =>
  execFileSync("sh", ["-c", `printf '%s\\0' ${command.replaceAll("\\\n", "")}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

test("a shell gives curl and the command line the very arguments, whatever they hold", () => {
  const call = { tool: "shell", arguments: HOSTILE };
  const curl = wordsOf(curlOf(URL, call));
  expect(curl.slice(0, 4)).toEqual(["curl", "-X", "POST", `${URL}/api/v1/custom-tools/shell/execute`]);
  expect(curl.at(-2)).toBe("--data-raw");
  expect(JSON.parse(curl.at(-1) ?? "")).toEqual({ arguments: HOSTILE });
  const cli = wordsOf(cliOf(call));
  expect(cli.slice(0, 3)).toEqual(["bulkhead", "run", "shell"]);
  expect(JSON.parse(cli[3] ?? "")).toEqual(HOSTILE);
});

test("a name that is no plain word stays one word", () => {
  const call = { tool: "a'b;c", arguments: {} };
  expect(wordsOf(cliOf(call))[2]).toBe("a'b;c");
  expect(wordsOf(curlOf(URL, call))[3]).toBe(`${URL}/api/v1/custom-tools/a'b%3Bc/execute`);
});

test("no value holds a quote that would end its word in another shell", () => {
  const call = { tool: "shell", arguments: { text: "'; calc; '\u2019; calc; \u2018" } };
  const word = String.raw`{"text":"\u0027; calc; \u0027\u2019; calc; \u2018"}`;
  expect(cliOf(call)).toBe(`bulkhead run shell '${word}'`);
  expect(curlOf(URL, call)).toContain(`--data-raw '{"arguments":${word}}'`);
  expect(JSON.parse(word)).toEqual(call.arguments);
});

test("no value holds what cmd.exe runs, and it stays the very value", () => {
  const text = String.raw`x" & calc & "\" | %PATH% ^ !x! > out < in \\"`;
  const command = cliOf({ tool: "shell", arguments: { text, [text]: 1 } });
  expect(command).not.toMatch(/[&|<>^%!]/);
  expect(JSON.parse(wordsOf(command)[3] ?? "")).toEqual({ text, [text]: 1 });
});

test("a program passes the very arguments, and no text of them is code", () => {
  const passed = (args: Record<string, unknown>): unknown => {
    const [, call = ""] =
      /tools\.run\(([^]*)\);\nconsole/.exec(sdkOf(URL, { tool: "shell", arguments: args })) ?? [];
    const script = `process.stdout.write(JSON.stringify([${call}]))`;
    return JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
  };
  expect(passed(HOSTILE)).toEqual(["shell", HOSTILE]);
  const own = JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>;
  expect(JSON.stringify(passed(own))).toBe('["shell",{"__proto__":{"polluted":true}}]');
});

test("what hides in text is written as escapes", () => {
  const call = { tool: "shell", arguments: HOSTILE };
  for (const text of [curlOf(URL, call), cliOf(call), sdkOf(URL, call)])
    expect(text).not.toMatch(/[\u202e\u2028]/u);
});
