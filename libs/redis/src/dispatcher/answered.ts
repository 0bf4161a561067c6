import { Fault } from "@bulkhead/core";

/** A reply of Redis, or the Fault that stands for a Redis that gave none. */
export async function answered<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (cause) {
    throw new Fault("service.unavailable", { internal: `the queue failed: ${String(cause)}`, cause });
  }
}
