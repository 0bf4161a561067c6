import type { JsonObject } from "@bulkhead/core";
import type { EndpointRequest } from "../ask-endpoint.ts";
import { REVISED_CHARS_MAX } from "../bounds.ts";
import { isFields, jsonIn, plain } from "../refusal.ts";

/** Where OpenAI has it, and the model that is asked where nobody names one. */
export const IMAGES_BASE_URL = "https://api.openai.com/v1";
export const IMAGE_MODEL_DEFAULT = "gpt-image-1";

/** These always answer bytes, refuse to be asked for them, and make the type of file that is asked for. */
const isGptImage = (model: string): boolean => /(^|\/)(chat)?gpt-image/.test(model);

export interface AskedPictures {
  prompt: string;
  model: string;
  n: number;
  /** As they are given: `size`, `quality`, `background`. */
  more: JsonObject;
  /** The ending of the file that the picture becomes; null: none. */
  ending: string | null;
}

/** `POST {base}/images/generations`, as OpenAI's API and those like it have it. */
export function imagesRequest(
  { prompt, model, n, more, ending }: AskedPictures,
  { baseUrl, key }: { baseUrl: string; key: string | null },
): EndpointRequest {
  const type =
    ending === null ? {} : { output_format: ending.toLowerCase() === "jpg" ? "jpeg" : ending.toLowerCase() };
  const body = {
    model,
    prompt,
    n,
    ...more,
    ...(isGptImage(model) ? type : { response_format: "b64_json" }),
  };
  return {
    url: `${baseUrl}/images/generations`,
    method: "POST",
    headers: [
      ["accept", "application/json"],
      ["content-type", "application/json"],
      ...(key === null ? [] : [["authorization", `Bearer ${key}`] as [string, string]]),
    ],
    body: JSON.stringify(body),
  };
}

/** One picture as it is answered: its bytes, or where they are. */
export type AnsweredPicture = ({ bytes: Buffer } | { url: string }) & { revisedPrompt: string | null };

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The first `n` pictures of an answer, null for one that is none; null for what has no picture at all. */
export function picturesIn(bytes: Buffer, n: number): (AnsweredPicture | null)[] | null {
  const list = jsonIn(bytes)?.["data"];
  if (!Array.isArray(list)) return null;
  const pictures = list.slice(0, n).map((one: unknown) => (isFields(one) ? pictureIn(one) : null));
  return pictures.some((one) => one !== null) ? pictures : null;
}

function pictureIn({
  b64_json: base64,
  url,
  revised_prompt: revised,
}: Record<string, unknown>): AnsweredPicture | null {
  const revisedPrompt =
    typeof revised === "string" && revised !== "" ? plain(revised, REVISED_CHARS_MAX) : null;
  if (typeof base64 === "string" && BASE64.test(base64))
    return { bytes: Buffer.from(base64, "base64"), revisedPrompt };
  const isAddress = typeof url === "string" && /^https?:$/.test(URL.parse(url)?.protocol ?? "");
  return isAddress ? { url, revisedPrompt } : null;
}
