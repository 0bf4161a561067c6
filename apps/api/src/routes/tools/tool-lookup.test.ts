import type { TenantPrincipal } from "@bulkhead/core";
import { BUILT_IN_TOOLS } from "@bulkhead/tools/built-in";
import { expect, test } from "vitest";
import { ToolLookup } from "./tool-lookup.ts";

test("a call of a tool that no worker has the engine for is told what it lacks, another name is not there", async () => {
  const nowhere = { get: () => Promise.resolve(null) } as never;
  const builtIns = BUILT_IN_TOOLS.filter(({ name }) => name !== "browser");
  const lookup = new ToolLookup({ tools: {} as never, found: nowhere, versions: nowhere, builtIns });
  const owner = { tenantId: "ten_1", role: "owner", agentId: null } as unknown as TenantPrincipal;
  const why = (name: string) =>
    lookup.findCallable(owner, name).then(
      () => null,
      ({ code, detail }) => [code, detail],
    );
  expect(await why("browser")).toEqual(["tool.not_found", expect.stringMatching(/Chromium.*CHROMIUM/)]);
  expect(await why("brows")).toEqual(["tool.not_found", expect.stringMatching(/^There is no tool/)]);
});
