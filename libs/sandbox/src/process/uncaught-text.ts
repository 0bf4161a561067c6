/** isolated-vm's message for a thrown value that is no error; it has no more details. */
const NO_ERROR = /^An object was thrown from supplied code within isolated-vm/;
/** The guest's too. */
const KEY_CHARS_MAX = 200;
const TOOL_PLACE = /\btool\.js:\d+:\d+/;

/** The key by which the guest names an error that was caught late. */
export function uncaughtKey(error: unknown): string {
  if (!(error instanceof Error) || NO_ERROR.test(error.message)) return "other";
  return `error ${error.message}`.slice(0, KEY_CHARS_MAX);
}

/** isolated-vm copies an uncaught error; its stack has this process's paths, so only the place in the tool leaves. */
export function uncaughtText(error: unknown): string {
  if (!(error instanceof Error)) return "error";
  if (NO_ERROR.test(error.message)) return "a value that is no Error";
  const place = TOOL_PLACE.exec(error.stack ?? "")?.[0];
  return `${error.name}: ${error.message}${place === undefined ? "" : ` (${place})`}`;
}
