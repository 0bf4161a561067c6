import type { AuditDeed, Principal, TenantNews } from "@bulkhead/core";
import { expect, test } from "vitest";
import { tellDeeds } from "./tell-deeds.ts";

function bench() {
  const said: string[] = [];
  const told: TenantNews[] = [];
  const audit = tellDeeds(
    { record: async (_by, _tenantId, ...deeds) => void said.push(...deeds.map(({ action }) => action)) },
    {
      publish: async (_tenantId, news) => {
        said.push(`told ${news.type}`);
        told.push(news);
      },
    },
  );
  return {
    said,
    told,
    record: (by: Principal | null, ...deeds: AuditDeed[]) => audit.record(by, "ten_1", ...deeds),
  };
}

test("what people set up is told once it is put down, by whose key", async () => {
  const { said, told, record } = bench();
  await record(
    { role: "admin", keyId: "key_1" },
    {
      action: "schedule.paused",
      id: "sch_1",
      name: "Nightly",
      details: { secret: "of the log alone" },
    },
  );
  await record(null, { action: "config_service.released", id: "mail" });
  expect(said).toEqual([
    "schedule.paused",
    "told schedule.paused",
    "config_service.released",
    "told config_service.released",
  ]);
  expect(told.map(({ data }) => data)).toEqual([
    { id: "sch_1", name: "Nightly", by: "key_1" },
    { id: "mail", name: undefined, by: "platform" },
  ]);
});

test("what tools and executions tell themselves is not told twice", async () => {
  const { told, record } = bench();
  await record(
    null,
    { action: "tool.updated", id: "tool_1" },
    { action: "execution.cancelled", id: "exe_1" },
  );
  expect(told).toEqual([]);
});

test("deeds that are put down together are told at once: none waits for the one before", async () => {
  const open: (() => void)[] = [];
  const types: string[] = [];
  const audit = tellDeeds(
    { record: async () => undefined },
    {
      publish: (_tenantId, { type }) => {
        types.push(type);
        return new Promise((resolve) => open.push(resolve));
      },
    },
  );
  const recorded = audit.record(
    null,
    "ten_1",
    { action: "device.paired", id: "dev_1" },
    { action: "device.changed", id: "dev_1" },
    { action: "device.removed", id: "dev_1" },
  );
  await new Promise(setImmediate);
  expect(types).toEqual(["device.paired", "device.changed", "device.removed"]);
  for (const end of open) end();
  await recorded;
});
