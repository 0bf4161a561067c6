import { calmly } from "../connect/calmly.ts";
import { connect, disconnect, type RedisClient } from "../connect/connect.ts";
import { listen } from "../connect/listen.ts";
import { defineSteps } from "./steps.ts";
import { Subscriptions } from "./subscriptions.ts";

/** The two connections that everything here shares: one for commands, one that listens. */
export interface StreamRedis {
  readonly commands: RedisClient;
  readonly subscriptions: Subscriptions;
  readonly onError: (error: unknown) => void;
  /** Close this after everything that was opened on it. */
  close(): Promise<void>;
}

export interface OpenStreamRedisInput {
  redisUrl: string;
  /** Told about a broken connection, once per outage; both come back by themselves. */
  onError: (error: Error) => void;
}

/** Throws `service.unavailable` when Redis isn't there. */
export async function openStreamRedis(input: OpenStreamRedisInput): Promise<StreamRedis> {
  const { redisUrl } = input;
  const onError = calmly(input.onError);
  const commands = await connect({ redisUrl, name: "bulkhead-stream", onError });
  defineSteps(commands);
  const listening = await listen({ redisUrl, name: "bulkhead-listen", onError, beside: commands }).catch(
    async (error: unknown) => {
      await disconnect(commands);
      throw error;
    },
  );
  const subscriptions = new Subscriptions(listening, onError);
  return {
    commands,
    subscriptions,
    onError,
    close: async () => {
      subscriptions.close();
      await Promise.all([disconnect(commands), disconnect(listening)]);
    },
  };
}
