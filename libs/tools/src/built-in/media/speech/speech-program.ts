import { refusalOfLaunch, type McpLauncher } from "@bulkhead/core";
import { setTimeout as after } from "node:timers/promises";
import { CommandTurns } from "../../../shell/command-turns.ts";
import { PROGRAM_MS_MAX, SPEECH_BYTES_MAX } from "../bounds.ts";
import { withTrueSizes } from "../media-type.ts";
import { refused, type Refused } from "../refusal.ts";

/** espeak-ng on the worker's machine, one process a text. */
export interface SpeechProgram {
  /** Never rejects; the process is over when it resolves. */
  speak(said: SaidByProgram, signal: AbortSignal): Promise<Refused | { ok: true; bytes: Buffer }>;
}

interface SaidByProgram {
  tenantId: string;
  text: string;
  /** Null: English. */
  voice: string | null;
  /** 1 is usual. */
  speed: number;
}

/** Words a minute at the usual speed, and what the program takes. */
const WORDS_USUAL = 175;
export const PROGRAM_SPEEDS = [0.5, 2.5] as const;
export const PROGRAM_VOICE_DEFAULT = "en";
/** A language with its parts, and perhaps a variant of its voice: nothing that could be an option or a path. */
export const PROGRAM_VOICE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,12}){0,3}(\+[A-Za-z0-9]{1,20})?$/;

const NO_VOICE = /voice does not exist/;

/** The program at this path, behind the layers that others' programs have: no network, no files of the machine. */
export function openSpeechProgram(launcher: McpLauncher, program: string): SpeechProgram {
  const turns = new CommandTurns();
  return {
    async speak(said, signal) {
      const turn = await turns.take(said.tenantId, signal);
      if (turn.outcome !== "taken")
        return turn.outcome === "aborted"
          ? refused("aborted", "The call was given up.")
          : refused("capability_limit", "tts: too many texts wait to be said; try again with fewer at once.");
      try {
        return await speakOnce(launcher, program, said, signal);
      } finally {
        turn.leave();
      }
    },
  };
}

async function speakOnce(
  launcher: McpLauncher,
  command: string,
  { tenantId, text, voice, speed }: SaidByProgram,
  signal: AbortSignal,
): Promise<Refused | { ok: true; bytes: Buffer }> {
  const words = String(Math.round(WORDS_USUAL * speed));
  // The text goes by standard input, and what goes by arguments has a form.
  const args = ["--stdin", "--stdout", "-b", "1", "-s", words, "-v", voice ?? PROGRAM_VOICE_DEFAULT];
  const started = await launcher
    .launch({ tenantId, command, args, env: {} })
    .catch((cause: unknown) =>
      refused(
        refusalOfLaunch(cause),
        `tts: espeak_ng can't be run here: ${cause instanceof Error ? cause.message : String(cause)}`,
      ),
    );
  if ("ok" in started) return started;
  const over = new AbortController();
  const ending = { why: null as Refused | null };
  const end = (why: Refused): void => {
    ending.why ??= why;
    started.kill();
  };
  const giveUp = (): void => end(refused("aborted", "The call was given up."));
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  void after(PROGRAM_MS_MAX, null, { signal: over.signal, ref: false }).then(
    () => end(refused("timeout", `tts: espeak_ng has not ended within ${PROGRAM_MS_MAX} ms.`)),
    () => undefined,
  );
  started.input.end(asWords(text));
  const sound = await soundOf(started.output, () =>
    end(
      refused("capability_limit", `tts: the speech has more than ${SPEECH_BYTES_MAX} bytes; give less text.`),
    ),
  );
  await started.ended;
  over.abort();
  signal.removeEventListener("abort", giveUp);
  if (ending.why) return ending.why;
  const { exitCode, lastWords } = started;
  if (NO_VOICE.test(lastWords))
    return refused("invalid_request", `tts: espeak_ng has no voice for "${voice ?? PROGRAM_VOICE_DEFAULT}".`);
  if (exitCode !== 0) return refused("failed", "tts: espeak_ng failed.");
  const bytes = withTrueSizes(sound);
  return bytes === null
    ? refused("failed", "tts: espeak_ng finds nothing in the text to be said.")
    : { ok: true, bytes };
}

/** Without what the program obeys: two brackets in a row begin phonemes, a control character commands, and a zero ends the text. */
const asWords = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\t\n]/gu, " ").replaceAll(/\[(?=\[)/g, "[ ");

/** All that is said, as far as the bound; `tooMuch` is told where it goes on. Resolves when there is no more. */
function soundOf(output: NodeJS.ReadableStream, tooMuch: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    output.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > SPEECH_BYTES_MAX) tooMuch();
      else chunks.push(chunk);
    });
    const done = (): void => resolve(Buffer.concat(chunks));
    for (const event of ["end", "close", "error"]) output.once(event, done);
  });
}
