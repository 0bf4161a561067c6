import { setTimeout as delay } from "node:timers/promises";
import type { FaultRow } from "./row.ts";

/** The load's streams and waiting calls are many at any moment; this one is surely in its middle. */
const INTO_STREAM_MS = 300;

export const API_ROWS: readonly FaultRow[] = [
  {
    name: "kill -9 of the API during streams and waiting calls",
    strike: async ({ rig, start }) => {
      await start("ticker");
      await delay(INTO_STREAM_MS);
      await rig.product.api.kill();
      await rig.product.api.restart();
    },
  },
  {
    name: "a restart of the API under load",
    strike: async ({ rig, start }) => {
      await start("ticker");
      await delay(INTO_STREAM_MS);
      await rig.product.api.restart();
    },
  },
];
