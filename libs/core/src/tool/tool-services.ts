import type { TenantPrincipal } from "../tenant/principal.ts";
import type { Requirements } from "./required-services.ts";
import type { Tool } from "./tool.ts";

/** A tool or a version of one, as far as it needs services. */
export interface ServiceNeeds extends Requirements, Pick<Tool, "id" | "tenantId" | "services" | "createdBy"> {
  /** The JavaScript that runs. */
  code: string;
}

/** What tools ask of the config centre. */
export interface ToolServices {
  /** Registers those services that the tenant lacks; what is there stays as it is. */
  register(by: TenantPrincipal, needs: ServiceNeeds): Promise<void>;
  /** Lets go of those that no tool needs any more, where no person made, changed or filled them; the others are told of anew by a tool that remains. */
  release(by: TenantPrincipal, names: readonly string[]): Promise<void>;
  /** Of each of the tools, those of its services that can't be used yet, in their order. */
  unconfigured(tenantId: string, tools: readonly Pick<Tool, "services">[]): Promise<string[][]>;
  /** Those of these that hand their secrets to code as they are now, in their order. */
  revealed(tenantId: string, names: readonly string[]): Promise<string[]>;
}
