import { Fault } from "@bulkhead/core";
import { checkApprovalCode, checkCode, compileCode } from "@bulkhead/tools/folders";
import { frameOf, type FoundFault } from "./fault-list.ts";
import type { LoadedTool, ToolRecord } from "./loaded-folder.ts";
import type { ModuleDeps } from "./module-source.ts";

/** The faults that the service would find in the code, each at the place where it was written. */
export async function checkToolCode(
  stripper: ModuleDeps["stripper"],
  { code, language }: { code: string } & Pick<ToolRecord, "language">,
  from: LoadedTool["from"],
  placeOf: LoadedTool["placeOf"],
  text: string,
): Promise<FoundFault[]> {
  try {
    const runs = await compileCode(
      { stripper },
      { tenantId: from.file },
      { code, language: language ?? "javascript" },
    );
    checkCode(runs ?? code);
    return [];
  } catch (error) {
    return placed(error, from, placeOf, text);
  }
}

/** The same of the code that decides on approvals. */
export function checkApproval(
  approvalCode: string,
  from: LoadedTool["from"],
  placeOf: LoadedTool["placeOf"],
  text: string,
): FoundFault[] {
  try {
    checkApprovalCode(approvalCode);
    return [];
  } catch (error) {
    return placed(error, from, placeOf, text);
  }
}

function placed(
  error: unknown,
  from: LoadedTool["from"],
  placeOf: LoadedTool["placeOf"],
  text: string,
): FoundFault[] {
  if (!(error instanceof Fault)) throw error;
  return error.errors.map(({ message, line, column }) => {
    const place = line === undefined || column === undefined ? null : placeOf(line, column);
    const told = message.replace(/^line \d+, column \d+: /, "");
    return {
      code: "code.invalid",
      export: from.export,
      ...(place ?? { file: from.file }),
      frame: place?.file === from.file ? frameOf(text, place.line) : null,
      message: told,
    };
  });
}
