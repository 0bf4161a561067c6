import { useMemo } from "react";
import { CodeEditor } from "../../code-editor/code-editor.tsx";
import { toolWorld } from "../../code-editor/tool-world.ts";
import { useToolGlobals } from "../../data/builder.ts";
import { Select } from "../../design/fields.tsx";
import type { Bench } from "./bench.ts";
import { inEditor } from "./problems.ts";

/** The code, with what its world knows and what the checks found. */
export function CodePart({
  bench: { draft, set, problems },
  goTo,
}: {
  bench: Bench;
  goTo: { line: number; column: number } | null;
}) {
  const { data: globals } = useToolGlobals();
  // The editor reads its world and its problems anew only where they are others.
  const libs = useMemo(
    () => (globals === undefined ? [] : toolWorld(globals, draft.parameters)),
    [globals, draft.parameters],
  );
  const marked = useMemo(() => inEditor(problems, "code"), [problems]);
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line bg-sunken px-4 py-1 text-xs text-ink-3">
        <span className="min-w-0 flex-1 truncate">
          The body of an async function, or a whole function. Its arguments are <code>args</code>.
        </span>
        <Select
          aria-label="Language"
          className="h-6! text-xs! max-w-32"
          value={draft.language ?? "javascript"}
          onChange={({ target }) => set({ language: target.value as "javascript" | "typescript" })}
        >
          <option value="javascript">JavaScript</option>
          <option value="typescript">TypeScript</option>
        </Select>
      </div>
      <div className="h-[60dvh] flex-1 p-3 lg:h-auto lg:min-h-0">
        <CodeEditor
          label="Code"
          language={draft.language === "typescript" ? "typescript" : "javascript"}
          height="100%"
          className="h-full"
          value={draft.code}
          onChange={(code) => set({ code })}
          problems={marked}
          goTo={goTo}
          libs={libs}
        />
      </div>
    </>
  );
}
