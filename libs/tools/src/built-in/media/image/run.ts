import type { EgressSession, JsonObject, ProvidedAnswer, ProvidedCall } from "@bulkhead/core";
import { askEndpoint } from "../ask-endpoint.ts";
import { ANSWER_BYTES_MAX, IMAGE_MS_MAX, PICTURE_BYTES_MAX, PICTURE_MS_MAX } from "../bounds.ts";
import { findImagePlace, placedKey, type ImageDeps, type Place } from "../find-place.ts";
import { saved, shown, whyNotSaved, type Made } from "../give.ts";
import { pictureTypeOf } from "../media-type.ts";
import { refused, whyRefused, type Refused } from "../refusal.ts";
import {
  IMAGE_MODEL_DEFAULT,
  IMAGES_BASE_URL,
  imagesRequest,
  picturesIn,
  type AnsweredPicture,
  type AskedPictures,
} from "./images-api.ts";

const MORE = ["size", "quality", "background"] as const;

/** Pictures of the tenant's model, asked for through the caller's way out: its hosts, counts and bytes are the caller's. */
export async function makeImages(
  deps: ImageDeps,
  args: JsonObject,
  call: ProvidedCall,
): Promise<ProvidedAnswer> {
  const { egress } = call;
  if (egress === null)
    return refused(
      "tool_not_allowed",
      "image uses the network, and the tool that calls it has no network permission.",
    );
  const place = await findImagePlace(deps, call.tenantId);
  if (typeof place === "string") return refused("capability_denied", place);
  const saveAs = typeof args["saveAs"] === "string" ? args["saveAs"] : null;
  const not = saveAs === null ? null : await whyNotSaved(call, saveAs);
  if (not) return not;
  // Nobody could find a secret in a picture.
  const prompt = await call.cover(typeof args["prompt"] === "string" ? args["prompt"] : "");
  const asked = askedPictures({ ...args, prompt }, place, saveAs);
  const answered = await askFor(asked, place, egress, call);
  if (!answered.ok) return answered;
  // All were paid for: what can't be had of one takes no other along.
  const got = await Promise.all(answered.pictures.map((picture) => whole(picture, egress, call)));
  const made = got.filter((one): one is Made => !("ok" in one));
  const missing = got.flatMap((one, at) =>
    "ok" in one ? [{ picture: at + 1, code: one.code, why: one.message }] : [],
  );
  const [first] = got;
  if (made.length === 0 && first !== undefined && "ok" in first) return first;
  const told = { model: asked.model, ...(missing.length > 0 && { missing }) };
  if (saveAs !== null) return saved(call, made, saveAs, told);
  const pictures = made.map(({ mimeType, bytes, about }) => ({ mimeType, bytes: bytes.length, ...about }));
  return shown("image", made, { ...told, pictures });
}

function askedPictures(
  { prompt, model, n, ...args }: JsonObject,
  place: Place,
  saveAs: string | null,
): AskedPictures {
  return {
    prompt: typeof prompt === "string" ? prompt : "",
    model: typeof model === "string" ? model : (place.model ?? IMAGE_MODEL_DEFAULT),
    n: typeof n === "number" ? n : 1,
    more: Object.fromEntries(MORE.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]]]))),
    ending: saveAs === null ? null : saveAs.slice(saveAs.lastIndexOf(".") + 1),
  };
}

async function askFor(
  asked: AskedPictures,
  place: Place,
  egress: EgressSession,
  call: ProvidedCall,
): Promise<Refused | { ok: true; pictures: (AnsweredPicture | null)[] }> {
  const baseUrl = place.baseUrl ?? IMAGES_BASE_URL;
  const who = URL.parse(baseUrl)?.hostname ?? "the model's server";
  const { placeholder, secrets } = placedKey(place, baseUrl);
  const session = egress.withSecrets(secrets, IMAGE_MS_MAX);
  try {
    const request = imagesRequest(asked, { baseUrl, key: placeholder });
    const bounds = { bytesMax: ANSWER_BYTES_MAX, msMax: IMAGE_MS_MAX, redirect: "error", who } as const;
    const answer = await askEndpoint(session, request, call, bounds);
    if (!answer.ok) return answer;
    if (answer.status !== 200)
      return whyRefused(answer, { tool: "image", provider: who, where: place.where });
    const pictures = picturesIn(answer.bytes, asked.n);
    if (pictures === null)
      return refused("failed", `image: ${who} answered something that is no list of pictures.`);
    return { ok: true, pictures };
  } finally {
    session.close();
  }
}

/** The picture with its bytes, which may lie elsewhere: there nobody is told the key. */
async function whole(
  picture: AnsweredPicture | null,
  egress: EgressSession,
  call: ProvidedCall,
): Promise<Refused | Made> {
  if (picture === null) return noPicture();
  const { revisedPrompt } = picture;
  const got =
    "bytes" in picture
      ? { ok: true as const, bytes: picture.bytes }
      : await fetched(picture.url, egress, call);
  if (!got.ok) return got;
  const mimeType = pictureTypeOf(got.bytes);
  if (mimeType === null) return noPicture();
  return { bytes: got.bytes, mimeType, about: revisedPrompt === null ? {} : { revisedPrompt } };
}

const noPicture = (): Refused =>
  refused("failed", "image: what was answered is no picture in PNG, JPEG or WebP.");

async function fetched(
  url: string,
  egress: EgressSession,
  call: ProvidedCall,
): Promise<Refused | { ok: true; bytes: Buffer }> {
  const who = URL.parse(url)?.hostname ?? "the picture's server";
  const request = { url, method: "GET", headers: [["accept", "image/*"]] as [string, string][], body: null };
  const bounds = { bytesMax: PICTURE_BYTES_MAX, msMax: PICTURE_MS_MAX, redirect: "follow", who } as const;
  const session = egress.withSecrets([]);
  try {
    const answer = await askEndpoint(session, request, call, bounds);
    if (!answer.ok || answer.status === 200) return answer;
    return refused(
      "failed",
      `image: the picture could not be fetched: ${who} answered with the status ${answer.status}.`,
    );
  } finally {
    session.close();
  }
}
