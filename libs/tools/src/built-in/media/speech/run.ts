import {
  isSpeechProvider,
  SPEECH_PROGRAM,
  type EgressSession,
  type JsonObject,
  type ProvidedAnswer,
  type ProvidedCall,
} from "@bulkhead/core";
import { askEndpoint } from "../ask-endpoint.ts";
import { ANSWER_BYTES_MAX, SPEECH_MS_MAX } from "../bounds.ts";
import { findSpeechPlace, noSpeech, placedKey, type SpeechDeps, type SpeechPlace } from "../find-place.ts";
import { saved, shown, whyNotSaved } from "../give.ts";
import { isSpeech, SPEECH_TYPES, withTrueSizes } from "../media-type.ts";
import { refused, whyRefused, type Refused } from "../refusal.ts";
import type { SpeechFormat } from "../schema.ts";
import type { AskedSpeech, SpeechApi } from "./api.ts";
import { SPEECH_APIS } from "./apis.ts";
import {
  PROGRAM_SPEEDS,
  PROGRAM_VOICE,
  PROGRAM_VOICE_DEFAULT,
  type SpeechProgram,
} from "./speech-program.ts";

export interface SpeakDeps extends SpeechDeps {
  /** The program on this worker's machine, or why it is not to be used. */
  program: SpeechProgram | { missing: string };
}

type Way =
  | { by: "program"; program: SpeechProgram; asked: AskedSpeech }
  | { by: "endpoint"; api: SpeechApi; place: SpeechPlace; asked: AskedSpeech };

/** Says a text: by the tenant's provider or the operator's, else by the program where there is one. */
export async function speak(deps: SpeakDeps, args: JsonObject, call: ProvidedCall): Promise<ProvidedAnswer> {
  const way = await findWay(deps, args, call.tenantId);
  if ("ok" in way) return way;
  const { egress } = call;
  const saveAs = typeof args["saveAs"] === "string" ? args["saveAs"] : null;
  const not = saveAs === null ? null : await whyNotSaved(call, saveAs);
  if (not) return not;
  // Nobody could find a secret in what is said.
  const asked = { ...way.asked, text: await call.cover(way.asked.text) };
  const sound =
    way.by === "program"
      ? await way.program.speak({ ...asked, tenantId: call.tenantId, speed: asked.speed ?? 1 }, call.signal)
      : egress === null
        ? noNetwork(way.api)
        : await soundOf({ ...way, asked }, egress, call);
  if (!sound.ok) return sound;
  const provider = way.by === "program" ? SPEECH_PROGRAM : way.api.name;
  const { voice, format } = asked;
  const mimeType = SPEECH_TYPES[format];
  const told = { provider, voice, format };
  const made = [{ bytes: sound.bytes, mimeType, about: {} }];
  return saveAs === null
    ? shown("audio", made, { ...told, mimeType, bytes: sound.bytes.length })
    : saved(call, made, saveAs, told);
}

const noNetwork = ({ name }: SpeechApi): Refused =>
  refused(
    "tool_not_allowed",
    `tts: ${name} uses the network, and the tool that calls it has no network permission.`,
  );

async function findWay(deps: SpeakDeps, args: JsonObject, tenantId: string): Promise<Way | Refused> {
  const named = isSpeechProvider(args["provider"]) ? args["provider"] : null;
  const found = await findSpeechPlace(deps, tenantId, named);
  if (typeof found === "string") return refused("capability_denied", found);
  const isFree = found === null && named === null && "speak" in deps.program;
  if (isFree || (found?.provider ?? named) === SPEECH_PROGRAM) return programWay(deps.program, args, found);
  if (found === null || found.provider === SPEECH_PROGRAM)
    return refused("capability_denied", noSpeech(named));
  return endpointWay(SPEECH_APIS[found.provider], args, found);
}

const textIn = (args: JsonObject, name: string): string | null => {
  const said = args[name];
  return typeof said === "string" ? said : null;
};
const numberIn = (args: JsonObject, name: string): number | null => {
  const said = args[name];
  return typeof said === "number" ? said : null;
};

