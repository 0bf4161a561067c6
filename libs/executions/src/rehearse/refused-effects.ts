import {
  DRY_RUN_EFFECTS_MAX,
  DRY_RUN_MORE,
  DRY_RUN_TARGET_CHARS_MAX,
  newPlaceholder,
  type CapabilityAnswer,
  type DryRunEffect,
  type Effect,
  type EffectAnswer,
  type EffectRefusal,
  type InlineTool,
} from "@bulkhead/core";
import { readArguments } from "../attempt/callable-tools.ts";
import { NO_USAGE } from "../attempt/judge.ts";
import { refusal } from "../attempt/tool-calls.ts";
import { NOWHERE, RecordedOutside } from "./recorded-outside.ts";

const REFUSED = "A dry run for an approval does nothing outside: what it asks for is put down and refused.";

/** Without answers no refusal counts against the tool: it was never allowed to. */
const NOTHING_REFUSED: ReadonlySet<string> = new Set();

/**
 * Stands in for `Effects` where nothing may happen outside: puts down what was asked for, and answers what was recorded for
 * it, or refuses it.
 */
export class RefusedEffects {
  readonly more = {};
  readonly asked = NO_USAGE;
  readonly lastRefusal = null;
  /** The stand-ins that the run is given in place of its services' values. */
  readonly configJson: string;
  readonly #standIns: readonly StandIn[];
  readonly #outside: RecordedOutside | null;
  readonly #seen = new Map<string, DryRunEffect>();

