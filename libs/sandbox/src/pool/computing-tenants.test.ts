import { expect, test } from "vitest";
import { ComputingTenants } from "./computing-tenants.ts";

test("a tenant of whom nothing is known does not compute", () => {
  expect(new ComputingTenants().isComputing("a")).toBe(false);
});

test("runs that use the processor make a computing tenant, runs that wait make another kind, each for itself", () => {
  const tenants = new ComputingTenants();
  tenants.ran("a", { cpuMs: 0.8, wallMs: 1.2 });
  tenants.ran("b", { cpuMs: 2, wallMs: 500 });
  expect(tenants.isComputing("a")).toBe(true);
  expect(tenants.isComputing("b")).toBe(false);
});

test("a tenant that changes its ways is known by the latest runs", () => {
  const tenants = new ComputingTenants();
  tenants.ran("a", { cpuMs: 1, wallMs: 1 });
  for (let run = 0; run < 30; run += 1) tenants.ran("a", { cpuMs: 1, wallMs: 300 });
  expect(tenants.isComputing("a")).toBe(false);
});
