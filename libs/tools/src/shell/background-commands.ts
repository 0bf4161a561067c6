import {
  type ProcessBoard,
  type ProcessEnd,
  type ProcessFacts,
  type ProcessKey,
  type ProcessWord,
} from "@bulkhead/core";
import {
  BACKGROUND_COMMANDS_MAX,
  BACKGROUND_OUTPUT_BYTES_MAX,
  BOARD_MS,
  CALLER_LOOK_MS,
} from "../built-in/shell/bounds.ts";
import type { FileAsker } from "../files/file-access.ts";
import { followCaller, type CallerDeps, type WhyOver } from "./follow-caller.ts";
import { OutputKeeper } from "./output-keeper.ts";
import { runCommand, type ShellDeps } from "./run-command.ts";
import type { ShellCommand, ShellRun } from "./shell-process.ts";

/** They have bounds of their own, and hold nobody up. */
const ANY_TIME: ShellDeps["turns"] = { take: async () => ({ outcome: "taken", leave: () => undefined }) };

type Report = (what: string, error: unknown) => void;

/** The commands in the background that one worker holds: each writes what it says to the board, and takes words from it. */
export class BackgroundCommands {
  readonly #board: ProcessBoard;
  readonly #callers: CallerDeps;
  readonly #report: Report;
  readonly #lookMs: number;
  readonly #running = new Set<Promise<void>>();
  /** Those that the board is told of just now. */
  #opening = 0;
  readonly #closing = new AbortController();

  constructor(board: ProcessBoard, callers: CallerDeps, report: Report, lookMs = CALLER_LOOK_MS) {
    this.#board = board;
    this.#callers = callers;
    this.#report = report;
    this.#lookMs = lookMs;
  }

  get board(): ProcessBoard {
    return this.#board;
  }

  /** `full`: of the tenant's there are enough; `crowded`: of this worker's. */
  async start(
    deps: ShellDeps,
    asker: FileAsker,
    command: ShellCommand,
    facts: ProcessFacts,
  ): Promise<"started" | "full" | "crowded"> {
    const isFull = this.#running.size + this.#opening >= BACKGROUND_COMMANDS_MAX;
    if (this.#closing.signal.aborted || isFull) return "crowded";
    this.#opening += 1;
    let whyOver: WhyOver;
    try {
      whyOver = await followCaller(this.#callers, deps, asker, facts.engine);
      if ((await this.#board.open(facts)) === "full") return "full";
    } finally {
      this.#opening -= 1;
    }
    const over = this.#hold(deps, asker, command, facts, whyOver).catch((error: unknown) =>
      this.#report("a command in the background could not be followed", error),
    );
    this.#running.add(over);
    void over.then(() => this.#running.delete(over));
    return "started";
  }

  /** Ends all of them, which the board is told; nothing is left when it has resolved. */
  async close(): Promise<void> {
    this.#closing.abort("Its worker was stopped, and it with it.");
    await Promise.all(this.#running);
  }

  async #hold(
    deps: ShellDeps,
    asker: FileAsker,
    command: ShellCommand,
    key: ProcessKey,
    whyOver: WhyOver,
  ): Promise<void> {
    const leave = new AbortController();
    const kept = new OutputKeeper(BACKGROUND_OUTPUT_BYTES_MAX);
    // What the board is not known to have: of an exchange without an answer nobody knows whether it was made.
    let fresh = "";
    let from = 0;
    let heard: string | null = null;
    let run: Pick<ShellRun, "write" | "stop"> | null = null;
    // Words may come before there is a process that hears them.
    const waiting: ProcessWord[] = [];
    const pass = (): void => {
      if (run === null) return;
      for (const word of waiting.splice(0))
        if (word.kind === "stop") run.stop();
        else run.write(word.text);
    };
    const exchange = async (): Promise<void> => {
      const output = fresh;
      try {
        const told = await this.#board.exchange(key, { output, from, heard });
        fresh = fresh.slice(output.length);
        from += Buffer.byteLength(output);
        heard = told.at(-1)?.id ?? heard;
        waiting.push(...told);
        pass();
      } catch (error) {
        this.#report("the board of commands in the background could not be reached", error);
      }
    };
    const look = async (): Promise<void> => {
      try {
        const why = await whyOver();
        if (why !== null) leave.abort(why);
      } catch (error) {
        this.#report("whether a command in the background may go on could not be told", error);
      }
    };
    let looked = performance.now();
    // One at a time: behind a slow board they would pile up, and hold up what ends the command, and its end.
    let isTurning = false;
    let turned = Promise.resolve();
    const turn = async (): Promise<void> => {
      isTurning = true;
      await exchange();
      if (performance.now() - looked >= this.#lookMs) {
        looked = performance.now();
        await look();
      }
      isTurning = false;
    };
    const timer = setInterval(() => {
      if (!isTurning) turned = turn();
    }, BOARD_MS);
    const watch = {
      begun: (begun: Pick<ShellRun, "write" | "stop">) => {
        run = begun;
        pass();
      },
      // Both in the order in which they came, as a terminal shows them.
      heard: (_: unknown, text: string) => (fresh += kept.add("stdout", text)),
    };
    const signal = AbortSignal.any([this.#closing.signal, leave.signal]);
    const end = await runCommand({ ...deps, turns: ANY_TIME }, asker, command, signal, watch)
      .then((ran) => endOf(ran, signal))
      .catch((error: unknown) => {
        this.#report("a command in the background failed", error);
        return failed("It could not be run; try again.");
      });
    clearInterval(timer);
    await turned;
    await exchange();
    // Its last words are worth a second try.
    if (fresh !== "") await exchange();
    await this.#board.end(key, end);
  }
}

const failed = (failure: string): ProcessEnd => ({
  exitCode: null,
  timedOut: false,
  written: 0,
  removed: 0,
  unsaved: [],
  failure,
  endedAt: new Date().toISOString(),
});

function endOf(
  ran: Awaited<ReturnType<typeof runCommand>>,
  { aborted, reason }: Pick<AbortSignal, "aborted" | "reason">,
): ProcessEnd {
  if (!ran.ok) return failed(aborted ? String(reason) : ran.message);
  const { exitCode, timedOut, written, removed, unsaved } = ran.result;
  return { ...failed(""), exitCode, timedOut, written, removed, unsaved, failure: null };
}