  constructor(
    { services, recorded }: NonNullable<InlineTool["rehearsal"]>,
    tool: Pick<InlineTool, "limits" | "allowedHosts">,
  ) {
    this.#standIns = standInsFor(services);
    this.#outside = recorded ? new RecordedOutside(recorded, { ...tool, services }) : null;
    this.configJson = configJsonOf(this.#standIns);
  }

  get refused(): ReadonlySet<string> {
    return this.#outside?.refused ?? NOTHING_REFUSED;
  }

  get requests(): number {
    return this.#outside?.requests ?? 0;
  }

  /**
   * The effects that were asked for, each once, in the order of the first time; of each kind the first
   * `DRY_RUN_EFFECTS_MAX`.
   */
  get seen(): DryRunEffect[] {
    return [...this.#seen.values()];
  }

  async settled(): Promise<void> {}

  close(): void {}

  /** Nothing is sent to a tool's server either. */
  begin(): Promise<EffectAnswer> {
    return Promise.resolve(refusal("tool_not_allowed", REFUSED));
  }

  /** No command is run: it gives what was recorded for its line. Where nothing was recorded at all, the line itself. */
  runCommand({ command: line }: { command: string }): Promise<CapabilityAnswer> {
    this.#putDown({ kind: "capability", target: bounded(`shell.exec ${line}`) });
    return Promise.resolve(this.#outside?.command(line) ?? { ok: true, value: { ...SHOWN, stdout: line } });
  }

  #putDown({ kind, target }: DryRunEffect): void {
    const count = [...this.#seen.values()].filter((seen) => seen.kind === kind).length;
    const put = { kind, target: count < DRY_RUN_EFFECTS_MAX ? target : DRY_RUN_MORE };
    if (!this.#seen.has(`${kind} ${target}`)) this.#seen.set(`${kind} ${put.target}`, put);
  }

  /** Never rejects. */
  async perform(effect: Effect): Promise<EffectAnswer> {
    for (const seen of describe(effect, this.#standIns)) this.#putDown(seen);
    if (this.#outside) return this.#outside.answer(withNames(effect, this.#standIns));
    return refusal(REFUSALS[effect.kind] ?? "egress_denied", REFUSED);
  }
}

/** As a shell tells of a command that did nothing else. */
const SHOWN = { stderr: "", exitCode: 0, timedOut: false, truncated: false, unsaved: [] };

const REFUSALS: Readonly<Partial<Record<Effect["kind"], EffectRefusal>>> = {
  call_tool: "tool_not_allowed",
  list_tools: "tool_not_allowed",
  capability: "capability_denied",
};

/** Nothing for what is only the rest of another effect. */
function describe(effect: Effect, standIns: readonly StandIn[]): DryRunEffect[] {
  const services = (sent: string) =>
    servicesIn(standIns, sent).map((service): DryRunEffect => ({
      kind: "service",
      target: bounded(service),
    }));
  switch (effect.kind) {
    case "fetch": {
      const { method, url } = effect.request;
      const target = bounded(`${method} ${addressOf(url)}`);
      return [{ kind: "fetch", target }, ...services(JSON.stringify(effect.request))];
    }
    case "call_tool":
      return [{ kind: "call_tool", target: bounded(effect.name) }, ...services(effect.argumentsJson)];
    case "list_tools":
      return [{ kind: "list_tools", target: "" }];
    case "hmac":
      return [{ kind: "service", target: bounded(effect.request.service) }];
    case "capability": {
      const { argumentsJson, content } = effect;
      return [
        { kind: "capability", target: bounded(targetOf(effect)) },
        ...services(argumentsJson + (content ?? "")),
      ];
    }
    default:
      return [];
  }
}

/** Without query and credentials, which may hold parts of the arguments. */
function addressOf(text: string): string {
  const url = URL.parse(text);
  return url ? `${url.origin}${url.pathname}` : "(no address)";
}

/** The arguments that say what an operation of a capability is about. */
const ABOUT = ["command", "path", "from", "to", "pattern", "collection", "id"];

/** Such as `files.move a.md b.md`. */
function targetOf({ family, operation, argumentsJson }: Extract<Effect, { kind: "capability" }>): string {
  const args = readArguments(argumentsJson) ?? {};
  const about = ABOUT.map((name) => args[name]).filter((value) => typeof value === "string");
  return [`${family}.${operation}`, ...about].join(" ");
}

const bounded = (text: string): string => text.slice(0, DRY_RUN_TARGET_CHARS_MAX).toWellFormed();

/** Values that a dry run is given in place of one service's: recognisable wherever it sends them. */
interface StandIn {
  service: string;
  secret: string;
  baseUrl: string;
}

/** A request as an example records it: what stands for a service's key reads `{service}`. */
function withNames(effect: Effect, standIns: readonly StandIn[]): Effect {
  if (effect.kind !== "fetch") return effect;
  const url = standIns.reduce(
    (text, { secret, service }) => text.replaceAll(secret, `{${service}}`),
    effect.request.url,
  );
  return { ...effect, request: { ...effect.request, url } };
}

/** The secrets look like any run's placeholders: code that could tell a dry run by them could behave in it. */
function standInsFor(services: readonly string[]): StandIn[] {
  const taken = new Set<string>();
  return services.map((service) => {
    const label = labelOf(service, taken);
    taken.add(label);
    return { service, secret: newPlaceholder(), baseUrl: `https://${label}${NOWHERE}` };
  });
}

/** A host's label of a service's name, which may hold more than labels may; another one than those taken. */
function labelOf(service: string, taken: ReadonlySet<string>): string {
  const label = service.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  let free = label;
  for (let n = 2; taken.has(free); n += 1) free = `${label}-${n}`;
  return free;
}

/** The services as a run is told of them. */
const configJsonOf = (standIns: readonly StandIn[]): string =>
  JSON.stringify({
    services: Object.fromEntries(
      standIns.map(({ service, secret, baseUrl }) => [
        service,
        { entries: [{ label: "dry run", isDefault: true, data: { api_key: secret, base_url: baseUrl } }] },
      ]),
    ),
  });

/** The services whose values are on their way out in `sent`. */
const servicesIn = (standIns: readonly StandIn[], sent: string): string[] =>
  standIns
    .filter(({ secret, baseUrl }) => sent.includes(secret) || sent.includes(`${baseUrl}/`))
    .map(({ service }) => service);
