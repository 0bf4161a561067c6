import type { JsonObject, SchemaChecker, TenantPrincipal, ToolDefinition } from "@bulkhead/core";
import { expect, test } from "vitest";
import { makeArguments, type Rehearsal } from "./submit-rehearsal.ts";

const parameters = { type: "object", properties: { n: { type: "integer", default: 0 } } };
const rehearsal: Rehearsal = {
  tool: { id: "tool_1", name: "sample", applyDefaults: null },
  version: 3,
  definition: { parameters } as unknown as ToolDefinition,
};
const principal: Pick<TenantPrincipal, "tenantId"> = { tenantId: "ten_1" };

/** Made for a schema that takes only what `accepts` says; what was asked is told as well. */
async function made(accepts: (value: JsonObject) => boolean) {
  const asked: [key: string, value: JsonObject][] = [];
  const checkArguments: SchemaChecker["checkArguments"] = (_tenantId, key, _schema, value) => {
    asked.push([key, value]);
    return Promise.resolve(accepts(value) ? [] : [{ path: "arguments", message: "no" }]);
  };
  return { args: await makeArguments({ schemas: { checkArguments } }, principal, rehearsal), asked };
}

test("the first example that the schema takes is what a version is tried out with", async () => {
  expect(await made(() => true)).toEqual({ args: { n: 0 }, asked: [["example/tool_1@3", { n: 0 }]] });
  expect((await made(({ n }) => n === 1)).args).toEqual({ n: 1 });
});

test("there are no arguments where the schema takes none of the examples", async () => {
  const { args, asked } = await made(() => false);
  expect(args).toBeNull();
  expect(asked.map(([, value]) => value)).toContainEqual({});
});
