import { Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { checkCode } from "./check-code.ts";

function refusalOf(code: string): Fault {
  try {
    checkCode(code);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

test.each([
  ["__proto__", "return ({}).__proto__", "holds a forbidden pattern"],
  ["constructor", "return ({}).constructor", "holds a forbidden pattern"],
  ["process", "return process.pid", "holds a forbidden pattern"],
  ["syntax", "return (", "does not compile"],
])("a refusal by the rule %s says in words what is wrong, and where first", (rule, code, what) => {
  const { detail, errors } = refusalOf(code);
  expect(errors[0]).toMatchObject({ path: "code", line: 1, rule });
  expect(detail).toBe(`The code ${what}: ${errors[0]?.message}`);
});
