import { BulkheadError } from "@bulkhead/client";
import { useEffect } from "react";
import { draftKey, kept } from "../data/kept.ts";
import { onNews } from "../data/live.ts";
import { queries } from "../data/queries.ts";
import { forgetInputs } from "../screens/tool/test/saved-inputs.ts";

const TOOL_ID = /^tool_\w+$/;

function forgetTool(id: string): void {
  kept.endOwn(draftKey(id));
  forgetInputs(kept, id);
}

/** Forgets what this browser keeps of a tool, once it hears that the tool is deleted or is told that it is not there. */
export function useGoneTools(): void {
  useEffect(() => {
    const unhear = onNews((news) => {
      if (news?.event === "tool.deleted") forgetTool(news.data.toolId);
    });
    const unwatch = queries.getQueryCache().subscribe(({ type, query: { queryKey, state } }) => {
      if (type !== "updated" || !(state.error instanceof BulkheadError)) return;
      if (state.error.code !== "tool.not_found") return;
      for (const part of queryKey) if (typeof part === "string" && TOOL_ID.test(part)) forgetTool(part);
    });
    return () => {
      unhear();
      unwatch();
    };
  }, []);
}
