import { median, percentile } from "../load.ts";
import type { Flooded } from "./measure-flood.ts";
import type { Shares } from "./measure-shares.ts";
import type { Quiet } from "./quiet.ts";

/** One contender under one flood, in all rounds. */
export interface FloodResult {
  contender: string;
  flood: string;
  title: string;
  rounds: Flooded[];
}

/** One contender's backlogged tenants, in all rounds. */
export interface ShareResult {
  contender: string;
  weights: number[];
  rounds: Shares[];
}

export const workerMsOf = ({ got }: Shares): number[] => got.map(({ workerMs }) => workerMs);

/** Of the calls' latencies; milliseconds. */
export const quantile = ({ calls }: Pick<Quiet, "calls">, share: number): number =>
  percentile(
    calls.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b),
    share,
  );
/** Latency beside the flood over the latency alone, the median of the rounds. */
export const ratioOf = ({ rounds }: FloodResult, share: number): number =>
  median(rounds.map(({ alone, beside }) => quantile(beside, share) / quantile(alone, share)));

export const say = (line: string): void => void process.stdout.write(`${line}\n`);
