import { toText } from "./primordials.ts";
import { URL } from "./url.ts";

const NAMED = {
  redirect: ["follow", "error", "manual"],
  mode: ["cors", "no-cors", "same-origin"],
  credentials: ["same-origin", "omit", "include"],
  cache: ["default", "no-store", "reload", "no-cache", "force-cache", "only-if-cached"],
  referrerPolicy: [
    "",
    "no-referrer",
    "no-referrer-when-downgrade",
    "same-origin",
    "origin",
    "strict-origin",
    "origin-when-cross-origin",
    "strict-origin-when-cross-origin",
    "unsafe-url",
  ],
} as const;
type Named = typeof NAMED;

/** The settings of a request beside its content. */
export type RequestSettings = { readonly [K in keyof Named]: Named[K][number] } & {
  readonly referrer: string;
  readonly integrity: string;
  readonly keepalive: boolean;
};
export type SettingsInit = { [K in keyof RequestSettings | "duplex"]?: unknown };

/** The standard's. */
export const DEFAULTS: RequestSettings = {
  redirect: "follow",
  mode: "cors",
  credentials: "same-origin",
  cache: "default",
  referrerPolicy: "",
  referrer: "about:client",
  integrity: "",
  keepalive: false,
};

/** The settings of `from` with the changes of `init`. Throws a TypeError for a value that the standard doesn't know. */
export function readSettings(init: SettingsInit, from: RequestSettings): RequestSettings {
  const named = <K extends keyof Named>(name: K, otherwise: RequestSettings[K]): RequestSettings[K] =>
    init[name] === undefined ? otherwise : (oneOf(name, NAMED[name], init[name]) as RequestSettings[K]);
  if (init.duplex !== undefined) oneOf("duplex", ["half"], init.duplex);
  // By the standard a changed request gets the referrer of the code that changes it.
  const referring = Object.keys(init).length > 0 ? DEFAULTS : from;
  const settings: RequestSettings = {
    redirect: named("redirect", from.redirect),
    mode: named("mode", from.mode),
    credentials: named("credentials", from.credentials),
    cache: named("cache", from.cache),
    referrerPolicy: named("referrerPolicy", referring.referrerPolicy),
    referrer: init.referrer === undefined ? referring.referrer : referrerOf(toText(init.referrer)),
    integrity: init.integrity === undefined ? from.integrity : toText(init.integrity),
    keepalive: init.keepalive === undefined ? from.keepalive : Boolean(init.keepalive),
  };
  if (settings.cache === "only-if-cached" && settings.mode !== "same-origin")
    throw new TypeError("cache can be only-if-cached only where mode is same-origin");
  return settings;
}

function oneOf<const V extends string>(name: string, values: readonly V[], given: unknown): V {
  const text = toText(given);
  const found = values.find((one) => one === text);
  if (found === undefined) throw new TypeError(`${name} must be one of ${values.join(", ")}`);
  return found;
}

function referrerOf(text: string): string {
  if (text === "") return "";
  const url = URL.parse(text);
  if (url === null) throw new TypeError("the referrer must be a URL, or empty");
  return url.href;
}
