import { stdSerializers } from "pino";

/** An error as a log line has it. */
interface ShownError {
  type: string;
  /** With those of its causes. */
  message: string;
  /** With those of its causes; absent for one that was never thrown. */
  stack?: string;
  code?: unknown;
}

/**
 * An error as a log line shows it, and anything else as it is. Only what every error has: libraries hang on theirs what they
 * were doing, as ioredis does with the command that failed, which may be the login with its password.
 */
export function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = stdSerializers.err(error);
  const code = "code" in error ? { code: error.code } : {};
  return { type, message, stack, ...code } satisfies ShownError;
}
