import { expect, test } from "vitest";
import { verdictOf } from "./verdict.ts";

test.each([
  [{ rewrapped: 3, unreadable: [], complete: true }, true, /^the new master key wraps all .*_OLD may go/u],
  [{ rewrapped: 3, unreadable: ["dk_1", "dk_2"], complete: false }, false, /2 data keys.*dk_1, dk_2.*Keep/u],
  [{ rewrapped: 3, unreadable: [], complete: false }, true, /^stopped: .*run this again/u],
  [{ rewrapped: 3, unreadable: [], complete: false }, false, /lacks the new master key.*run this again/u],
])("%j, stopped %j, is told as it is, with what to do", (rotation, stopped, text) => {
  expect(verdictOf(rotation, stopped)).toMatch(text);
});
