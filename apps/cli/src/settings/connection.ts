import { CliFault, EXIT, usageFault } from "../faults/cli-fault.ts";
import type { ConfigFile, Profile } from "./config-file.ts";

/** Where to ask, and with which key. */
export interface Connection {
  url: string;
  key: string;
  /** The profile that the key comes from; absent where the environment gave it. */
  profile?: string;
}

export interface Chosen {
  url?: string | undefined;
  profile?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  config: ConfigFile;
}

export const PROFILE_DEFAULT = "default";
/** Addresses that nobody else hears; a key travels to others over https, unless http is said. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/;
const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Names of profiles are letters, digits, `.`, `_` and `-`, 64 at most. */
export function checkProfileName(name: string): string {
  if (PROFILE_NAME.test(name)) return name;
  throw usageFault(
    `"${name}" can't be the name of a profile.`,
    "Use up to 64 letters, digits, dots and hyphens.",
  );
}

const keptProfile = (config: ConfigFile, name: string): Profile | undefined =>
  Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;

/** Whether what is sent to this address can be heard on the way. */
export function isHeardByOthers(url: string): boolean {
  const { protocol, host } = new URL(url);
  return protocol === "http:" && !LOOPBACK.test(host);
}

/** An address of a server without the path of its API, as it is compared and kept; a fault names where it was said. */
export function serverUrl(said: string, where: string): string {
  const text = said.includes("://") ? said : `${LOOPBACK.test(said) ? "http" : "https"}://${said}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw usageFault(`${where} is no address of a server.`, "Give one such as https://bulkhead.example.com.");
  if (url.username !== "" || url.password !== "")
    throw usageFault(`${where} must not hold a name or password.`, "Log in with a key: bulkhead login");
  const path = url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
  return url.origin + path;
}

/** A key travels in a header; nothing else can be one. */
const KEY = /^[\x21-\x7e]{1,4096}$/;

/** A key as it was typed or piped, without blanks around it; a fault names where it was said, and nothing of it. */
export function keyFrom(said: string, where: string): string {
  const key = said.trim();
  if (KEY.test(key)) return key;
  throw usageFault(`${where} is no key: a key is one word of visible characters.`, "Copy it again.");
}

const notLoggedIn = (message: string, next: string): CliFault =>
  new CliFault(message, { exit: EXIT.refused, code: "cli.not_logged_in", next });

/** The profile that counts: the one that was named, else the one that was logged in to last. */
export const profileName = ({ profile, config }: Pick<Chosen, "profile" | "config">): string =>
  profile === undefined ? (config.current ?? PROFILE_DEFAULT) : checkProfileName(profile);

/** The address that counts: `--url`, then (unless a profile was named) `BULKHEAD_URL`, then the profile's. */
export function chosenUrl(chosen: Chosen): string | undefined {
  const { url, profile, env, config } = chosen;
  if (url !== undefined) return serverUrl(url, "--url");
  if (profile === undefined && env["BULKHEAD_URL"]) return serverUrl(env["BULKHEAD_URL"], "BULKHEAD_URL");
  return keptProfile(config, profileName(chosen))?.url;
}

/**
 * What was typed goes before the environment, and that before the file; a profile that was named leaves the environment out. A
 * key out of the file is only sent to the server that it was kept for, whatever address is said.
 */
export function chooseConnection(chosen: Chosen): Connection {
  const { profile: named, env, config } = chosen;
  const name = profileName(chosen);
  const kept = keptProfile(config, name);
  if (named !== undefined && kept === undefined)
    throw notLoggedIn(`There is no profile "${name}".`, `Log in to it: bulkhead login --profile ${name}`);
  const url = chosenUrl(chosen);
  const key = named === undefined ? env["BULKHEAD_KEY"] : undefined;
  if (url === undefined) {
    const next = "Log in (bulkhead login), or set BULKHEAD_URL and BULKHEAD_KEY.";
    throw notLoggedIn("No server is known.", next);
  }
  if (key) return { url, key: keyFrom(key, "BULKHEAD_KEY") };
  if (kept !== undefined && kept.url === url) return { url, key: kept.key, profile: name };
  throw notLoggedIn(
    `There is no key for ${url}.`,
    `Log in there (bulkhead login --url ${url}${kept === undefined ? "" : " --profile <name>"}), or set BULKHEAD_KEY.`,
  );
}
