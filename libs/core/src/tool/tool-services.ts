import type { ServiceKind } from "../secret/service-kind.ts";
import type { TenantPrincipal } from "../tenant/principal.ts";
import type { Requirements } from "./required-services.ts";
import type { Tool } from "./tool.ts";

/** A tool or a version of one, as far as it needs services. */
export interface ServiceNeeds extends Requirements, Pick<Tool, "id" | "tenantId" | "services" | "createdBy"> {
  /** The JavaScript that runs. */
  code: string;
}

/** The tools' port to the config centre. */
export interface ToolServices {
  /** Registers those services that the tenant lacks; existing ones stay as they are. */
  register(by: TenantPrincipal, needs: ServiceNeeds): Promise<void>;
  /**
   * Removes services that no tool needs any more and that no person made, changed or filled; a remaining tool describes
   * the others anew.
   */
  release(by: TenantPrincipal, names: readonly string[]): Promise<void>;
  /** Returns for each tool those of its services that can't be used yet, in their order. */
  unconfigured(tenantId: string, tools: readonly Pick<Tool, "services">[]): Promise<string[][]>;
  /** Returns the kinds of those of these services that are there. */
  kinds(tenantId: string, names: readonly string[]): Promise<ServiceKind[]>;
  /** Returns those of these services that give their secrets to code at present, in their order. */
  revealed(tenantId: string, names: readonly string[]): Promise<string[]>;
}
