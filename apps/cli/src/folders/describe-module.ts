import { build } from "esbuild";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import {
  DESCRIBE_BYTES_MAX,
  DESCRIBE_HEAP_MIB_MAX,
  DESCRIBE_MS_MAX,
  MESSAGE_CHARS_MAX,
  MODULE_TOOLS_MAX,
} from "./bounds.ts";

const anything = z.record(z.string(), z.unknown());

/** What a module exports, as its own process tells it. */
const Described = z.object({
  export: z.string(),
  /** The key or the place of a tool within an export that holds several. */
  member: z.union([z.string(), z.number()]).optional(),
  kind: z.enum(["function", "execute", "run", "schema", "other"]),
  /** Of what is no tool. */
  type: z.string().optional(),
  id: z.string().optional(),
  settings: anything.optional(),
  needsApproval: z.unknown().optional(),
  schema: z.unknown().optional(),
  schemaFault: z.string().optional(),
  outputSchema: z.unknown().optional(),
  lost: z.array(z.string()).optional(),
  /** Fields of a tool that are not used. */
  unused: z.array(z.string()).optional(),
});
export type Described = z.infer<typeof Described>;

const Answer = z.union([
  z.object({ exports: z.array(Described) }),
  z.object({ thrown: z.object({ message: z.string(), stack: z.string().nullable() }) }),
]);

export type ModuleDescription =
  | { outcome: "described"; exports: Described[] }
  | { outcome: "threw"; message: string; stack: string | null }
  | { outcome: "timed_out" };

/** Node 20 calls it an experiment. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has("--permission")
  ? "--permission"
  : "--experimental-permission";

const child = fileURLToPath(new URL("./describe-child.ts", import.meta.url));

/**
 * Evaluates the script of a module, which declares `bulkhead.module`, in a process of its own that reaches nothing, and says
 * what it exports. Never throws for what the module does; the process is gone when it answers.
 */
export async function describeModule(script: string): Promise<ModuleDescription> {
  const answer = await runChild(JSON.stringify({ describer: await describerText(), module: script }));
  if ("outcome" in answer) return answer;
  const parsed = Answer.safeParse(parseOr(answer.text));
  if (!parsed.success) return { outcome: "threw", message: answer.ended, stack: null };
  if ("thrown" in parsed.data) {
    const { message, stack } = parsed.data.thrown;
    return {
      outcome: "threw",
      message: message.slice(0, MESSAGE_CHARS_MAX),
      stack: stack?.slice(0, MESSAGE_CHARS_MAX) ?? null,
    };
  }
  const { exports } = parsed.data;
  if (exports.length <= MODULE_TOOLS_MAX) return { outcome: "described", exports };
  return { outcome: "threw", message: `it exports more than ${MODULE_TOOLS_MAX} values`, stack: null };
}

type ChildAnswer = { text: string; ended: string } | { outcome: "timed_out" };

async function runChild(input: string): Promise<ChildAnswer> {
  const started = spawn(
    process.execPath,
    [
      PERMISSION,
      `--allow-fs-read=${child}`,
      "--disallow-code-generation-from-strings",
      `--max-old-space-size=${DESCRIBE_HEAP_MIB_MAX}`,
      "--no-warnings",
      child,
    ],
    // Nothing of the developer's environment, and no folder of theirs.
    { env: {}, cwd: "/", stdio: ["pipe", "ignore", "ignore", "pipe"] },
  );
  const chunks: Buffer[] = [];
  let bytes = 0;
  let ended = "";
  const stop = (why: string) => {
    ended = ended === "" ? why : ended;
    started.kill("SIGKILL");
  };
  const timer = setTimeout(() => stop("timed out"), DESCRIBE_MS_MAX);
  started.stdio[3]?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DESCRIBE_BYTES_MAX)
      stop(`its description is larger than ${DESCRIBE_BYTES_MAX / 1024 / 1024} MiB`);
    else chunks.push(chunk);
  });
  // A process that ended early does not read to the end.
  started.stdin?.on("error", () => undefined);
  started.stdin?.end(input);
  const answer = new Promise<ChildAnswer>((resolve, reject) => {
    started.on("error", reject);
    started.on("close", (code, signal) => {
      if (ended === "timed out") resolve({ outcome: "timed_out" });
      else
        resolve({
          text: Buffer.concat(chunks).toString(),
          ended: ended || `its process ended with ${signal ?? code}`,
        });
    });
  });
  return answer.finally(() => clearTimeout(timer));
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

let describer: Promise<string> | undefined;

/** Our own part of the script, bundled once. */
function describerText(): Promise<string> {
  describer ??= build({
    entryPoints: [fileURLToPath(new URL("./describe-exports.ts", import.meta.url))],
    write: false,
    bundle: true,
    format: "iife",
    globalName: "describer",
    platform: "browser",
    minify: true,
    logLevel: "silent",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  return describer;
}
