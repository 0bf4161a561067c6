import type { SpeechProvider } from "@bulkhead/core";
import { wavOf } from "../media-type.ts";
import { isFields, jsonIn, plain, refused, type Asked, type Refused } from "../refusal.ts";
import { REASON_CHARS_MAX } from "../bounds.ts";
import { JSON_TYPE, posted, type SpeechApi } from "./api.ts";
import { ssmlOf } from "./ssml.ts";

/** OpenAI's `POST /audio/speech`, and all that speak it. */
const openai: SpeechApi = {
  name: "openai",
  baseUrl: () => "https://api.openai.com/v1",
  needs: [],
  voice: "alloy",
  formats: ["mp3", "wav", "opus"],
  speeds: [0.25, 4],
  whyNotLanguage: () => "openai speaks the language of the text; leave it out",
  request: ({ text, voice, speed, format }, { baseUrl, key, model }) =>
    posted(`${baseUrl}/audio/speech`, [JSON_TYPE, ["authorization", key && `Bearer ${key}`]], {
      model: model ?? "gpt-4o-mini-tts",
      input: text,
      voice,
      response_format: format,
      ...(speed !== null && { speed }),
    }),
  sound: ({ bytes }) => bytes,
};

/** Samples a second of ElevenLabs' bare sound, as every plan has it. */
const PCM_RATE = 24_000;
const ELEVENLABS_FORMATS = {
  mp3: "mp3_44100_64",
  wav: `pcm_${PCM_RATE}`,
  opus: "opus_48000_64",
} as const;

/** ElevenLabs' `POST /text-to-speech/{voice}`. */
const elevenlabs: SpeechApi = {
  name: "elevenlabs",
  baseUrl: () => "https://api.elevenlabs.io/v1",
  needs: ["key", "voice"],
  voice: null,
  formats: ["mp3", "wav", "opus"],
  speeds: [0.7, 1.2],
  whyNotLanguage: () => null,
  request: ({ text, voice, language, speed, format }, { baseUrl, key, model }) =>
    posted(
      `${baseUrl}/text-to-speech/${encodeURIComponent(voice ?? "")}?output_format=${ELEVENLABS_FORMATS[format]}`,
      [JSON_TYPE, ["xi-api-key", key]],
      {
        text,
        model_id: model ?? "eleven_multilingual_v2",
        // Two letters are all that it takes.
        ...(language !== null && { language_code: language.split("-")[0]?.toLowerCase() }),
        ...(speed !== null && { voice_settings: { speed } }),
      },
    ),
  sound: ({ bytes }, { format }) => (format === "wav" && bytes.length > 0 ? wavOf(bytes, PCM_RATE) : bytes),
};

const AZURE_FORMATS = {
  mp3: "audio-24khz-48kbitrate-mono-mp3",
  wav: "riff-24khz-16bit-mono-pcm",
  opus: "ogg-24khz-16bit-mono-opus",
} as const;

/** Azure Speech's `POST /cognitiveservices/v1`, which has the voices that Edge reads pages with. */
const edge: SpeechApi = {
  name: "edge",
  baseUrl: ({ region }) => (region === null ? null : `https://${region}.tts.speech.microsoft.com`),
  needs: ["key"],
  voice: "en-US-JennyNeural",
  formats: ["mp3", "wav", "opus"],
  speeds: [0.5, 2],
  whyNotLanguage: () => "edge speaks the language of its voice; name one, such as de-DE-KatjaNeural",
  request: ({ text, voice, speed, format }, { baseUrl, key }) => {
    const named = voice ?? "";
    const said = { text, voice: named, language: languageOf(named), speed: speed ?? 1 };
    return posted(
      `${baseUrl}/cognitiveservices/v1`,
      [
        ["content-type", "application/ssml+xml"],
        ["x-microsoft-outputformat", AZURE_FORMATS[format]],
        ["ocp-apim-subscription-key", key],
      ],
      ssmlOf(said),
    );
  },
  sound: ({ bytes }) => bytes,
};

/** A voice's name begins with its language, as in `de-DE-KatjaNeural`. */
const languageOf = (voice: string): string => /^[a-z]{2,3}-[A-Za-z]{2,8}/.exec(voice)?.[0] ?? "en-US";

