import {
  NEEDLE_WEIGHT_MAX,
  judgeSecret,
  needleWeight,
  placeSecrets,
  toolVariablePurpose,
  type Needle,
  type OpenedService,
  type PlacedServices,
  type RunnableTool,
  type Scrubber,
  type Scrubbers,
  type ServiceConfigs,
  type TenantScrubRules,
  type ToldNeedle,
  type Vault,
  Fault,
} from "@bulkhead/core";
import { failed, type Judged } from "../attempt/judge.ts";

/** One of a run: whole it is covered always, in parts only where the run's code or a caller's was told it. */
export type RunNeedle = Needle | ToldNeedle;

export interface SecretDeps {
  configs: Pick<ServiceConfigs, "open">;
  /** Opens the variables of tools that have a command. */
  vault: Pick<Vault, "open">;
  scrubbers: Scrubbers;
  /** Asked before every run: answers from memory what it knows. */
  scrubRules: TenantScrubRules;
}

/**
 * The services of its tenant that one execution is given, and the scrubber that keeps them in. Let go of with the
 * execution.
 */
export interface RunSecrets extends PlacedServices {
  /** Those of its tool's command, by name. */
  readonly variables: Readonly<Record<string, string>>;
  /** Covers all that the execution lets out. */
  readonly scrubber: Scrubber;
  /** Every secret that it or one of its callers could reach, each as told where its code or a caller's was told it. */
  readonly needles: readonly RunNeedle[];
  /** Whether there is one to keep in that its own code was not told: a scrub rule's, a placeholder's, a caller's. */
  keepsUntold(): boolean;
  /** Whether it and all its callers can keep these in too, within `NEEDLE_WEIGHT_MAX`. */
  hasRoomFor(needles: readonly Needle[]): boolean;
  /**
   * From here on these are covered too, here and in its callers: what is called may be given a newer value than they
   * were.
   */
  learn(needles: readonly Needle[]): void;
}

/**
 * Opens the services that the tool declares, before anything of it runs: with half of them it does not run at all.
 * Rejects when nobody can be asked for them.
 */
export async function openSecrets(
  deps: SecretDeps,
  { tenantId, callerSecrets }: { tenantId: string; callerSecrets: RunSecrets | null },
  { services: names, shell }: Pick<RunnableTool, "services" | "shell">,
): Promise<{ secrets: RunSecrets } | { refusal: Judged }> {
  try {
    const unset = Object.entries(shell?.env ?? {}).find(([, sealed]) => sealed === null);
    if (unset) return { refusal: unsetVariable(unset[0]) };
    const [services, rules, variables] = await Promise.all([
      names.length === 0 ? [] : deps.configs.open(tenantId, names),
      deps.scrubRules.open(tenantId),
      openVariables(deps, tenantId, shell),
    ]);
    const own = [...services.flatMap(needlesOf), ...needlesOfVariables(variables)];
    const needles = joinNeedles(callerSecrets?.needles ?? [], own);
    const hasRoomFor = (more: readonly Needle[]): boolean =>
      needleWeight([...rules.needles, ...needles, ...newsOf(needles, more)]) <= NEEDLE_WEIGHT_MAX &&
      (callerSecrets?.hasRoomFor(more) ?? true);
    if (!hasRoomFor(own)) return { refusal: TOO_LARGE };
    callerSecrets?.learn(own.map(untold));
    const scrubber = deps.scrubbers.open({
      needles: [...rules.needles.map(untold), ...needles],
      patterns: rules.patterns,
    });
    const learn = (more: readonly Needle[]): void => {
      const news = newsOf(needles, more);
      needles.push(...news);
      if (news.length > 0) scrubber.add(news);
      callerSecrets?.learn(more);
    };
    const told = new Set(own.filter(isTold).map(({ value }) => value));
    const keepsUntold = (): boolean =>
      rules.needles.length > 0 || needles.some(({ value }) => !told.has(value));
    return {
      secrets: { ...placeSecrets(services), variables, scrubber, needles, keepsUntold, hasRoomFor, learn },
    };
  } catch (error) {
    if (error instanceof Fault && error.code === "vault.unreadable") return { refusal: UNREADABLE };
    throw error;
  }
}

const UNREADABLE = failed(
  "failed",
  "vault.unreadable",
  "A secret of a service that the tool declares, or of a scrub rule, can't be opened, so nothing was run. Enter it again.",
);

const TOO_LARGE = failed(
  "failed",
  "vault.too_large",
  `The secrets of the services that the tool and its callers declare, with the values of scrub rules, have more than ${NEEDLE_WEIGHT_MAX} characters together (one beyond ASCII counts for several), so nothing was run. Move large secrets out, such as files and chains of certificates, to where the tool can fetch them.`,
);

/**
 * The needles that a service gives a run: a value is told where the run's code is given it, and not where it gets a
 * placeholder.
 */
const needlesOf = ({ entries }: OpenedService): RunNeedle[] =>
  entries.flatMap(({ secrets }) =>
    secrets.map(({ value, wholeWordsOnly, revealed }) => ({
      value,
      wholeWordsOnly,
      ...(revealed && { isTold: true as const }),
    })),
  );

async function openVariables(
  { vault }: Pick<SecretDeps, "vault">,
  tenantId: string,
  shell: RunnableTool["shell"],
): Promise<Record<string, string>> {
  const opened = Object.entries(shell?.env ?? {}).map(async ([name, sealed]) => {
    const place = { tenantId, purpose: toolVariablePurpose(name) };
    return [name, await vault.open(sealed ?? "", place)] as const;
  });
  return Object.fromEntries(await Promise.all(opened));
}

/** Its command is told them whole. What stands in ordinary text by chance is no secret, which its maker was warned of. */
const needlesOfVariables = (variables: Record<string, string>): RunNeedle[] =>
  [...new Set(Object.values(variables))]
    .filter((value) => judgeSecret(value) === "ok")
    .map((value) => ({ value, wholeWordsOnly: false, isTold: true }));

const unsetVariable = (name: string): Judged =>
  failed(
    "failed",
    "vault.unreadable",
    `The variable ${name} of the tool's command has no value, so nothing was run. A person gives it one (env of the tool).`,
  );

/** As those know it whose code never saw the value: the callers of what was given it, and scrub rules. */
const untold = ({ value, wholeWordsOnly }: Needle): Needle => ({ value, wholeWordsOnly });

const isTold = (needle: RunNeedle): needle is ToldNeedle => "isTold" in needle;

/** Those of `more` whose values are not among the needles yet. */
function newsOf<N extends Needle>(needles: readonly Needle[], more: readonly N[]): N[] {
  const known = new Set(needles.map(({ value }) => value));
  return more.filter(({ value }) => !known.has(value));
}

/** Joins the needles of a run's callers with its own; a value that either was told is told, however else it is held. */
function joinNeedles(callers: readonly RunNeedle[], own: readonly RunNeedle[]): RunNeedle[] {
  const told = new Set([...callers, ...own].filter(isTold).map(({ value }) => value));
  const all = [...callers, ...newsOf(callers, own)];
  return all.map((needle) => (told.has(needle.value) ? { ...needle, isTold: true } : needle));
}
