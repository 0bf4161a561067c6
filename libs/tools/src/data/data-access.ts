import {
  COLLECTION_NAME,
  DATA_SETTINGS_DEFAULT,
  Fault,
  GOALS_COLLECTION,
  sharedPlace,
  whyNoDocumentId,
  type DataPlace,
  type DataSettings,
  type DataStore,
  type DataUsage,
  type TenantLimits,
  type TenantStore,
} from "@bulkhead/core";
import type { FileAsker } from "../files/file-access.ts";

export interface DataDeps {
  data: DataStore;
  /** Limits and settings are looked up for each call, so that a change holds at once and who keeps no data pays nothing. */
  tenants: Pick<TenantStore, "find">;
}

/**
 * Who asks, and for whose data: as for files. People, who see all, name whose collections they mean; for agents' keys and for
 * what runs some are shared.
 */
export type DataAsker = FileAsker;

/** The tenant's word on one call. */
export interface DataTerms {
  settings: DataSettings;
  bounds: DataUsage;
  documentBytes: TenantLimits["maxDocumentBytes"];
}

/** Throws `tenant.not_found` where the tenant is gone, or about to be. */
export async function termsOf(
  { tenants }: Pick<DataDeps, "tenants">,
  { workspace: { tenantId }, seesAll }: Pick<DataAsker, "workspace" | "seesAll">,
): Promise<DataTerms> {
  const tenant = await tenants.find(tenantId);
  if (!tenant || tenant.deletingAt) throw new Fault("tenant.not_found");
  const { maxCollections, maxDocuments, maxDocumentBytes, maxAllDocumentBytes } = tenant.limits;
  return {
    settings: seesAll ? DATA_SETTINGS_DEFAULT : tenant.settings.data,
    bounds: { collections: maxCollections, documents: maxDocuments, bytes: maxAllDocumentBytes },
    documentBytes: maxDocumentBytes,
  };
}

/** Throws `data.name_invalid`. */
function placeOf({ workspace }: DataAsker, { settings }: DataTerms, collection: string): DataPlace {
  if (!COLLECTION_NAME.test(collection))
    throw invalidName("collection", "must be 1 to 64 letters, digits, _, . and -, a letter first");
  return sharedPlace(settings, { workspace, collection });
}

/** Where goals are: nobody's are shared. */
export const goalsOf = ({ workspace }: DataAsker): DataPlace => ({ workspace, collection: GOALS_COLLECTION });

/** Of one that is only looked at; then people can name goals too. */
export const placeToRead = (asker: DataAsker, terms: DataTerms, collection: string): DataPlace =>
  asker.seesAll && collection === GOALS_COLLECTION ? goalsOf(asker) : placeOf(asker, terms, collection);

/** Throws `data.reserved`, or `data.name_invalid`. */
export function placeToWrite(asker: DataAsker, terms: DataTerms, collection: string): DataPlace {
  if (collection === GOALS_COLLECTION)
    throw new Fault("data.reserved", { detail: `${GOALS_COLLECTION} is written by the tool goals alone.` });
  return placeOf(asker, terms, collection);
}

/** Throws `data.name_invalid`. */
export function documentId(said: string): string {
  const why = whyNoDocumentId(said);
  if (why === null) return said;
  throw invalidName("id", why);
}

const invalidName = (path: string, message: string): Fault =>
  new Fault("data.name_invalid", {
    detail: `The request is not valid: ${path} ${message}.`,
    errors: [{ path, message }],
  });
