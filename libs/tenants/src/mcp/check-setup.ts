import {
  namesSecret,
  type EgressPolicy,
  type FaultDetail,
  type McpServerSetup,
  type McpValue,
  type Scrubbers,
} from "@bulkhead/core";
import { posix } from "node:path";
import { invalidInput } from "../config/input-fault.ts";

export interface CheckSetupDeps {
  egressPolicy: EgressPolicy;
  scrubbers: Scrubbers;
}

type Reach = Pick<McpServerSetup, "transport" | "url" | "command" | "args" | "env" | "headers">;

/**
 * What says how a server is reached, in the notation in which it is stored: the URL as the broker reads it, names of headers in
 * lower case. Throws `request.invalid` with the place of all that is wrong: what the transport needs or does not take, a URL
 * that egress never lets out, headers that are the protocol's own, and secrets that stand in the open.
 */
export function checkSetup<Setup extends Reach>(deps: CheckSetupDeps, setup: Setup): Setup {
  const { transport, url } = setup;
  const headers = Object.entries(setup.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const errors = [
    ...(transport === "stdio" ? faultsOfProcess(setup) : faultsOfAddress(deps.egressPolicy, setup)),
    ...headers.flatMap(([name, value]) => faultsOfHeader(name, value)),
    ...Object.keys(setup.env).flatMap(faultsOfVariable),
    ...openSecrets(deps.scrubbers, setup),
  ];
  if (new Set(headers.map(([name]) => name)).size < headers.length)
    errors.push({ path: "headers", message: "must not name a header twice, in whichever case" });
  if (errors.length > 0) throw invalidInput(errors);
  return { ...setup, url: url === null ? null : withoutHash(url), headers: Object.fromEntries(headers) };
}

function withoutHash(text: string): string {
  const url = new URL(text);
  url.hash = "";
  return url.href;
}

function faultsOfProcess({ command, url, headers }: Reach): FaultDetail[] {
  const faults: FaultDetail[] = [];
  if (command === null) faults.push({ path: "command", message: "is needed for stdio" });
  else if (!posix.isAbsolute(command) || posix.normalize(command) !== command || command.endsWith("/"))
    faults.push({ path: "command", message: "must be an absolute path of a program, without . and .." });
  if (url !== null) faults.push({ path: "url", message: "is not for stdio, which starts a process" });
  if (Object.keys(headers).length > 0)
    faults.push({ path: "headers", message: "are not for stdio; say `env`" });
  return faults;
}

function faultsOfAddress(egressPolicy: EgressPolicy, { transport, url, ...rest }: Reach): FaultDetail[] {
  const faults: FaultDetail[] = [];
  const refusal = url === null ? null : egressPolicy.refusalOf(url);
  if (url === null) faults.push({ path: "url", message: `is needed for ${transport}` });
  else if (refusal !== null) faults.push({ path: "url", message: `can't be reached: ${refusal}` });
  for (const [path, isGiven] of [
    ["command", rest.command !== null],
    ["args", rest.args.length > 0],
    ["env", Object.keys(rest.env).length > 0],
  ] as const)
    if (isGiven) faults.push({ path, message: `is for stdio alone, not for ${transport}` });
  return faults;
}

/** What the connection, the protocol or the broker says itself. */
const OWN_HEADERS = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "last-event-id",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const OWN_PREFIXES = ["mcp-", "proxy-", "sec-"];
/** RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

function faultsOfHeader(name: string, value: McpValue): FaultDetail[] {
  const path = `headers.${name}`;
  if (!HEADER_NAME.test(name)) return [{ path, message: "is no name of a header" }];
  if (OWN_HEADERS.has(name) || OWN_PREFIXES.some((prefix) => name.startsWith(prefix)))
    return [{ path, message: "is the protocol's own and can't be set" }];
  if (typeof value === "string" && !HEADER_VALUE.test(value))
    return [{ path, message: "must be visible ASCII characters and blanks" }];
  return [];
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** The process has folders of its own. */
const OWN_VARIABLES = new Set(["HOME", "PATH", "TMPDIR"]);

function faultsOfVariable(name: string): FaultDetail[] {
  const path = `env.${name}`;
  if (!VARIABLE_NAME.test(name)) return [{ path, message: "is no name of a variable" }];
  return OWN_VARIABLES.has(name) ? [{ path, message: "is set by the platform" }] : [];
}

const ADVICE = 'looks like a secret: put it into the Config Center and name it: {"config": "service.field"}';

/** Places of values in the open that are named as secrets are, or are tokens of a known kind; never the values. */
function openSecrets(scrubbers: Scrubbers, { url, args, env, headers }: Reach): FaultDetail[] {
  const scrubber = scrubbers.open({ needles: [], patterns: [] });
  const isToken = (text: string): boolean => scrubber.text(text) !== text;
  const named = Object.entries({ env, headers }).flatMap(([field, values]) =>
    Object.entries(values).flatMap(([name, value]) => {
      if (typeof value !== "string" || value === "") return [];
      const isSecret = namesSecret(name.replaceAll("-", "_")) || isToken(`${name}: ${value}`);
      return isSecret
        ? [{ path: `${field}.${field === "env" ? name : name.toLowerCase()}`, message: ADVICE }]
        : [];
    }),
  );
  const plain = [
    ...(url === null ? [] : [{ path: "url", text: url, instead: "in a header" }]),
    ...args.map((text, n) => ({ path: `args.${n}`, text, instead: "in `env`" })),
  ];
  return [
    ...named,
    ...plain.flatMap(({ path, text, instead }) =>
      isToken(text) ? [{ path, message: `holds what ${ADVICE}, ${instead}` }] : [],
    ),
  ];
}
