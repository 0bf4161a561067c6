import { leakCheck, startProduct, type Product } from "@bulkhead/testing";
import { afterEach, expect, test } from "vitest";

leakCheck();

let product: Product | null = null;
afterEach(async () => {
  await product?.stop();
  product = null;
});

/** All log lines so far: pino's JSON. */
const linesOf = (of: Product): { level: number; area?: string; msg: string }[] =>
  of
    .logs()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

const INFO = 30;

test("an area speaks at its own level while the others keep to the one for all", async () => {
  product = await startProduct({ env: { LOG_LEVEL: "error,sandbox=info" } });
  const lines = linesOf(product);
  expect(lines.filter(({ msg }) => msg === "the sandbox stands")).toMatchObject([
    { area: "sandbox", level: INFO },
  ]);
  for (const { area } of lines) expect(area).toBe("sandbox");
});

test("an area can be silenced alone", async () => {
  product = await startProduct({ env: { LOG_LEVEL: "info,sandbox=silent" } });
  expect(linesOf(product).filter(({ area }) => area === "sandbox")).toEqual([]);
});

test("a bad level is refused by name before anything starts, by every process", async () => {
  const started = startProduct({ env: { LOG_LEVEL: "info,moon=debug" }, workers: 0 });
  await expect(started).rejects.toThrow(/LOG_LEVEL: no such area: moon; there are http, queue/u);
});
