import { SPEECH_PROVIDERS, type JsonObject, type MediaToolName } from "@bulkhead/core";
import {
  NAME_CHARS_MAX,
  PATH_CHARS_MAX,
  PICTURES_MAX,
  PROMPT_CHARS_MAX,
  SPEED_MAX,
  SPEED_MIN,
  TEXT_CHARS_MAX,
} from "./bounds.ts";

const SPEECH_FORMATS = ["mp3", "wav", "opus"] as const;
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

const name = (pattern: string, description: string): JsonObject => ({
  type: "string",
  maxLength: NAME_CHARS_MAX,
  pattern,
  description,
});

const saveAs = (endings: string, description: string): JsonObject => ({
  type: "string",
  maxLength: PATH_CHARS_MAX,
  pattern: `[^/]\\.(${endings})$`,
  description,
});

const object = (properties: JsonObject, required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** The arguments of each tool. */
export const MEDIA_TOOL_PARAMETERS: Readonly<Record<MediaToolName, JsonObject>> = {
  image: object(
    {
      prompt: {
        type: "string",
        minLength: 1,
        maxLength: PROMPT_CHARS_MAX,
        pattern: "\\S",
        description: "What the picture shows, in what manner.",
      },
      size: {
        type: "string",
        pattern: "^(auto|[1-9][0-9]{1,3}x[1-9][0-9]{1,3})$",
        description: "Such as 1024x1024, or auto; models take few sizes. Left out: the model's.",
      },
      n: {
        type: "integer",
        minimum: 1,
        maximum: PICTURES_MAX,
        default: 1,
        description: "How many; each is paid for.",
      },
      quality: {
        type: "string",
        enum: ["auto", "low", "medium", "high", "standard", "hd"],
        description: "Left out: the model's.",
      },
      background: {
        type: "string",
        enum: ["auto", "transparent", "opaque"],
        description: "Left out: the model's.",
      },
      model: name("^[A-Za-z0-9][A-Za-z0-9 ._:/@+-]*$", "Left out: the model that is set up."),
      saveAs: saveAs(
        "png|jpe?g|webp",
        "A file of the workspace that the picture becomes, in place of being shown; further ones get -2, -3, -4 before the ending.",
      ),
    },
    ["prompt"],
  ),
  tts: object(
    {
      text: {
        type: "string",
        minLength: 1,
        maxLength: TEXT_CHARS_MAX,
        pattern: "\\S",
        description: "What is said, as plain text.",
      },
      voice: name(
        "^[A-Za-z0-9][A-Za-z0-9 ._:+()-]*$",
        "As the provider knows it. Left out: the one that is set up.",
      ),
      language: {
        type: "string",
        maxLength: 35,
        pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$",
        description: "Such as de or en-GB, for providers that take one.",
      },
      speed: {
        type: "number",
        minimum: SPEED_MIN,
        maximum: SPEED_MAX,
        description: "1 is usual, 2 twice as fast. Left out: as usual.",
      },
      format: {
        type: "string",
        enum: [...SPEECH_FORMATS],
        description: "Left out: by the ending of saveAs, else mp3 where the provider makes it, else wav.",
      },
      provider: {
        type: "string",
        enum: [...SPEECH_PROVIDERS],
        description: "Left out: the one that is set up.",
      },
      saveAs: saveAs(
        "mp3|wav|ogg|opus",
        "A file of the workspace that the speech becomes, in place of being played.",
      ),
    },
    ["text"],
  ),
};
