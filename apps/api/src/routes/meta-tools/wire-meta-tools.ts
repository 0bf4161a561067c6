import {
  callCreateTool,
  callDeleteTool,
  callDescribeTools,
  callListTools,
  callSearchTools,
  callToggleTool,
  callUpdateTool,
  type BuiltInDeps,
  type MetaToolDeps,
} from "@bulkhead/agents";
import { given } from "../../given.ts";

/** Gives the meta-tools their ports. */
export const wireMetaTools = (ports: MetaToolDeps & BuiltInDeps) => ({
  ...given(ports, { callListTools, callSearchTools, callDescribeTools }),
  ...given(ports, { callCreateTool, callUpdateTool, callToggleTool, callDeleteTool }),
});

export type MetaTools = ReturnType<typeof wireMetaTools>;
