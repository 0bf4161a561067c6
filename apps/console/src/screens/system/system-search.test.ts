import type { Tenant } from "@bulkhead/client";
import { expect, test } from "vitest";
import { byLoad, readSystemSearch, type TenantLoad } from "./system-search.ts";

const tenant = (id: string) => ({ id }) as Tenant;
const load = (tenantId: string) => ({ tenantId }) as TenantLoad;

test("the busiest tenants come first, in the server's order, and all others stay in theirs", () => {
  const listed = byLoad(["a", "b", "c", "d"].map(tenant), ["d", "b"].map(load));
  expect(listed.map(({ tenant: { id } }) => id)).toEqual(["d", "b", "a", "c"]);
  expect(listed.map((one) => one.load?.tenantId)).toEqual(["d", "b", undefined, undefined]);
});

test("an address that names no tab means the first", () => {
  expect([readSystemSearch({ tab: "x" }), readSystemSearch({ tab: "tenants" })]).toEqual([
    {},
    { tab: "tenants" },
  ]);
});
