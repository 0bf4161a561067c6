import type { ShellEngineName } from "./shell-settings.ts";

/** Commands of one tenant that go on in the background at one time, and those that are remembered with their output. */
export const PROCESSES_MAX = 4;
export const PROCESSES_KNOWN_MAX = 32;
/** One that nothing was heard of for so long is lost with its worker; milliseconds. */
export const PROCESS_BEAT_MS_MAX = 15_000;
/** So long an end and the output are kept, in milliseconds. */
export const PROCESS_KEPT_MS = 15 * 60_000;
/** Words to one process that its worker has not taken yet, and the characters of one. */
export const PROCESS_WORDS_MAX = 32;
export const PROCESS_WORD_CHARS_MAX = 64 * 1_024;

export interface ProcessKey {
  tenantId: string;
  processId: string;
}

/** A command in the background, as it was begun. */
export interface ProcessFacts extends ProcessKey {
  /** Whose it is: nobody else hears of it. */
  agentId: string | null;
  userId: string | null;
  command: string;
  engine: ShellEngineName;
  /** ISO 8601. */
  startedAt: string;
}

export interface ProcessEnd {
  /** Null where it came to none. */
  exitCode: number | null;
  timedOut: boolean;
  written: number;
  removed: number;
  unsaved: { path: string; why: string }[];
  /** Why it came to no end of its own; null where it did. */
  failure: string | null;
  endedAt: string;
}

export interface ShownProcess extends ProcessFacts {
  /** `lost`: its worker is gone, and it with it. */
  status: "running" | "ended" | "lost";
  end: ProcessEnd | null;
  outputBytes: number;
}

/** What whoever started it tells a command in the background; null ends its input. */
export type ProcessWord = { kind: "input"; text: string | null } | { kind: "stop" };
/** No two have the same id. */
export type ToldWord = ProcessWord & { id: string };

/** What a process's holder tells the board; said again where no answer came, it changes nothing twice. */
export interface ProcessNews {
  /** The output from the byte `from` on, counted from the command's first one. */
  output: string;
  from: number;
  /** The id of the last word that the process was told of; null: none yet. */
  heard: string | null;
}

/**
 * What is known of commands in the background, whichever worker holds them. It is a view: with its loss they go on, unseen, to
 * the end of their time. All of it rejects with `service.unavailable` where it can't be reached.
 */
export interface ProcessBoard {
  /** `full`: the tenant has `PROCESSES_MAX` that go on. */
  open(facts: ProcessFacts): Promise<"opened" | "full">;
  /** Adds output, says that the process goes on, and answers what it was told after the word that it has heard. */
  exchange(key: ProcessKey, news: ProcessNews): Promise<ToldWord[]>;
  end(key: ProcessKey, end: ProcessEnd): Promise<void>;
  find(key: ProcessKey): Promise<ShownProcess | null>;
  /** Of all of the tenant's agents and users, the newest first. */
  list(tenantId: string): Promise<ShownProcess[]>;
  /** Bytes of the output from one position up to another. */
  read(key: ProcessKey, from: number, to: number): Promise<Uint8Array>;
  /** False where too much waits for it. */
  tell(key: ProcessKey, word: ProcessWord): Promise<boolean>;
}
