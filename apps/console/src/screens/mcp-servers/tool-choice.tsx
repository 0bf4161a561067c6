import { Words } from "../../design/words.tsx";

interface Props {
  label: string;
  /** What the server offers. */
  tools: readonly string[];
  /** May name tools that are not offered now: they stay until they are taken out. */
  chosen: readonly string[];
  change: (next: string[]) => void;
}

/** Some of a server's tools. */
export function ToolChoice({ label, tools, chosen, change }: Props) {
  const all = [...new Set([...tools, ...chosen])].toSorted();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {all.length === 0 && (
        <p className="text-sm text-ink-3">No tool is known yet: test the server to take what it offers.</p>
      )}
      {all.length > 0 && (
        <ul className="max-h-48 overflow-y-auto rounded-md border border-line-strong bg-surface p-1">
          {all.map((tool) => (
            <li key={tool}>
              <label className="flex items-center gap-2 rounded-sm px-2 py-1 text-sm hover:bg-hover">
                <input
                  type="checkbox"
                  className="accent-accent"
                  checked={chosen.includes(tool)}
                  onChange={({ target }) =>
                    change(target.checked ? [...chosen, tool] : chosen.filter((one) => one !== tool))
                  }
                />
                <span className="min-w-0 font-mono text-xs break-all">
                  <Words text={tool} />
                </span>
                {!tools.includes(tool) && <span className="text-xs text-ink-3">not offered now</span>}
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
