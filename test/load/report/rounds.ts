import { load, type Load } from "../load.ts";
import { BODY, isRight, type System } from "../systems.ts";
import { warmUpSeconds, type Figure, type Settings } from "./part.ts";

/** Opens something, uses it and closes it, whatever happens. */
export async function using<T extends { close(): Promise<void> }, R>(
  opening: Promise<T>,
  use: (opened: T) => Promise<R>,
): Promise<R> {
  const opened = await opening;
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

/** Something that is measured in turns with others; each call of `run` is one round. */
export interface Contender<T> {
  name: string;
  run: () => Promise<T>;
}

/**
 * All contenders in every round, forwards and backwards in turns, so that a drift of the machine's speed meets all of them
 * alike. What each measured is in the order of the rounds.
 */
export async function inTurns<T>(
  { rounds, note }: Pick<Settings, "rounds" | "note">,
  contenders: readonly Contender<T>[],
): Promise<T[][]> {
  const measured = contenders.map((): T[] => []);
  for (let round = 1; round <= rounds; round += 1) {
    const places = [...contenders.keys()];
    for (const place of round % 2 === 1 ? places : places.toReversed()) {
      const contender = contenders[place];
      if (contender === undefined) continue;
      note(`round ${round} of ${rounds}: ${contender.name}`);
      measured[place]?.push(await contender.run());
    }
  }
  return measured;
}

/** Calls the bench's tool over so many connections. Throws where any answer is not the right one: that is no measurement. */
export async function callRightly(
  { name, url, headers }: Pick<System, "name" | "url" | "headers">,
  connections: number,
  seconds: number,
): Promise<Load> {
  const measured = await load({
    url,
    headers,
    body: BODY,
    connections,
    durationMs: seconds * 1_000,
    isRight,
  });
  if (measured.wrong > 0)
    throw new Error(
      `${name}: ${measured.wrong} of ${measured.answers} answers were wrong: ${measured.firstWrong}`,
    );
  return measured;
}

/** Until what is hot is compiled. */
export async function warmUp(systems: readonly System[], settings: Settings): Promise<void> {
  for (const system of systems) {
    settings.note(`warming up: ${system.name}`);
    await callRightly(system, 64, warmUpSeconds(settings));
  }
}

/** One over the other, round by round. */
export const ratio = (what: string, over: readonly number[], under: readonly number[]): Figure => ({
  what,
  unit: "×",
  rounds: over.map((value, round) => value / (under[round] ?? Number.NaN)),
});
