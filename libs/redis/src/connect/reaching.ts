import { Fault } from "@bulkhead/core";

/** Gives replies; where Redis is away they reject with `service.unavailable`, which says for the log what can't be reached. */
export const reaching =
  (what: string) =>
  async <T>(reply: Promise<T>): Promise<T> => {
    try {
      return await reply;
    } catch (cause) {
      throw new Fault("service.unavailable", { internal: `${what} can't be reached`, cause });
    }
  };
