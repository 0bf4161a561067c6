import { expect, test } from "vitest";
import { isChromiumsOwn } from "./forward.ts";

test.each([
  ["a page that was opened", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }, false],
  ["a page's script", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }, false],
  ["a page's request in the clear", { accept: "*/*" }, false],
  ["news of Chromium's parts", { "sec-fetch-site": "none", "sec-fetch-mode": "no-cors" }, true],
  ["the same in the clear", { "x-goog-update-appid": "ceofaddefefcbblgcgnibnonglccbfja" }, true],
])("%s is told from what nobody asked for", (_, headers, isOwn) => {
  expect(isChromiumsOwn(headers)).toBe(isOwn);
});
