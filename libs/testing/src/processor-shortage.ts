import { readFile } from "node:fs/promises";

/**
 * For how long so far anything on this machine was ready to run and had no processor, as the system counts it
 * (pressure stall information, `some`); milliseconds. 0 where it doesn't count. For bounds of time in tests: what others
 * take of the machine is no fault of the product.
 */
export async function shortageMs(): Promise<number> {
  const told = await readFile("/proc/pressure/cpu", "utf8").catch(() => "");
  return Math.round(Number(/^some .*total=(\d+)$/mu.exec(told)?.[1] ?? 0) / 1_000);
}
