import { expect, test } from "vitest";
import { assistPrompt, draftTaken } from "./assist.ts";
import { BLANK } from "./draft.ts";

test("the model hears of the draft and what is wrong with it, unless there is none yet", () => {
  expect(assistPrompt("Adds.", { draft: BLANK, problems: [] })).toBe("Adds.");
  const draft = { ...BLANK, name: "add", code: "return [;" };
  const problems = [{ path: "code", message: "Unexpected token.", severity: "error" as const, line: 1 }];
  expect(assistPrompt("Mend it.", { draft, problems })).toMatch(
    /^Mend it\.[^]*return \[;[^]*code line 1: Unexpected/,
  );
});

test("a model's draft is marked as such, keeps a name that stands, and leaves out what it does not say", () => {
  const body = { name: "sum", code: "return 2;", permissions: ["network"], createdBy: "llm" };
  expect(draftTaken({ draft: BLANK, isThere: false }, body)).toEqual({
    name: "sum",
    code: "return 2;",
    permissions: ["network"],
    createdBy: "llm",
  });
  expect(draftTaken({ draft: { ...BLANK, name: "add" }, isThere: true }, body)).toEqual({
    code: "return 2;",
    permissions: ["network"],
  });
});
