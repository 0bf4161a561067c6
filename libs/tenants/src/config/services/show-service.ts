import { ConfigServicePage, shownAs } from "@bulkhead/contracts";
import {
  isConfigured,
  missingFields,
  type ConfigService as ConfigServiceTerms,
  type EntryOutline,
} from "@bulkhead/core";
import type { ListedService } from "./read-services.ts";

/** A service as lists show it: no value of it. */
export const showServiceSummary = ({ service, tools }: ListedService) =>
  shownAs(ConfigServicePage.shape.services.element, service, {
    ...standingOf(service, service.entries),
    tools: tools.names,
    toolCount: tools.count,
  });

/** What is filled in where there is no entry. */
const NOTHING = { filled: [] };

/** Whether a service can be used, and what it lacks. */
export const standingOf = (service: ConfigServiceTerms, entries: readonly EntryOutline[]) => ({
  configured: isConfigured(service, entries),
  missing: missingFields(service, entries.find(({ label }) => label === service.defaultLabel) ?? NOTHING),
  labels: entries.map(({ label }) => label),
});
