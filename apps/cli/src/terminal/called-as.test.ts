import { expect, test } from "vitest";
import { asCalled, calledAs } from "./called-as.ts";

const LOCAL = "/home/ada/tools/node_modules/.bin/bulkhead";
const AGENT = "npm_config_user_agent";

test.each([
  ["installed for all", "/usr/local/bin/bulkhead", "/home/ada/tools", {}, "bulkhead"],
  [
    "installed for all, and run by a script of npm",
    "/usr/bin/bulkhead",
    "/home/ada",
    { [AGENT]: "npm/11 node" },
    "bulkhead",
  ],
  ["a project's", LOCAL, "/home/ada/tools", {}, "npx bulkhead"],
  [
    "a project's, called by npm",
    LOCAL,
    "/home/ada/tools/pay/x",
    { [AGENT]: "npm/11.6.2 node/v26" },
    "npx bulkhead",
  ],
  [
    "a project's, called by pnpm",
    LOCAL.replace(".bin", ".pnpm/x/node_modules/y"),
    "/home/ada/tools",
    { [AGENT]: "pnpm/10 npm/?" },
    "pnpm exec bulkhead",
  ],
  ["a project's, called by yarn", LOCAL, "/home/ada/tools", { [AGENT]: "yarn/4.9" }, "yarn bulkhead"],
  ["a project's, called by bun", LOCAL, "/home/ada/tools", { [AGENT]: "bun/1.3" }, "bunx bulkhead"],
  ["another project's", LOCAL, "/home/ada/other", {}, "bulkhead"],
  ["one of a folder whose name only begins so", LOCAL, "/home/ada/tools-2", {}, "bulkhead"],
  [
    "fetched for this call",
    "/home/ada/.npm/_npx/1f/node_modules/.bin/bulkhead",
    "/home/ada/tools",
    {},
    "bulkhead",
  ],
  ["started from its sources", "/src/apps/cli/src/main.ts", "/src", {}, "bulkhead"],
  ["started by nobody knows what", undefined, "/", {}, "bulkhead"],
])("one that is %s is called so again", (_what, script, folder, env, words) => {
  expect(calledAs({ script, folder, env })).toBe(words);
});

test("each command in a sentence is told as it is called, and nothing else is changed", () => {
  const said =
    "Log in (bulkhead login), or: bulkhead push --yes. It is a fault of bulkhead's own; see .bulkhead and BULKHEAD_URL.";
  expect(asCalled(said, "npx bulkhead")).toBe(
    "Log in (npx bulkhead login), or: npx bulkhead push --yes. It is a fault of bulkhead's own; see .bulkhead and BULKHEAD_URL.",
  );
  expect(asCalled("See: bulkhead --help", "npx bulkhead")).toBe("See: npx bulkhead --help");
});
