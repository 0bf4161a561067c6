import { readFile } from "node:fs/promises";

/**
 * The time so far in which anything on this machine was ready to run and had no processor, as the system counts it
 * (pressure stall information, `some`); milliseconds. 0 if it doesn't count. Bounds of time in tests subtract it: a busy
 * machine is no fault of the product.
 */
export async function shortageMs(): Promise<number> {
  const told = await readFile("/proc/pressure/cpu", "utf8").catch(() => "");
  return Math.round(Number(/^some .*total=(\d+)$/mu.exec(told)?.[1] ?? 0) / 1_000);
}
