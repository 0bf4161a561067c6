const MIB = 1_024 * 1_024;

/** Characters of a prompt: what the most patient of the models takes. */
export const PROMPT_CHARS_MAX = 32_000;
/** Pictures of one call. */
export const PICTURES_MAX = 4;
/** Characters of a model's and of a voice's name. */
export const NAME_CHARS_MAX = 100;
/** From the request for pictures to the whole answer, and of a call of its own; milliseconds. */
export const IMAGE_MS_MAX = 150_000;
export const IMAGE_CALL_MS_MAX = 180_000;
/** Bytes of one answer of an endpoint's, with pictures in base64 or sound in hexadecimal. */
export const ANSWER_BYTES_MAX = 16 * MIB;
/** Objects, lists, names and values of an answer in JSON: each costs memory and time, and pictures and sound are few long texts. */
export const ANSWER_SIGNS_MAX = 65_536;
/** Bytes of one picture that is fetched from where the answer says, and milliseconds: what a call has left for all at once. */
export const PICTURE_BYTES_MAX = 12 * MIB;
export const PICTURE_MS_MAX = 25_000;
/** Characters of the prompt as a provider has rewritten it. */
export const REVISED_CHARS_MAX = 4_000;
/** Bytes of all that one result holds; base64 makes four of three, and some words stand beside. */
export const RESULT_BYTES_MAX = 4 * MIB;
export const SHOWN_BYTES_MAX = ((RESULT_BYTES_MAX - 64 * 1_024) / 4) * 3;
/** Characters that are said at once. */
export const TEXT_CHARS_MAX = 4_096;
/** How much faster or slower than usual; each provider has bounds of its own within. */
export const SPEED_MIN = 0.25;
export const SPEED_MAX = 4;
/** From the request for speech to the whole answer, and of a call of its own; milliseconds. */
export const SPEECH_MS_MAX = 60_000;
export const SPEECH_CALL_MS_MAX = 90_000;
/** From a program's start to its end; milliseconds. */
export const PROGRAM_MS_MAX = 20_000;
/** Bytes of speech: more than 4 minutes of a program's uncompressed sound. */
export const SPEECH_BYTES_MAX = 12 * MIB;
/** Characters of a provider's reason that are told. */
export const REASON_CHARS_MAX = 200;
export const PATH_CHARS_MAX = 1_024;
