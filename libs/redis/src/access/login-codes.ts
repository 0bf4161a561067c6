import { LOGIN_CODE_SECONDS, type LoginCodeStore } from "@bulkhead/core";
import { reaching } from "../connect/reaching.ts";
import type { StreamRedis } from "../stream/stream-redis.ts";

const reached = reaching("login codes");

const keyName = (codeHash: string): string => `bh:login:{${codeHash}}`;

/** Keeps login codes on the stream's connection. One that is lost with Redis is made anew by whoever wants in. */
export const openLoginCodes = ({ commands }: Pick<StreamRedis, "commands">): LoginCodeStore => ({
  keep: async (codeHash, keyHash) => {
    await reached(commands.set(keyName(codeHash), keyHash, "EX", LOGIN_CODE_SECONDS));
  },
  take: (codeHash) => reached(commands.getdel(keyName(codeHash))),
});
