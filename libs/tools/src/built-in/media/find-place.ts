import {
  ENDPOINT_FIELDS,
  Fault,
  IMAGE_SERVICE,
  isSpeechProvider,
  newPlaceholder,
  portOf,
  SPEECH_PROGRAM,
  SPEECH_SERVICE,
  type HeldSecret,
  type ImageDefault,
  type OpenedService,
  type PlacedSecret,
  type ServiceConfigs,
  type ServiceKind,
  type SpeechDefault,
  type SpeechProvider,
} from "@bulkhead/core";

interface Deps<Default> {
  configs: Pick<ServiceConfigs, "open">;
  /** The operator's; null: tenants have their own or none. */
  byDefault: Default | null;
}
export type ImageDeps = Deps<ImageDefault>;
export type SpeechDeps = Deps<SpeechDefault>;

/** Who makes pictures or speech for a tenant, as its entry or the operator says; nothing is filled in. */
export interface Place {
  /** Without a slash at its end; null: where the provider itself is. */
  baseUrl: string | null;
  key: HeldSecret | null;
  model: string | null;
  voice: string | null;
  /** Of Azure Speech. */
  region: string | null;
  /** Where it is entered, as `in the service "tts"`. */
  where: string;
}
export interface SpeechPlace extends Place {
  provider: SpeechProvider;
}

export const NO_IMAGE_SERVICE =
  `No model for pictures is set up: make a service "${IMAGE_SERVICE}" of the kind image under Secrets in the console, or by POST /api/v1/config-services, with the fields ` +
  `${ENDPOINT_FIELDS.baseUrl}, ${ENDPOINT_FIELDS.key}, ${ENDPOINT_FIELDS.model}.`;
export const NO_SPEECH_SERVICE =
  `Nothing that speaks is set up: make a service "${SPEECH_SERVICE}" of the kind speech under Secrets in the console, or by POST /api/v1/config-services, with the fields ` +
  `${ENDPOINT_FIELDS.provider}, ${ENDPOINT_FIELDS.key}, ${ENDPOINT_FIELDS.voice}.`;

/** The tenant's, else the operator's; a text says what is missing. */
export async function findImagePlace(
  { configs, byDefault }: ImageDeps,
  tenantId: string,
): Promise<Place | string> {
  const [found] = await openKind(configs, tenantId, [IMAGE_SERVICE], "image");
  if (typeof found === "string") return found;
  if (found) return found.place;
  return byDefault === null ? NO_IMAGE_SERVICE : ofOperator(byDefault);
}

/**
 * The tenant's services `tts` and `tts_<provider>`, then the operator's: the first one, or the first of the provider that is
 * asked for. A text says what is wrong with a service; null: nothing is set up.
 */
export async function findSpeechPlace(
  { configs, byDefault }: SpeechDeps,
  tenantId: string,
  asked: SpeechProvider | null,
): Promise<SpeechPlace | string | null> {
  const names = [SPEECH_SERVICE, ...(asked === null ? [] : [`${SPEECH_SERVICE}_${asked}`])];
  for (const one of await openKind(configs, tenantId, names, "speech")) {
    // A program takes nothing of a service, so that none can be in its way.
    if (typeof one === "string" && asked !== SPEECH_PROGRAM) return one;
    if (typeof one === "string") continue;
    const { provider } = one;
    if (isSpeechProvider(provider) && (asked ?? provider) === provider) return { ...one.place, provider };
  }
  if (byDefault === null || (asked ?? byDefault.provider) !== byDefault.provider) return null;
  return { ...ofOperator(byDefault), provider: byDefault.provider, voice: byDefault.voice };
}

/** What a person does about nothing being set up. */
export const noSpeech = (asked: SpeechProvider | null): string =>
  asked === null
    ? NO_SPEECH_SERVICE
    : `${asked} is not set up: make a service "${SPEECH_SERVICE}", or "${SPEECH_SERVICE}_${asked}" beside another, of the kind speech ` +
      `with the ${ENDPOINT_FIELDS.provider} ${asked}.`;

type Opened = { place: Place; provider: unknown } | string;

/** Those of the tenant's that have this kind and an entry, in the order of the names. */
async function openKind(
  configs: SpeechDeps["configs"],
  tenantId: string,
  names: readonly string[],
  kind: ServiceKind,
): Promise<Opened[]> {
  const opened = await configs.open(tenantId, names).catch((error: unknown) => {
    if (error instanceof Fault && error.code === "vault.unreadable") return null;
    throw error;
  });
  if (opened === null)
    return [`A secret of the service "${names.join('" or "')}" can't be opened: enter it again.`];
  return names.flatMap((name) => {
    const service = opened.find((one) => one.name === name);
    return service === undefined ? [] : ofTenant(service, kind);
  });
}

function ofTenant({ name, kind, entries }: OpenedService, wanted: ServiceKind): Opened[] {
  if (kind !== wanted)
    return [`The service "${name}" is of the kind ${kind}, and has to be of the kind ${wanted}.`];
  const entry = entries.find(({ isDefault }) => isDefault) ?? entries[0];
  if (entry === undefined) return [];
  const textOf = (field: string): string | null => {
    const value = entry.values[field];
    return value === undefined || value === "" ? null : String(value);
  };
  const place = {
    baseUrl: textOf(ENDPOINT_FIELDS.baseUrl)?.replace(/\/+$/, "") ?? null,
    key: entry.secrets.find(({ field }) => field === ENDPOINT_FIELDS.key) ?? null,
    model: textOf(ENDPOINT_FIELDS.model),
    voice: textOf(ENDPOINT_FIELDS.voice),
    region: textOf(ENDPOINT_FIELDS.region),
    where: `in the service "${name}"`,
  };
  return [{ place, provider: entry.values[ENDPOINT_FIELDS.provider] }];
}

const ofOperator = ({ baseUrl, model, key }: ImageDefault): Place => ({
  baseUrl: baseUrl?.replace(/\/+$/, "") ?? null,
  key: key === null ? null : { ...OPERATORS, value: key },
  model,
  voice: null,
  region: null,
  where: "in this deployment's settings",
});

/** How the operator's key is held: as a tenant's is, of which no code is told. */
const OPERATORS: Omit<HeldSecret, "value"> = {
  service: "operator",
  entry: "operator",
  field: ENDPOINT_FIELDS.key,
  hosts: [],
  revealed: false,
  inBody: false,
  wholeWordsOnly: false,
};

/** What stands for the key until the request leaves, to the endpoint's own host alone; null where there is no key. */
export function placedKey(
  { key }: Pick<Place, "key">,
  baseUrl: string,
): { placeholder: string | null; secrets: PlacedSecret[] } {
  if (key === null) return { placeholder: null, secrets: [] };
  const at = URL.parse(baseUrl);
  const placeholder = newPlaceholder();
  const hosts = at === null ? [] : [`${at.hostname}:${portOf(at)}`];
  return { placeholder, secrets: [{ placeholder, secret: { ...key, hosts } }] };
}
