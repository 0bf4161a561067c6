import { expect, test } from "vitest";
import { readShownTenants } from "./shown-tenants.ts";

const id = (n: number): string => `ten_${n.toString(16).padStart(16, "0")}`;

test("ids are read between commas, each once", () => {
  expect(readShownTenants(` ${id(1)}, ${id(2)},,${id(1)} `)).toEqual({ ok: true, rules: [id(1), id(2)] });
  expect(readShownTenants("")).toEqual({ ok: true, rules: [] });
});

test("what is no id, and what is too many, is told", () => {
  const many = Array.from({ length: 51 }, (_, n) => id(n)).join();
  expect(readShownTenants(`acme,${many}`)).toEqual({
    ok: false,
    faults: ['"acme" is no tenant\'s id; one is ten_ and 16 hex digits', "at most 50 tenants, not 52"],
  });
});
