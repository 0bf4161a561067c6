import { expect, test } from "vitest";
import { dropUnreferenced } from "./reference-schemas.ts";

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test("a schema stays that a path needs, be it through others; any other goes", () => {
  const { components } = dropUnreferenced({
    paths: { "/a": { get: { responses: { 200: { schema: refTo("Direct") } } } } },
    components: {
      securitySchemes: { key: {} },
      schemas: {
        Direct: { properties: { next: { items: refTo("Indirect") } } },
        Indirect: { properties: { again: refTo("Direct") } },
        Unused: { properties: { other: refTo("UnusedToo") } },
        UnusedToo: {},
      },
    },
  });
  expect(Object.keys(components.schemas)).toEqual(["Direct", "Indirect"]);
  expect(components.securitySchemes).toEqual({ key: {} });
});
