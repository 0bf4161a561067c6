import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PIXELS_MAX, SIDE_MAX } from "./bounds.ts";
import { withKnownFamilies } from "./fonts.ts";
import { NotDrawable, prepareSvg } from "./prepare-svg.ts";

const prepare = (attributes: string, asked: object = {}) =>
  prepareSvg(`<svg ${attributes}><g/></svg>`, { scale: 1, ...asked });

test.each([
  ['width="40" height="30"', {}, 40, 30],
  ["width='1in' height='72pt'", {}, 96, 96],
  ['width="100%" height="100%" viewBox="0 0 200 100"', {}, 200, 100],
  ['viewBox="0,0,200,100"', { width: 50 }, 50, 25],
  ['width="40" viewBox="0 0 200 100"', {}, 40, 20],
  ['width="40" height="30"', { height: 60 }, 80, 60],
  ['width="40" height="30"', { width: 10, height: 10 }, 10, 10],
  ["", {}, 300, 150],
  ["", { width: 77 }, 77, 150],
  ['width="0" height="-3" viewBox="0 0 0 0"', {}, 300, 150],
])("an SVG with %s, asked for as %j", (attributes, asked, width, height) => {
  expect(prepare(attributes, asked)).toMatchObject({ width, height });
});

test("its root alone gets a size, and a box where it said its own", () => {
  const source = `<?xml version="1.0"?><!-- <svg> --><svg width="4"\n stroke-width="2" height='3'><rect width="1"/></svg>`;
  expect(prepareSvg(source, { scale: 1, width: 8 }).svg).toBe(
    `<?xml version="1.0"?><!-- <svg> --><svg\n stroke-width="2" width="8" height="6" viewBox="0 0 4 3"><rect width="1"/></svg>`,
  );
  expect(prepare('viewBox="0 0 9 9"').svg).toBe('<svg viewBox="0 0 9 9" width="9" height="9"><g/></svg>');
  expect(prepareSvg("<s:svg/>", { scale: 1 }).svg).toBe('<s:svg width="300" height="150"/>');
});

test("whatever is said of sizes, no picture has more pixels than the bound", () => {
  const side = fc.option(fc.integer({ min: 1, max: SIDE_MAX }), { nil: undefined });
  const said = fc.option(fc.oneof(fc.double({ min: 0, max: 1e12 }), fc.string({ maxLength: 8 })), {
    nil: undefined,
  });
  fc.assert(
    fc.property(
      said,
      said,
      said,
      side,
      side,
      fc.double({ min: 0.1, max: 4 }),
      (w, h, box, width, height, scale) => {
        const attribute = (name: string, value: string | number | undefined) =>
          value === undefined ? "" : ` ${name}="${String(value).replaceAll(/["<>&]/g, "")}"`;
        const tag = `<svg${attribute("width", w)}${attribute("height", h)}${attribute("viewBox", box === undefined ? box : `0 0 ${box} ${box}`)}/>`;
        try {
          const size = prepareSvg(tag, { width, height, scale });
          expect(Math.ceil(size.width * scale) * Math.ceil(size.height * scale)).toBeLessThanOrEqual(
            PIXELS_MAX,
          );
          expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(NotDrawable);
        }
      },
    ),
  );
});

test.each([
  ["width", { width: 9, height: 10 }, 0.1],
  ["height", { width: 10, height: 1 }, 0.1],
  ["height", { width: 4 }, 0.25],
] as const)("a %s that makes less than one pixel is refused by its name: %j at %d", (name, asked, scale) => {
  expect(() => prepare('width="40" height="30"', { ...asked, scale })).toThrow(
    new RegExp(`^${name}: .* makes less than one pixel: give a larger ${name} or scale$`),
  );
  const whole = { width: 10, height: 10, scale: 0.1 };
  expect(prepare('width="40" height="30"', whole)).toMatchObject({ width: 10, height: 10 });
});

test("families are renamed where they are declared, and nowhere else", () => {
  const text = "<text>font-family: serif, monospace</text>";
  expect(
    withKnownFamilies(
      `<style>a{font:12px Georgia;color:red}</style><g font-family="Courier New" class="serif"/>${text}`,
    ),
  ).toBe(
    `<style>a{font:12px DejaVu Serif;color:red}</style><g font-family="DejaVu Sans Mono" class="serif"/>${text}`,
  );
  expect(withKnownFamilies(`<g style="font-family:'Times', sans-serif"/>`)).toBe(
    `<g style="font-family:'DejaVu Serif', sans-serif"/>`,
  );
});
