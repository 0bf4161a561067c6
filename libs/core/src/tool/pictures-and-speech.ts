/** The services of the Config Center by which a tenant names what makes its pictures and its speech; each has the kind of that name. */
export const IMAGE_SERVICE = "image";
export const SPEECH_SERVICE = "tts";

/** The names by which kinds of services and settings give what an endpoint is asked with. */
export const ENDPOINT_FIELDS = {
  provider: "provider",
  baseUrl: "base_url",
  key: "api_key",
  model: "model",
  voice: "voice",
  region: "region",
} as const;

/** Who speaks: endpoints whose APIs are known, and a program on the worker's own machine. */
export const SPEECH_PROVIDERS = ["openai", "elevenlabs", "edge", "minimax", "espeak_ng"] as const;
export type SpeechProvider = (typeof SPEECH_PROVIDERS)[number];
/** The one that takes no network and no key. */
export const SPEECH_PROGRAM = "espeak_ng" satisfies SpeechProvider;

export const isSpeechProvider = (name: unknown): name is SpeechProvider =>
  SPEECH_PROVIDERS.some((known) => known === name);

/** What an operator gives to the tenants that name nothing of their own. */
export interface ImageDefault {
  /** As far as the version; null: where OpenAI is. */
  baseUrl: string | null;
  /** Null: `IMAGE_MODEL_DEFAULT`. */
  model: string | null;
  /** Null: it is asked without one. */
  key: string | null;
}

export interface SpeechDefault extends ImageDefault {
  provider: SpeechProvider;
  voice: string | null;
}
