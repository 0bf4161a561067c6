import { openServerLauncher } from "@bulkhead/sandbox";
import { leakCheck } from "@bulkhead/testing";
import { openSpeechProgram } from "@bulkhead/tools/built-in";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

leakCheck();
const folder = mkdtempSync(join(tmpdir(), "speech-"));
const launcher = openServerLauncher();
const never = new AbortController().signal;
/** Why this machine keeps no programs in; null where it does. */
let missing: string | null = null;

/** In place of espeak-ng: says its arguments and its input as the bytes of a sound, behind the head that a pipe is written. */
const SAYS = `
printf 'RIFF\\044\\360\\377\\177WAVEfmt \\020\\000\\000\\000\\001\\000\\001\\000\\042\\126\\000\\000\\104\\254\\000\\000\\002\\000\\020\\000data\\000\\360\\377\\177'
for argument; do printf '%s|' "$argument"; done; cat; echo; env | grep -v '^PWD=\\|^SHLVL=\\|^_='`;

function program(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const speak = (
  script: string,
  said: { text?: string; voice?: string; speed?: number } = {},
  signal = never,
) =>
  openSpeechProgram(launcher, program("speaks", script)).speak(
    { tenantId: "ten_a", text: "Hello", voice: null, speed: 1, ...said },
    signal,
  );

beforeAll(async () => {
  chmodSync(folder, 0o755);
  const probe = { tenantId: "ten_a", command: process.execPath, args: ["--version"], env: {} };
  missing = await launcher.launch(probe).then(
    async (process_) => process_.ended.then(() => null),
    (error: Error) => error.message,
  );
});
beforeEach(({ skip }) => skip(missing !== null, `this machine keeps no programs in: ${missing}`));
afterAll(async () => {
  await launcher.close();
  rmSync(folder, { recursive: true });
});

test("the text goes by standard input alone, and only what has a form by arguments", async () => {
  const text = "--help; $(id) `id` -v x \u4f60 [[h@loU]] [[[[x\0y\u00019S";
  const answer = await speak(SAYS, { text, voice: "de+f3", speed: 1.5 });
  if (!answer.ok) throw new Error(answer.message);
  const sound = answer.bytes.subarray(44).toString();
  expect(sound).toMatch(
    /^--stdin\|--stdout\|-b\|1\|-s\|263\|-v\|de\+f3\|--help; \$\(id\) `id` -v x \u4f60 \[ \[h@loU\]\] \[ \[ \[ \[x y 9S$/m,
  );
  expect(answer.bytes.readUInt32LE(40)).toBe(answer.bytes.length - 44);
  // Nothing of the worker's environment is there.
  expect(sound.match(/^[A-Z_]+=/gm)?.toSorted()).toEqual(["HOME=", "LANG=", "PATH=", "TMPDIR="]);
});

test.each([
  ["fails half-way", `printf 'RIFF1234WAVEdata1234567890'; exit 3`, "failed", /espeak_ng failed\.$/],
  [
    "has no such voice",
    "echo 'Error: The specified espeak-ng voice does not exist.' >&2; exit 1",
    "invalid_request",
    /no voice for "en"/,
  ],
  ["says nothing", "cat > /dev/null", "failed", /nothing in the text to be said/],
  ["never ends saying", "cat /dev/zero", "capability_limit", /more than 12582912 bytes/],
])("a program that %s is told of", async (_, script, code, message) => {
  expect(await speak(script)).toEqual({ ok: false, code, message: expect.stringMatching(message) });
});

test("a call that is given up ends the program", async () => {
  const given = new AbortController();
  const spoken = speak("sleep 100", {}, given.signal);
  given.abort();
  expect(await spoken).toMatchObject({ code: "aborted" });
});

test("a program that isn't there is told of", async () => {
  const gone = openSpeechProgram(launcher, join(folder, "gone"));
  const said = { tenantId: "ten_a", text: "a", voice: null, speed: 1 };
  expect(await gone.speak(said, never)).toMatchObject({
    code: "capability_denied",
    message: expect.stringMatching(/can't be run here/),
  });
});
