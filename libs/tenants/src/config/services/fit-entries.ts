import {
  configValueFault,
  type ConfigField,
  type StoredEntry,
  type StoredService,
  Fault,
  type FaultDetail,
} from "@bulkhead/core";

/**
 * Throws `config_service.in_use` if entries hold values that the service's fields can't: no entered value is lost without
 * being named. A missing value of a required field is no fault, since the entry shows as incomplete; a blank one is.
 */
export function requireFitting({ configSchema, multiEntry, entries }: StoredService): void {
  const faults = entries.flatMap((entry) => unfitting(configSchema, entry));
  if (!multiEntry && entries.length > 1) {
    faults.push({ path: "multiEntry", message: `can't be false while there are ${entries.length} entries` });
  }
  const [first] = faults;
  if (first) {
    throw new Fault("config_service.in_use", { detail: `${first.path}: ${first.message}.`, errors: faults });
  }
}

function unfitting(schema: readonly ConfigField[], { label, values, secrets }: StoredEntry): FaultDetail[] {
  const fault = (field: string, message: string) => ({
    path: "configSchema",
    message: `the entry "${label}" has a value of ${field}, ${message}; take it away first`,
  });
  const find = (field: string) => schema.find(({ name }) => name === field);
  const plain = Object.entries(values).flatMap(([field, value]) => {
    const wanted = find(field);
    if (!wanted) return [fault(field, "which would be no field any more")];
    if (wanted.type === "secret") return [fault(field, "which is no secret so far")];
    const wrong = configValueFault(wanted, value);
    return wrong === null ? [] : [fault(field, `which ${wrong}`)];
  });
  const sealed = Object.keys(secrets)
    .filter((field) => find(field)?.type !== "secret")
    .map((field) => fault(field, "which is a secret and can't become anything else"));
  return [...plain, ...sealed];
}
