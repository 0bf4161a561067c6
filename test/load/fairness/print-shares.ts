import { median } from "../load.ts";
import { say, workerMsOf, type ShareResult } from "./results.ts";
import { jainIndex, shareRatios } from "./shares.ts";

export function printShares(results: ShareResult[]): void {
  say(
    "\nWorker-time of tenants with a backlog: what each got ÷ what its weight entitles it to (ms of slot × per second)",
  );
  for (const { contender, weights, rounds } of results) {
    const cells = weights.map((_, place) => {
      const ratio = median(rounds.map((round) => shareRatios(workerMsOf(round), weights)[place] ?? 0));
      const each = median(
        rounds.map((round) => (round.got[place]?.workerMs ?? 0) / (round.got[place]?.ended ?? 0)),
      );
      const perSecond = median(rounds.map((round) => (round.got[place]?.ended ?? 0) / round.seconds));
      return `  ${ratio.toFixed(3)} (${each.toFixed(0)} × ${perSecond.toFixed(0)})`.padStart(22);
    });
    const index = median(rounds.map((round) => jainIndex(workerMsOf(round), weights)));
    say(`${`${weights.join(":")} ${contender}`.padEnd(22)}${cells.join("")}   index ${index.toFixed(4)}`);
  }
}
