import type { CreateToolCall } from "@bulkhead/contracts";
import type { RequiredApiKey } from "@bulkhead/core";

/** Without the fields that the model left out. */
export const keysOf = (keys: CreateToolCall["required_api_keys"]): RequiredApiKey[] =>
  keys.map(({ name, displayName, description, category, docsUrl }) => ({
    name,
    ...(displayName === undefined ? {} : { displayName }),
    ...(description === undefined ? {} : { description }),
    ...(category === undefined ? {} : { category }),
    ...(docsUrl === undefined ? {} : { docsUrl }),
  }));
