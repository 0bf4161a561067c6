import {
  SPEECH_PROGRAM,
  SPEECH_PROVIDERS,
  type EngineFact,
  type ImageDefault,
  type SpeechDefault,
} from "@bulkhead/core";
import { findOnPath } from "@bulkhead/process";
import { Secret } from "@bulkhead/process/settings";
import { z } from "zod";
import { endpointUrl } from "./search-settings.ts";

const KEY_CHARS_MAX = 1_024;
const NAME_CHARS_MAX = 100;

const key = z
  .string()
  .min(1)
  .max(KEY_CHARS_MAX)
  .transform((text) => new Secret(text))
  .optional();
const name = z.string().min(1).max(NAME_CHARS_MAX).optional();

/** What makes pictures for tenants that name nothing of their own. */
export const imageSettings = {
  IMAGE_BASE_URL: endpointUrl.optional(),
  IMAGE_API_KEY: key,
  IMAGE_MODEL: name,
};
type ImageSettings = z.output<z.ZodObject<typeof imageSettings>>;

/** What makes speech for them. */
export const speechSettings = {
  SPEECH_PROVIDER: z.enum(SPEECH_PROVIDERS).optional(),
  SPEECH_BASE_URL: endpointUrl.optional(),
  SPEECH_API_KEY: key,
  SPEECH_MODEL: name,
  SPEECH_VOICE: name,
};

type SpeechSettings = z.output<z.ZodObject<typeof speechSettings>>;

/** What each provider can't do without. */
const NEEDS = {
  openai: [],
  elevenlabs: ["SPEECH_API_KEY", "SPEECH_VOICE"],
  edge: ["SPEECH_BASE_URL", "SPEECH_API_KEY"],
  minimax: ["SPEECH_API_KEY", "SPEECH_VOICE"],
  espeak_ng: [],
} as const;
/** What none of a program is. */
const OF_ENDPOINTS = ["SPEECH_BASE_URL", "SPEECH_API_KEY", "SPEECH_MODEL"] as const;

/** Reports a model that nobody would be asked for. */
export function checkImages(settings: ImageSettings, context: z.core.$RefinementCtx): void {
  if (settings.IMAGE_MODEL === undefined || imageDefaultOf(settings) !== null) return;
  const message = "is nowhere: set IMAGE_API_KEY, or IMAGE_BASE_URL for a server that needs none";
  context.addIssue({ code: "custom", path: ["IMAGE_MODEL"], message });
}

/** Reports what a provider needs and is not set, and what is set and would do nothing. */
export function checkSpeech(settings: SpeechSettings, context: z.core.$RefinementCtx): void {
  const report = (path: string, message: string): void =>
    context.addIssue({ code: "custom", path: [path], message });
  const { SPEECH_PROVIDER: provider } = settings;
  if (provider === undefined) {
    if ([...OF_ENDPOINTS, "SPEECH_VOICE" as const].some((one) => settings[one] !== undefined))
      report("SPEECH_PROVIDER", "must be set where one of the other settings of speech is");
    return;
  }
  for (const one of NEEDS[provider])
    if (settings[one] === undefined) report(one, `must be set for ${provider}`);
  if (provider === SPEECH_PROGRAM)
    for (const one of OF_ENDPOINTS)
      if (settings[one] !== undefined) report(one, `is nothing that ${provider} takes`);
}

/** Null: tenants have their own model or none. */
export const imageDefaultOf = (settings: ImageSettings): ImageDefault | null =>
  settings.IMAGE_BASE_URL === undefined && settings.IMAGE_API_KEY === undefined
    ? null
    : {
        baseUrl: settings.IMAGE_BASE_URL ?? null,
        model: settings.IMAGE_MODEL ?? null,
        key: settings.IMAGE_API_KEY?.reveal() ?? null,
      };

/** Null: tenants have their own provider, or what the worker's machine has. */
export const speechDefaultOf = (settings: SpeechSettings): SpeechDefault | null =>
  settings.SPEECH_PROVIDER === undefined
    ? null
    : {
        provider: settings.SPEECH_PROVIDER,
        baseUrl: settings.SPEECH_BASE_URL ?? null,
        model: settings.SPEECH_MODEL ?? null,
        voice: settings.SPEECH_VOICE ?? null,
        key: settings.SPEECH_API_KEY?.reveal() ?? null,
      };

/** espeak-ng on this machine, or why it is not to be used. */
export type FoundSpeaker = { file: string } | { missing: string };

export async function findSpeaker(path: string): Promise<FoundSpeaker> {
  const file = await findOnPath("espeak-ng", path);
  return file === null ? { missing: "there is no espeak-ng on the worker's PATH" } : { file };
}

/** What this worker has for tenants that name nothing of their own. */
export function mediaEngines(settings: ImageSettings & SpeechSettings, speaker: FoundSpeaker): EngineFact[] {
  const image = imageDefaultOf(settings);
  const provider = settings.SPEECH_PROVIDER;
  const isProgram = provider === SPEECH_PROGRAM || provider === undefined;
  return [
    image === null
      ? {
          engine: "image_model",
          available: false,
          detail:
            "IMAGE_BASE_URL and IMAGE_API_KEY are not set: each tenant that makes pictures names a model of its own.",
        }
      : { engine: "image_model", available: true, detail: image.model ?? "" },
    isProgram && "missing" in speaker
      ? {
          engine: "speech",
          available: false,
          detail:
            provider === undefined
              ? `SPEECH_PROVIDER is not set, and ${speaker.missing}: each tenant that speaks names a service of its own.`
              : `SPEECH_PROVIDER is espeak_ng, and ${speaker.missing}.`,
        }
      : { engine: "speech", available: true, detail: provider ?? SPEECH_PROGRAM },
  ];
}
