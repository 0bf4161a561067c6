import { Fault, type DeviceCommand, type FaultDetail, type SchemaChecker } from "@bulkhead/core";

/** The schemas of a device's commands are such that arguments can be checked by them. Throws `request.invalid`. */
export async function requireCommands(
  schemas: Pick<SchemaChecker, "checkSchema">,
  tenantId: string,
  commands: readonly DeviceCommand[],
): Promise<void> {
  for (const [n, { parameters }] of commands.entries()) {
    if (parameters === null) continue;
    const { faults } = await schemas.checkSchema(tenantId, parameters, "parameters");
    const errors = faults.map(({ path, message }): FaultDetail => ({
      path: `commands.${n}.${path}`,
      message,
    }));
    const [first] = errors;
    if (first) throw new Fault("request.invalid", { detail: `${first.path}: ${first.message}.`, errors });
  }
}
