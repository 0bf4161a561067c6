import { expect, test } from "vitest";
import { readColour, withAlpha } from "./read-colour.ts";

test.each([
  ["color(srgb 0 0.5 1)", "#0080ffff"],
  ["color(srgb 0.0941176 0.117647 0.164706 / 0.07)", "#181e2a12"],
  ["color(srgb -0.01 1.2 1e-7)", "#00ff00ff"],
  ["rgb(1, 2, 3)", null],
  ["", null],
])("%s is %s", (computed, hex) => expect(readColour(computed)).toBe(hex));

test("a colour is made fainter", () => expect(withAlpha("#181e2aff", 0.25)).toBe("#181e2a40"));
