import { expect, test, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
const { nextCursor } = await import("./export-tools.ts");

test("the next part is named by the link, the last one by none", () => {
  const link = '</api/v1/custom-tools/export?names=a%2Cb&format=zip&cursor=x%3Dy>; rel="next"';
  expect(nextCursor(link)).toBe("x=y");
  expect(nextCursor(null)).toBe(undefined);
  expect(nextCursor('</api/v1/custom-tools/export>; rel="prev"')).toBe(undefined);
});
