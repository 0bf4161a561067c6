import { expect, test } from "vitest";
import { requireNode } from "./start.ts";

test("an older Node is told to run through npm", () => {
  expect(() => requireNode("v24.11.0")).toThrow(/Node v24\.11\.0.*26.*npm start/u);
});

test.each(["v26.0.0", "v27.1.3"])("%s will do", (version) => {
  expect(() => requireNode(version)).not.toThrow();
});