/** The names by which MiniMax knows languages. */
const MINIMAX_LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ar: "Arabic",
    cs: "Czech",
    de: "German",
    el: "Greek",
    en: "English",
    es: "Spanish",
    fi: "Finnish",
    fr: "French",
    hi: "Hindi",
    id: "Indonesian",
    it: "Italian",
    ja: "Japanese",
    ko: "Korean",
    nl: "Dutch",
    pl: "Polish",
    pt: "Portuguese",
    ro: "Romanian",
    ru: "Russian",
    th: "Thai",
    tr: "Turkish",
    uk: "Ukrainian",
    vi: "Vietnamese",
    yue: "Chinese,Yue",
    zh: "Chinese",
  }),
);

const minimaxLanguage = (language: string): string | undefined =>
  MINIMAX_LANGUAGES.get(language.split("-")[0]?.toLowerCase() ?? "");

/** MiniMax's `POST /t2a_v2`: the sound in hexadecimal, and its own status in the body of each answer. */
const minimax: SpeechApi = {
  name: "minimax",
  baseUrl: () => "https://api.minimax.io/v1",
  needs: ["key", "voice"],
  voice: null,
  formats: ["mp3", "wav"],
  speeds: [0.5, 2],
  whyNotLanguage: (language) =>
    minimaxLanguage(language) === undefined ? "minimax has no name for it; leave it out" : null,
  request: ({ text, voice, language, speed, format }, { baseUrl, key, model }) =>
    posted(`${baseUrl}/t2a_v2`, [JSON_TYPE, ["authorization", `Bearer ${key ?? ""}`]], {
      model: model ?? "speech-02-turbo",
      text,
      stream: false,
      output_format: "hex",
      language_boost: (language === null ? undefined : minimaxLanguage(language)) ?? "auto",
      voice_setting: { voice_id: voice, speed: speed ?? 1 },
      audio_setting: { format, sample_rate: 32_000, channel: 1 },
    }),
  sound({ bytes }, _asked, who) {
    const answer = jsonIn(bytes);
    if (!isFields(answer)) return null;
    const refusal = minimaxRefusal(answer["base_resp"], who);
    if (refusal) return refusal;
    const hex = isFields(answer["data"]) ? answer["data"]["audio"] : null;
    if (typeof hex !== "string") return null;
    // What is no hexadecimal ends it early; a pattern of repeated pairs would take a stack that long speech doesn't get.
    const sound = Buffer.from(hex, "hex");
    return sound.length > 0 && sound.length * 2 === hex.length ? sound : null;
  },
};

/** MiniMax's own statuses, as far as somebody can do something about them. */
const MINIMAX_STATUSES: Readonly<Partial<Record<number, [Refused["code"], string]>>> = {
  1002: ["capability_limit", "takes no more at the moment: try again later"],
  1008: ["capability_limit", "has nothing left on its plan"],
  1026: ["capability_denied", "makes nothing of such a text by its rules"],
  1027: ["capability_denied", "makes nothing of such a text by its rules"],
  1039: ["capability_limit", "takes no more at the moment: try again later"],
  1042: ["invalid_request", "refused characters of the text"],
  2013: ["invalid_request", "refused the request"],
  2049: ["failed", "refused the key"],
  1004: ["failed", "refused the key"],
};

function minimaxRefusal(said: unknown, { tool, provider, where }: Asked): Refused | null {
  if (!isFields(said) || said["status_code"] === 0) return null;
  const { status_code: status, status_msg: words } = said;
  const known = typeof status === "number" ? MINIMAX_STATUSES[status] : undefined;
  const [code, why] = known ?? (["failed", "could not do it"] as const);
  const mend = why === "refused the key" ? `: a valid one is to be entered ${where}` : "";
  const reason = typeof words === "string" && mend === "" ? `: ${plain(words, REASON_CHARS_MAX)}` : mend;
  return refused(code, `${tool}: ${provider} ${why}${reason}.`);
}

/** Whoever speaks over the network. */
export const SPEECH_APIS: Readonly<Record<Exclude<SpeechProvider, "espeak_ng">, SpeechApi>> = {
  openai,
  elevenlabs,
  edge,
  minimax,
};
