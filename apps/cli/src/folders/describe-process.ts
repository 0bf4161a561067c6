import { spawn } from "node:child_process";
import { DESCRIBE_BYTES_MAX, DESCRIBE_HEAP_MIB_MAX, DESCRIBE_MS_MAX } from "./bounds.ts";

/** What a process wrote before it ended, and how it ended. */
export type ProcessAnswer = { text: string; ended: string } | { outcome: "timed_out" };

/** A process that waits for one module, evaluates it, says what it exports, and ends. It ends with this one, too. */
export interface DescribeProcess {
  readonly hasEnded: boolean;
  /** Once. The process is gone when it answers; rejects where it could not be started. */
  describe(script: string): Promise<ProcessAnswer>;
  /** Ends one that waits. */
  end(): Promise<void>;
}

/** Node 20 calls it an experiment. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has("--permission")
  ? "--permission"
  : "--experimental-permission";

/** The program of the process, and our own part of the script, which it evaluates before the module comes. */
export interface DescribeTexts {
  program: string;
  describer: string;
}

export function startDescribeProcess({ program, describer }: DescribeTexts): DescribeProcess {
  const started = spawn(
    process.execPath,
    [
      PERMISSION,
      "--disallow-code-generation-from-strings",
      `--max-old-space-size=${DESCRIBE_HEAP_MIB_MAX}`,
      "--no-warnings",
      "--input-type=module",
      "--eval",
      program,
    ],
    // Nothing of the developer's environment, and no folder of theirs.
    { env: {}, cwd: "/", stdio: ["pipe", "ignore", "ignore", "pipe"] },
  );
  const chunks: Buffer[] = [];
  let bytes = 0;
  let ended: string | null = null;
  const stop = (why: string) => {
    ended ??= why;
    started.kill("SIGKILL");
  };
  started.stdio[3]?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DESCRIBE_BYTES_MAX)
      stop(`its description is larger than ${DESCRIBE_BYTES_MAX / 1024 / 1024} MiB`);
    else chunks.push(chunk);
  });
  // A process that ended early does not read to the end.
  started.stdin?.on("error", () => undefined);
  const tell = (text: string) => started.stdin?.write(`${JSON.stringify(text)}\n`);
  tell(describer);
  let hasEnded = false;
  const end = new Promise<ProcessAnswer>((resolve, reject) => {
    started.on("error", (error) => {
      hasEnded = true;
      reject(error);
    });
    started.on("close", (code, signal) => {
      hasEnded = true;
      if (ended === TIMED_OUT) resolve({ outcome: "timed_out" });
      else
        resolve({
          text: Buffer.concat(chunks).toString(),
          ended: ended ?? `its process ended with ${signal ?? code}`,
        });
    });
  });
  // Why one that nobody has asked could not be started is told by the next, which is asked.
  end.catch(() => undefined);
  return {
    get hasEnded() {
      return hasEnded;
    },
    async describe(script) {
      const timer = setTimeout(() => stop(TIMED_OUT), DESCRIBE_MS_MAX);
      tell(script);
      started.stdin?.end();
      return end.finally(() => clearTimeout(timer));
    },
    async end() {
      stop("it was not asked");
      await end.catch(() => undefined);
    },
  };
}

const TIMED_OUT = "timed out";
