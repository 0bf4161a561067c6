import { Script } from "node:vm";
import { expect, test } from "vitest";
import { followRefsQuickly, REFERENCE_SCRIPT } from "./reference-script.ts";

type Resolve = (document: object, path: string[]) => Promise<unknown>;

/** The resolver that the page's own function is begun with. */
function resolver(): Resolve {
  let resolve: unknown;
  const page = {
    SwaggerUIBundle: Object.assign(
      ({ plugins }: { plugins: (() => { fn: Record<string, unknown> })[] }) => {
        resolve = plugins.at(-1)?.().fn["resolveSubtree"];
      },
      { presets: "kept" },
    ),
  };
  followRefsQuickly(page);
  expect(page.SwaggerUIBundle.presets).toBe("kept");
  page.SwaggerUIBundle({ plugins: [] });
  return resolve as Resolve;
}

const DOCUMENT = {
  paths: { "/a": { get: { schema: { $ref: "#/components/schemas/Tree", description: "Here." } } } },
  components: {
    schemas: {
      Tree: {
        type: "object",
        properties: {
          leaf: { $ref: "#/components/schemas/Leaf" },
          below: { items: { $ref: "#/components/schemas/Tree" } },
        },
      },
      Leaf: { type: "string" },
    },
  },
};

test("what is shown has its schemas in place, each under its name, and ends where one holds itself", async () => {
  expect(await resolver()(DOCUMENT, ["paths", "/a", "get"])).toEqual({
    errors: [],
    spec: {
      schema: {
        title: "Tree",
        type: "object",
        description: "Here.",
        properties: {
          leaf: { title: "Leaf", type: "string" },
          below: { items: { $ref: "#/components/schemas/Tree" } },
        },
      },
    },
  });
});

test("a place that is not there, and a reference to what is elsewhere, are left as they are", async () => {
  const resolve = resolver();
  expect(await resolve({}, ["paths", "/b"])).toEqual({ errors: [], spec: undefined });
  const odd = { $ref: "#/components/schemas/Gone" };
  expect(await resolve({ paths: odd }, ["paths"])).toEqual({ errors: [], spec: odd });
});

test("as a file it is a program of a browser's, without types", () => {
  expect(() => new Script(REFERENCE_SCRIPT)).not.toThrow();
});
