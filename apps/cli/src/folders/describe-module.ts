import { build, type BuildOptions } from "esbuild";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { MESSAGE_CHARS_MAX, MODULE_TOOLS_MAX } from "./bounds.ts";
import { buildSafely } from "./bundle-failure.ts";
import {
  type DescribeProcess,
  type DescribeTexts,
  type ProcessAnswer,
  startDescribeProcess,
} from "./describe-process.ts";

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

/** Says what modules export, of which each is evaluated in a process of its own. */
export interface Describer {
  /** Has a process start for the next module, unless one waits for it already: then that module need not wait for it. */
  warm(): void;
  /**
   * Evaluates the script of a module, which declares `bulkhead.module`, in a process that reaches nothing, and says what it
   * exports. Never throws for what the module does; the process is gone when it answers.
   */
  describe(script: string): Promise<ModuleDescription>;
  /** Ends the process that waits. */
  close(): Promise<void>;
}

export function openDescriber(startProcess = startDescribeProcess): Describer {
  let waiting: Promise<DescribeProcess> | null = null;
  const start = async () => startProcess(await describeTexts());
  const take = async (): Promise<DescribeProcess> => {
    const taken = waiting;
    waiting = null;
    const one = await taken;
    return one === null || one.hasEnded ? start() : one;
  };
  return {
    warm() {
      if (waiting !== null) return;
      waiting = start();
      // Who takes it hears why there is none.
      waiting.catch(() => undefined);
    },
    async describe(script) {
      const one = await take();
      return descriptionOf(await one.describe(script));
    },
    async close() {
      const left = waiting;
      waiting = null;
      const one = await left?.catch(() => null);
      await one?.end();
    },
  };
}

function descriptionOf(answer: ProcessAnswer): ModuleDescription {
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

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

let texts: Promise<DescribeTexts> | undefined;

/** Our own parts, bundled once: the process has no file to read. */
function describeTexts(): Promise<DescribeTexts> {
  texts ??= (async () => ({
    program: await bundled(fileURLToPath(new URL("./describe-child.ts", import.meta.url)), {
      format: "esm",
      platform: "node",
    }),
    describer: await bundled(fileURLToPath(new URL("./describe-exports.ts", import.meta.url)), {
      format: "iife",
      globalName: "describer",
      platform: "browser",
    }),
  }))();
  return texts;
}

async function bundled(file: string, options: BuildOptions): Promise<string> {
  // A module that is bundled at the same time may break the bundler.
  const { outputFiles } = await buildSafely(() =>
    build({ ...options, entryPoints: [file], write: false, bundle: true, minify: true, logLevel: "silent" }),
  );
  return outputFiles?.[0]?.text ?? "";
}
