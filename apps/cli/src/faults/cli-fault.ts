/** How the command line ends, as scripts see it. Permanent. */
export const EXIT = {
  fine: 0,
  toolFailed: 1,
  usage: 2,
  refused: 3,
  /** The server, or the command line itself, could not do its part. */
  unreachable: 4,
  /** What shells give to a program that Ctrl-C ended. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface CliFaultParts {
  exit: ExitCode;
  /** One sentence: what to do now. */
  next?: string | undefined;
  /** Permanent name for scripts: the server's code, or one of the command line's own, which begin with `cli.`. */
  code: string;
  /** Which parts of the input are wrong, where the server named them. */
  errors?: readonly { path: string; message: string }[] | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/** Why a command ended without doing what was asked: one sentence of what happened, one of what to do. */
export class CliFault extends Error {
  readonly parts: CliFaultParts;

  constructor(message: string, parts: CliFaultParts) {
    super(message, { cause: parts.cause });
    this.name = "CliFault";
    this.parts = parts;
  }
}

/** What was typed can't be meant: exit code 2. */
export const usageFault = (message: string, next?: string): CliFault =>
  new CliFault(message, { exit: EXIT.usage, code: "cli.usage", next });

/** A person stopped the command at a question or by Ctrl-C: exit code 130. */
export const interruptedFault = (message = "You stopped here; nothing was done."): CliFault =>
  new CliFault(message, { exit: EXIT.interrupted, code: "cli.interrupted" });
