import type { SpeechProvider } from "@bulkhead/core";
import type { EndpointRequest } from "../ask-endpoint.ts";
import type { SpeechPlace } from "../find-place.ts";
import type { Asked, Refused, StatusAnswer } from "../refusal.ts";
import type { SpeechFormat } from "../schema.ts";

/** What is to be said, with all that was left out filled in. */
export interface AskedSpeech {
  text: string;
  /** Null: the provider's own. */
  voice: string | null;
  language: string | null;
  /** Null: as usual. */
  speed: number | null;
  format: SpeechFormat;
}

/** Where an endpoint is, and what stands for its key. */
interface SpeechEndpoint {
  /** Without a slash at its end. */
  baseUrl: string;
  key: string | null;
  model: string | null;
}

/** An endpoint that speaks: how it is asked, and how its answer is read. */
export interface SpeechApi {
  readonly name: SpeechProvider;
  /** Where it is, if the place doesn't say it; null: it has to. */
  baseUrl(place: SpeechPlace): string | null;
  /** What a place has to have beside. */
  readonly needs: readonly ("key" | "voice")[];
  /** The voice where nobody names one; null: its own, or none. */
  readonly voice: string | null;
  /** The first is the one where nobody names one. */
  readonly formats: readonly SpeechFormat[];
  readonly speeds: readonly [min: number, max: number];
  /** Why it can't be told this language; null where it can. */
  whyNotLanguage(language: string): string | null;
  request(asked: AskedSpeech, endpoint: SpeechEndpoint): EndpointRequest;
  /** The sound in an answer with the status 200; null where there is none. */
  sound(answer: StatusAnswer, asked: AskedSpeech, who: Asked): Buffer | Refused | null;
}

export const posted = (
  url: string,
  headers: readonly [string, string | null][],
  body: object | string,
): EndpointRequest => ({
  url,
  method: "POST",
  headers: headers.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]])),
  body: typeof body === "string" ? body : JSON.stringify(body),
});

export const JSON_TYPE: [string, string] = ["content-type", "application/json"];
