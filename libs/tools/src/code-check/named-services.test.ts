import { expect, test } from "vitest";
import { inspectCode } from "./check-code.ts";

const namedServices = (code: string) => {
  const inspected = inspectCode(code);
  expect(inspected.faults).toEqual([]);
  return inspected.namedServices;
};

test.each<[string, string[]]>([
  ["return utils.getApiKey('weather')", ["weather"]],
  ["return utils?.getApiKey?.(`weather`)", ["weather"]],
  ["return utils.getApiKey('wea' + 'ther')", ["weather"]],
  [
    "return [utils.getServiceConfig('b'), utils.getConfigEntry('a', 'main'), utils.getApiKey('b')]",
    ["a", "b"],
  ],
  [
    "return [utils.getConfigEntries('a'), utils.getFieldValue('b', 'x'), utils.hmac('c', '')]",
    ["a", "b", "c"],
  ],
  ["return api.rest({ url: args.url, auth: 'mail' })", ["mail"]],
  ["return api.rest(args.url, { 'auth': { scheme: 'basic', service: 'mail' } })", ["mail"]],
  ["return api.graphql({ auth: 'mail' })", ["mail"]],
  [`return utils.getApiKey('${"n".repeat(64)}')`, ["n".repeat(64)]],
])("%s names its services", (code, names) => {
  expect(namedServices(code)).toEqual(names);
});

test.each([
  "return utils.getApiKey(args.service)",
  "return utils.getApiKey('a' + args.b)",
  "return utils.getApiKey(...args.all)",
  "return utils.getApiKey(7)",
  "return utils.getApiKey()",
  "return utils.slugify('weather')",
  "return utils[args.fn]('weather')",
  "return 'utils.getApiKey(\"weather\")' // utils.getApiKey('weather')",
  "const utils = { getApiKey: (x) => x }; return utils.getApiKey('weather')",
  "const api = { rest: (x) => x }; return api.rest({ auth: 'mail' })",
  "return { auth: 'mail' }",
  "return api.log({ auth: 'mail' })",
  "return api.rest({ headers: { auth: 'mail' } })",
  "return api.rest({ auth: args.auth })",
  "return api.rest({ auth: { service: args.service } })",
  "return api.rest({ [args.key]: 'mail' })",
])("%s names none", (code) => {
  expect(namedServices(code)).toEqual([]);
});

test("code that does not compile names none", () => {
  expect(inspectCode("utils.getApiKey('weather'").namedServices).toEqual([]);
});