function programWay(
  program: SpeakDeps["program"],
  args: JsonObject,
  place: SpeechPlace | null,
): Way | Refused {
  if ("missing" in program)
    return refused("capability_denied", `tts: espeak_ng can't be used: ${program.missing}.`);
  const [voice, language] = [textIn(args, "voice"), textIn(args, "language")];
  if (voice !== null && language !== null)
    return refused(
      "invalid_request",
      "language: espeak_ng takes a voice or a language, which are one there.",
    );
  const named = voice ?? language;
  const used = named ?? place?.voice ?? PROGRAM_VOICE_DEFAULT;
  if (!PROGRAM_VOICE.test(used)) {
    const entered = named === null && place !== null ? `; another voice is entered ${place.where}` : "";
    return refused("invalid_request", `voice: espeak_ng takes a language, such as en-gb or de+f3${entered}.`);
  }
  const asked = askedOf(args, "espeak_ng", { formats: ["wav"], speeds: PROGRAM_SPEEDS });
  return "ok" in asked ? asked : { by: "program", program, asked: { ...asked, voice: used } };
}

function endpointWay(api: SpeechApi, args: JsonObject, place: SpeechPlace): Way | Refused {
  const { name } = api;
  const lacks = (what: string): Refused =>
    refused("capability_denied", `tts: ${name} needs ${what}, which is to be entered ${place.where}.`);
  if ((place.baseUrl ?? api.baseUrl(place)) === null) return lacks("a base_url or a region");
  if (api.needs.includes("key") && place.key === null) return lacks("an api_key");
  const asked = askedOf(args, name, api);
  if ("ok" in asked) return asked;
  const { language } = asked;
  const why = language === null ? null : api.whyNotLanguage(language);
  if (why !== null) return refused("invalid_request", `language: ${why}.`);
  const voice = textIn(args, "voice") ?? place.voice ?? api.voice;
  if (voice === null && api.needs.includes("voice"))
    return refused("invalid_request", `voice: ${name} needs one, and none is entered ${place.where}.`);
  return { by: "endpoint", api, place, asked: { ...asked, voice } };
}

/** What is asked for, within what the provider takes. */
function askedOf(
  args: JsonObject,
  provider: string,
  { formats, speeds: [min, max] }: Pick<SpeechApi, "formats" | "speeds">,
): Omit<AskedSpeech, "voice"> | Refused {
  const format = formatOf(args);
  if (typeof format === "object" && format !== null) return format;
  const made = format ?? formats[0] ?? "wav";
  if (!formats.includes(made))
    return refused("invalid_request", `format: ${provider} makes ${formats.join(" and ")}, not ${made}.`);
  const speed = numberIn(args, "speed");
  if (speed !== null && (speed < min || speed > max))
    return refused("invalid_request", `speed: ${provider} takes ${min} to ${max}.`);
  return { text: textIn(args, "text") ?? "", language: textIn(args, "language"), speed, format: made };
}

const BY_ENDING: Readonly<Record<string, SpeechFormat>> = {
  mp3: "mp3",
  wav: "wav",
  ogg: "opus",
  opus: "opus",
};

/** Null where nothing is said of it. */
function formatOf(args: JsonObject): SpeechFormat | Refused | null {
  const saveAs = textIn(args, "saveAs");
  const byEnding = saveAs === null ? null : (BY_ENDING[saveAs.slice(saveAs.lastIndexOf(".") + 1)] ?? null);
  const format = args["format"] as SpeechFormat | undefined;
  if (format === undefined) return byEnding;
  return byEnding === null || byEnding === format
    ? format
    : refused("invalid_request", `saveAs: the ending of a file of the format ${format} is another.`);
}

async function soundOf(
  { api, place, asked }: Extract<Way, { by: "endpoint" }>,
  egress: EgressSession,
  call: ProvidedCall,
): Promise<Refused | { ok: true; bytes: Buffer }> {
  const baseUrl = place.baseUrl ?? api.baseUrl(place) ?? "";
  const { placeholder, secrets } = placedKey(place, baseUrl);
  const who = { tool: "tts", provider: api.name, where: place.where } as const;
  const session = egress.withSecrets(secrets, SPEECH_MS_MAX);
  try {
    const request = api.request(asked, { baseUrl, key: placeholder, model: place.model });
    const bounds = { bytesMax: ANSWER_BYTES_MAX, msMax: SPEECH_MS_MAX, redirect: "error" } as const;
    const answer = await askEndpoint(session, request, call, { ...bounds, who: api.name });
    if (!answer.ok) return answer;
    if (answer.status !== 200) return whyRefused(answer, who);
    const sound = api.sound(answer, asked, who);
    if (sound !== null && "ok" in sound) return sound;
    if (sound === null || !isSpeech(asked.format, sound))
      return refused("failed", `tts: ${api.name} answered something that is no ${asked.format}.`);
    const bytes = asked.format === "wav" ? withTrueSizes(sound) : sound;
    return bytes === null
      ? refused("failed", `tts: ${api.name} answered with no sound.`)
      : { ok: true, bytes };
  } finally {
    session.close();
  }
}
