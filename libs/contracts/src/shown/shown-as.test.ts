import { expect, test } from "vitest";
import { z } from "zod";
import { shownAs } from "./shown-as.ts";

const Answer = z.object({
  id: z.string(),
  at: z.string(),
  note: z.string().optional(),
  result: z.unknown(),
  kind: z.enum(["a", "b"]),
});

const stored = { secret: "s", kindOf: 1, note: null, at: new Date(0), id: "one", result: null };

test("an answer has its contract's fields in their order, and nothing else", () => {
  const answer = shownAs(Answer, stored, { kind: "a", result: 1 });
  expect(JSON.stringify(answer)).toBe('{"id":"one","at":"1970-01-01T00:00:00.000Z","result":1,"kind":"a"}');
});

test("what is said stands before what is held, and its null is shown", () => {
  const answer = shownAs(Answer, stored, { id: "two", kind: "b", result: null });
  expect(answer).toMatchObject({ id: "two", result: null });
});

test("a field that is held in another form, or not at all, has to be said", () => {
  // @ts-expect-error: nothing says its kind.
  shownAs(Answer, stored, { result: 1 });
  // @ts-expect-error: an id in another form has to be said.
  shownAs(Answer, { ...stored, id: 1 }, { kind: "a", result: 1 });
  // @ts-expect-error: its result may be null, which is shown only where it is said.
  expect(shownAs(Answer, stored, { kind: "a" }).result).toBeUndefined();
});
