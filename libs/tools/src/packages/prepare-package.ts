import { asRequiredServices } from "@bulkhead/contracts";
import {
  TOOL_ALIAS,
  TOOL_NAME_LENGTH_MAX,
  type JsonObject,
  type RequiredApiKey,
  type RunLimits,
  type ToolDispatch,
  Fault,
  type FaultDetail,
} from "@bulkhead/core";
import type { CommandFields } from "../registry/command-fields.ts";
import type { CreateToolRequest } from "../registry/create-tool.ts";
import { fieldsToSchema } from "./field-shorthand.ts";
import { packageFault, placeOf } from "./package-fault.ts";
import { withExtras } from "./package-metadata.ts";
import { APPROVAL_FILE, fileOfCode, type ToolPackage } from "./read-package.ts";
import { toToolName } from "./tool-name.ts";

const MANIFEST = "manifest.json";

/** Does with a package what may throw; what is thrown has the file and the field in each path. */
export async function placing<T>(folder: string, tool: ToolPackage, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Fault ? placed(error, folder, tool) : error;
  }
}

/** The creation that the package asks for. Throws `request.invalid` with the field of each fault. */
export function requestOf(
  folder: string,
  { manifest, code, language, approvalCode, readme, examples }: ToolPackage,
): CreateToolRequest {
  const faults: FaultDetail[] = [];
  const fault = (field: string, message: string) => void faults.push({ path: field, message });
  const {
    input,
    output,
    parameters,
    outputSchema,
    name: given,
    alias: said,
    metadata,
    limits,
    dispatch,
    command: _command,
    workingDirectory: _folder,
    timeoutSeconds: _seconds,
    env: _env,
    ...rest
  } = manifest;
  if (input && parameters) fault("input", "can't be there beside parameters");
  if (output && outputSchema) fault("output", "can't be there beside outputSchema");
  const original = given ?? folder;
  const name = toToolName(original);
  if (name === null)
    fault("name", `${JSON.stringify(original)} makes no tool's name: give it letters from A to Z`);
  else if (name.length > TOOL_NAME_LENGTH_MAX) {
    fault("name", `makes a tool's name of ${name.length} characters; ${TOOL_NAME_LENGTH_MAX} are the most`);
  }
  // Who calls a tool by what is no tool's name goes on calling it so.
  const alias = said ?? (name !== original && TOOL_ALIAS.test(original) ? original : null);
  const kept = withExtras(metadata, {
    ...(name === original ? {} : { name: original }),
    ...(readme === undefined ? {} : { readme }),
    ...(examples === undefined ? {} : { examples }),
  });
  if (kept === null && metadata !== undefined) fault("metadata.package", "must be an object");
  const request = {
    ...rest,
    name: name ?? "",
    alias,
    title: rest.title ?? null,
    annotations: rest.annotations ?? null,
    code,
    language,
    ...(approvalCode === undefined ? {} : { approvalCode }),
    parameters: input ? fieldsToSchema(input, "input", faults) : (parameters ?? NO_PARAMETERS),
    outputSchema: output ? fieldsToSchema(output, "output", faults) : (outputSchema ?? null),
    category: rest.category ?? null,
    // Nothing is undefined in what came as JSON.
    limits: (limits ?? {}) as Partial<RunLimits>,
    requiredApiKeys: rest.requiredApiKeys as RequiredApiKey[],
    requiredConfigServices: asRequiredServices(rest.requiredConfigServices),
    dispatch: (dispatch ?? null) as ToolDispatch | null,
    ...commandOf(manifest),
    retention: rest.retention ?? null,
    applyDefaults: rest.applyDefaults ?? null,
    allowedHosts: rest.allowedHosts ?? null,
    retry: rest.retry ?? null,
    requiresApproval: rest.requiresApproval,
    approval: rest.approval ?? null,
    metadata: kept !== null && Object.keys(kept).length > 0 ? kept : null,
  };
  if (faults.length > 0) {
    throw packageFault(
      faults.map(({ path, message }) => ({ path: placeOf(folder, MANIFEST, path), message })),
    );
  }
  return request;
}

/** What is said of a command, and nothing of what is not. */
const commandOf = ({
  command,
  workingDirectory,
  timeoutSeconds,
  env,
}: ToolPackage["manifest"]): CommandFields => ({
  ...(command !== undefined && { command }),
  ...(workingDirectory !== undefined && { workingDirectory }),
  ...(timeoutSeconds !== undefined && { timeoutSeconds }),
  ...(env !== undefined && { env }),
});

const NO_PARAMETERS: JsonObject = { type: "object", properties: {} };

/** The fault where the package has what is wrong: in the code's file, or in the manifest as it is written there. */
function placed(fault: Fault, folder: string, { manifest, language }: ToolPackage): Fault {
  if (fault.status >= 500) return fault;
  const files = new Map([
    ["code", fileOfCode(language)],
    ["approvalCode", APPROVAL_FILE],
  ]);
  const errors = fault.errors.map((error) => {
    const file = files.get(error.path);
    const place = file ? placeOf(folder, file) : placeOf(folder, MANIFEST, asWritten(error.path, manifest));
    return { ...error, path: place };
  });
  if (errors.length > 0) return packageFault(errors, fault.code);
  return packageFault(
    [{ path: placeOf(folder, MANIFEST), message: fault.detail.replace(/\.$/, "") }],
    fault.code,
  );
}

function asWritten(path: string, { input, output }: ToolPackage["manifest"]): string {
  if (input) return path.replace(/^parameters(\.properties(?=\.))?/, "input");
  if (output) return path.replace(/^outputSchema(\.properties(?=\.))?/, "output");
  return path;
}
