import { SHELL_ENGINES, SHELL_SETTINGS_DEFAULT } from "@bulkhead/core";
import { z } from "zod";

/** What each of the engines is, and who may choose it. */
const ENGINE = [
  "`virtual`: a shell in JavaScript over the caller's workspace, without programs of the machine;",
  "`namespaces`: real programs in namespaces without a network, which only the platform's administrator",
  "turns on (else 403 `shell.namespaces_admin_only`) and which takes a Linux worker;",
  "`off`: every command is refused.",
  `${SHELL_SETTINGS_DEFAULT.engine} unless set.`,
];

/** A tenant's decisions about commands, as its settings show them. */
export const ShellSettings = z
  .strictObject({ engine: z.enum(SHELL_ENGINES).describe(ENGINE.join(" ")) })
  .describe("What runs the commands of `exec`, `process` and `utils.exec`.");
