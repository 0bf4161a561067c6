import type { Permission } from "@bulkhead/core";
import { inspectCode } from "../code-check/check-code.ts";
import { expect, test } from "vitest";
import { codeWarnings } from "./code-warnings.ts";

const SERVICE =
  'The code asks for the service "weather", which the tool does not declare; add it to requiredConfigServices.';
const NETWORK = 'The code names fetch, but the tool lacks the permission "network": there it is undefined.';
const FILES =
  'The code names utils.fs, but the tool lacks the permission "filesystem": there it is undefined.';
const DATABASE =
  'The code names utils.data, utils.db, but the tool lacks the permission "database": there they are undefined.';
const ASKS = "return utils.getApiKey('weather')";

const NAME =
  "The code uses axios (line 1, column 8), which it does not declare and tools do not have: use fetch or api.rest.";
const FORGOTTEN =
  "The code uses total (line 1, column 1), which it does not declare and tools do not have: declare it with const or let, or check how it is spelled.";

const UNRETURNED =
  "The code returns nothing, and ends with a value that nobody takes (line 2, column 1): put return before it, or its result is null.";

test.each<[string, Permission[], string[], string[]]>([
  ["return 1", [], [], []],
  [ASKS, [], [], [SERVICE]],
  [ASKS, [], ["mail"], [SERVICE]],
  [ASKS, [], ["mail", "weather"], []],
  ["return fetch('x')", [], [], [NETWORK]],
  ["return fetch('x')", ["network"], [], []],
  ["return utils.fs.read('a')", ["network"], [], [FILES]],
  ["return utils.fs.read('a')", ["filesystem"], [], []],
  ["return [utils.data('a'), fetch('x'), utils.db('b')]", [], [], [NETWORK, DATABASE]],
  ["const utils = args; return utils.fs", [], [], []],
  ["return axios.get('x')", ["network"], [], [NAME]],
  ["total = 1", [], [], [FORGOTTEN]],
  ["const one = 1;\none + 1;", [], [], [UNRETURNED]],
  [`await fetch('x'); ${ASKS}`, [], [], [NETWORK, SERVICE]],
])("%s with %j and %j warns of what it will not have", (code, permissions, services, warnings) => {
  expect(codeWarnings(inspectCode(code), { permissions, services, parameters: {} })).toEqual(warnings);
});

test.each([
  ["function add(a, b) { return a + b }", "a, b"],
  ["const add = async (a, b = 2) => a + b", "a, b"],
  ["(first, b, { c }) => first + b + c", "first, b"],
  ["export default async function (a, b) { return a + b }", "a, b"],
  ["const one = 1;\nfunction add(a, b) { return a + b }\nreturn await add(args);", "a, b"],
  ["function add({ a }, b) { return a + b }", null],
  ["function add(args, context) { return args.a }", null],
  ["function add(a, context) { return a }", null],
  ["function sum(a, b) { return a + b }\nreturn sum(args.a, args.b)", null],
  ["function add(all, b) { return all.a + b }\nreturn add(args, args.b)", null],
  ["return args.a", null],
])("that %j takes its arguments one by one is told: %j", (code, names) => {
  const parameters = { type: "object", properties: { a: {}, b: {} } };
  const inspected = inspectCode(inspectCode(code).runs ?? code);
  const warnings = codeWarnings(inspected, { permissions: [], services: [], parameters });
  expect(warnings).toEqual(
    names === null
      ? []
      : [expect.stringMatching(`^The function takes \\(${names}\\).*as in \\(\\{ ${names} \\}\\)`)],
  );
});

test("what is told of undeclared services has bounds", () => {
  const code = Array.from(
    { length: 50 },
    (_, n) => `emit(utils.getApiKey("${"n".repeat(5_000)}${n}"));`,
  ).join("");
  const warnings = codeWarnings(inspectCode(code), { permissions: [], services: [], parameters: {} });
  expect(warnings).toHaveLength(20);
  expect(warnings.join("").length).toBeLessThan(5_000);
});
