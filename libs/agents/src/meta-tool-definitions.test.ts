import {
  CallToolCall,
  CreateToolCall,
  DeleteCustomToolCall,
  DescribeToolsCall,
  ListCustomToolsCall,
  RunCodeCall,
  SearchToolsCall,
  ToggleCustomToolCall,
  UpdateToolCall,
} from "@bulkhead/contracts";
import { asksPerson, isActingMetaTool, META_TOOL_NAMES, type JsonObject } from "@bulkhead/core";
import { expect, test } from "vitest";
import { passedOn } from "./calls/call-tool.ts";
import { META_TOOL_DEFINITIONS } from "./meta-tool-definitions.ts";

const CALLS = {
  create_tool: CreateToolCall,
  list_custom_tools: ListCustomToolsCall,
  delete_custom_tool: DeleteCustomToolCall,
  toggle_custom_tool: ToggleCustomToolCall,
  update_tool: UpdateToolCall,
  search_tools: SearchToolsCall,
  describe_tools: DescribeToolsCall,
  call_tool: CallToolCall,
  run_code: RunCodeCall,
};

test("every meta-tool is defined once, and creation and deletion ask for confirmation", () => {
  expect(META_TOOL_DEFINITIONS.map(({ name }) => name)).toEqual(Object.keys(CALLS));
  expect(META_TOOL_DEFINITIONS.filter((tool) => tool.requiresConfirmation).map(({ name }) => name)).toEqual([
    "create_tool",
    "delete_custom_tool",
  ]);
});

test("a tenant's policy knows every meta-tool, and asks about those that say so", () => {
  expect(META_TOOL_DEFINITIONS.map(({ name }) => name).toSorted()).toEqual(META_TOOL_NAMES.toSorted());
  for (const { name, requiresConfirmation } of META_TOOL_DEFINITIONS)
    expect(isActingMetaTool(name) && asksPerson(name)).toBe(requiresConfirmation);
});

test.each(META_TOOL_DEFINITIONS)("$name is told with the arguments that it takes", ({ name, parameters }) => {
  const { shape } = CALLS[name as keyof typeof CALLS];
  const taken = Object.keys(shape).filter((field) => field !== "context");
  expect(Object.keys(parameters["properties"] as JsonObject).toSorted()).toEqual(taken.toSorted());
  const needed = taken.filter((field) => !shape[field as keyof typeof shape].safeParse(undefined).success);
  expect((parameters["required"] as string[]).toSorted()).toEqual(needed.toSorted());
});

test("call_tool passes on the call of any tool but of a meta-tool", () => {
  const call = CallToolCall.parse({ name: "greet", arguments: { name: "Ada" }, context: { callId: "c1" } });
  expect(passedOn(call)).toEqual({ ref: "greet", arguments: { name: "Ada" }, context: { callId: "c1" } });
  for (const name of META_TOOL_NAMES)
    expect(() => passedOn(CallToolCall.parse({ name }))).toThrow(
      expect.objectContaining({
        code: "request.invalid",
        errors: [expect.objectContaining({ path: "name" })],
      }),
    );
});
