import { expect, test } from "vitest";
import { readToolPageSearch } from "./tool-tabs.ts";

test.each([
  [{}, {}],
  [{ tab: "details" }, {}],
  [
    { tab: "executions", status: "failed" },
    { tab: "executions", status: "failed" },
  ],
  [
    { tab: "versions", v: 3, against: 1 },
    { tab: "versions", v: 3, against: 1 },
  ],
  [{ tab: "nothing", status: "odd", v: -1, against: "2", provider: ["x"] }, {}],
  [
    { tab: "access", provider: 4 },
    { tab: "access", provider: "4" },
  ],
])("%j is read as %j", (raw, read) => expect(readToolPageSearch(raw)).toEqual(read));
