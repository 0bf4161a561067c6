import { expect, test } from "vitest";
import { rememberCodeFaults } from "./code-faults.ts";

const BAD = "const a = 1;\nreturn process.env;";

test("the first fault of a code is told, and none of a good one, each time the same", () => {
  const findCodeFault = rememberCodeFaults();
  for (const tool of [{ code: BAD }, { code: BAD }]) {
    for (const _time of [1, 2])
      expect(findCodeFault(tool)).toMatchObject({ line: 2, column: 8, rule: "process" });
  }
  const good = { code: "return args;" };
  for (const tool of [good, good, { ...good }]) expect(findCodeFault(tool)).toBeNull();
});

test("a code is parsed once, however often and in how many copies it comes", () => {
  const findCodeFault = rememberCodeFaults();
  const first = findCodeFault({ code: BAD });
  expect(first).not.toBeNull();
  expect(findCodeFault({ code: BAD })).toBe(first);
});

test("a definition in memory is not even hashed again", () => {
  const findCodeFault = rememberCodeFaults();
  let reads = 0;
  const tool = {
    get code() {
      reads += 1;
      return "return 1;";
    },
  };
  findCodeFault(tool);
  const readsOnce = reads;
  findCodeFault(tool);
  expect(reads).toBe(readsOnce);
});
