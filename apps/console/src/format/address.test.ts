import { expect, test } from "vitest";
import { nextCursor } from "./address.ts";

test("the next part is named by the link, the last one by none", () => {
  const link = '</api/v1/custom-tools/export?names=a%2Cb&format=zip&cursor=x%3Dy>; rel="next"';
  expect(nextCursor(link)).toBe("x=y");
  expect(nextCursor(null)).toBe(undefined);
  expect(nextCursor('</api/v1/custom-tools/export>; rel="prev"')).toBe(undefined);
});
