import { expect, test } from "vitest";
import { inspectCode } from "./check-code.ts";

const calledTools = (code: string) => {
  const inspected = inspectCode(code);
  expect(inspected.faults).toEqual([]);
  return inspected.calledTools;
};

test.each<[string, string[]]>([
  ["return 1", []],
  ["return utils.slugify('utils.callTool(1)')", []],
  ["return utils?.['slug' + 'ify']('x')", []],
  ["return args.utils.callTool(args.name)", []],
  ["return { utils: 1, callTool: 2 }", []],
  ["return await utils.callTool('web_fetch', { url: args.url })", ["web_fetch"]],
  ["return utils['callTool']('b'), utils?.callTool(`a`), (utils.callTool)('b')", ["a", "b"]],
  ["return utils['call' + 'Tool']('a' + '_b')", ["a_b"]],
  [`return utils.callTool('${"n".repeat(64)}')`, ["n".repeat(64)]],
])("%s calls the tools it names", (code, names) => {
  expect(calledTools(code)).toEqual(names);
});

test.each([
  "return utils.callTool(args.name)",
  "return utils.callTool('a' + args.name)",
  "return utils.callTool(...args.all)",
  "return utils.callTool()",
  "return utils.callTool(7)",
  "const { callTool } = utils; return callTool('a')",
  "const u = utils; return u.callTool('a')",
  "const call = utils.callTool; return call('a')",
  "return utils.callTool.call(null, args.name)",
  "return utils.callTool.apply(null, [args.name])",
  "return new Promise((done) => done(utils.callTool))",
  "return utils[args.name]('a')",
  "return { utils }",
  "return (function (u = utils) { return u.callTool('a') })()",
  "for (const key in utils) await utils[key]('a')",
  "utils.callTool('a'); return utils.callTool(`${args.b}`)",
])("%s may call any", (code) => {
  expect(calledTools(code)).toBeNull();
});

test("more names than the bound count as any", () => {
  const calls = Array.from({ length: 101 }, (_, n) => `await utils.callTool('t${n}');`).join("");
  expect(calledTools(calls)).toBeNull();
});
