import type { ConfigEntry, ConfigService, EntryOutline, SecretFacts } from "./config-service.ts";
import type { ServiceKind } from "./service-kind.ts";
import type { ServiceNeeds } from "../tool/tool-services.ts";

export interface StoredSecret extends SecretFacts {
  /** Sealed by the vault, for `configPurpose` of its place. */
  sealed: string;
}

export interface StoredEntry extends ConfigEntry {
  secrets: Readonly<Record<string, StoredSecret>>;
}

export interface StoredService extends ConfigService {
  /** Oldest first. */
  entries: StoredEntry[];
  /** Rises with every change of the service and of its entries. */
  revision: number;
}

/** A service with the fields that its entries fill in, without a value. */
export interface ServiceOutline extends ConfigService {
  entries: EntryOutline[];
}

export type NewConfigService = Omit<ConfigService, "defaultLabel" | "updatedAt">;

/** The fields of a service that a person may change. */
export type ServiceTerms = Omit<
  ConfigService,
  "tenantId" | "name" | "codeHosts" | "defaultLabel" | "registeredBy" | "kept" | "createdAt" | "updatedAt"
>;

/** Names one state of a service, for which a change is made. */
export interface ServiceState {
  tenantId: string;
  name: string;
  revision: number;
}

/** A service that its tool has left, with the needs of one that still asks for it. */
export interface LeftService {
  /** The tool that has left. */
  registeredBy: string;
  /** The needs of this service alone. */
  needs: ServiceNeeds;
}

/** The tools that need a service. */
export interface NeedingTools {
  count: number;
  /** The first of them by name. */
  names: string[];
}

/** The services of tenants. A change is made in one step with a rise of the revision, and only to the state it names. */
export interface ConfigStore {
  /** Null where the tenant has `servicesMax` of them. Throws `config_service.name_taken`. */
  create(service: NewConfigService, servicesMax: number): Promise<StoredService | null>;
  /** The existing ones among these names. */
  find(tenantId: string, names: readonly string[]): Promise<StoredService[]>;
  outlines(tenantId: string, names: readonly string[]): Promise<ServiceOutline[]>;
  /** All of these kinds, in the order of names. */
  outlinesOf(tenantId: string, kinds: readonly ServiceKind[]): Promise<ServiceOutline[]>;
  /** In the order of names, from after `after`. */
  page(tenantId: string, page: { after?: string; limit: number }): Promise<ServiceOutline[]>;
  /** False, here and below, when the service is gone or has moved on. It is kept from then on. */
  change(state: ServiceState, terms: ServiceTerms, at: Date): Promise<boolean>;
  /** Puts the entry in the place of the one labelled `was`; a new one where that is null. */
  putEntry(
    state: ServiceState,
    entry: StoredEntry,
    place: { was: string | null; defaultLabel: string },
  ): Promise<boolean>;
  dropEntry(state: ServiceState, label: string, defaultLabel: string | null, at: Date): Promise<boolean>;
  delete(state: ServiceState): Promise<boolean>;
  /** Stores those that are missing, up to `servicesMax` in all, and leaves those that are there as they are; answers the names of the new. */
  register(services: readonly NewConfigService[], servicesMax: number): Promise<string[]>;
  /** Deletes those of these that no tool needs and that are not kept; answers their names. */
  release(tenantId: string, names: readonly string[]): Promise<string[]>;
  /**
   * Services whose registering tool no longer needs them while others do, and that are not kept; tools of people come
   * first.
   */
  heirs(tenantId: string, names: readonly string[]): Promise<LeftService[]>;
  /** Sets the service anew where it is still that tool's and not kept; false where it isn't. */
  inherit(service: NewConfigService, registeredBy: string): Promise<boolean>;
  /** Which tools need each of these services: how many, and the names of the first `shown`; those that none needs are left out. */
  toolsThatNeedEach(
    tenantId: string,
    names: readonly string[],
    shown: number,
  ): Promise<ReadonlyMap<string, NeedingTools>>;
  /** Names of tools that need the service, in order, at most `limit`. */
  toolsThatNeed(tenantId: string, name: string, limit: number): Promise<string[]>;
}
