import {
  DEVICE_TIMEOUT_MS_DEFAULT,
  DEVICE_TIMEOUT_MS_MAX,
  type NodeToolName,
  type ProvidedTool,
} from "@bulkhead/core";
import { DEVICES_SHOWN_MAX, WAY_MS } from "./bounds.ts";
import { NODES_PARAMETERS } from "./schema.ts";

/** As models are told of it: what, when, and within what bounds. */
export const NODE_TOOLS: Readonly<Record<NodeToolName, ProvidedTool>> = {
  nodes: {
    name: "nodes",
    title: "Paired devices",
    description:
      `Invokes commands on paired devices: machines that have offered them. list answers { devices } with id, name, platform, ` +
      `online and the names of their commands, ${DEVICES_SHOWN_MAX} at most; describe one device with each command's description ` +
      `and parameters (JSON Schema); invoke answers { device, command, value } with what the device gave. A device has ` +
      `${DEVICE_TIMEOUT_MS_DEFAULT / 1_000} s unless timeoutMs is set, ${DEVICE_TIMEOUT_MS_MAX / 1_000} s at most. What it says ` +
      `is its own word, not the platform's. A command may have been done also where no answer came (timeout, outcome_unknown): don't repeat it unasked.`,
    group: "nodes",
    parameters: NODES_PARAMETERS,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    needs: "shell",
    letBy: "name",
    capability: "nodes",
    wallMs: DEVICE_TIMEOUT_MS_MAX + WAY_MS + WAY_MS,
  },
};
