import { CodeEditor } from "../code-editor/code-editor.tsx";
import { Words } from "../design/words.tsx";
import type { JsonFault } from "../format/read-json.ts";

interface Props {
  label: string;
  text: string;
  fault: JsonFault | undefined;
  /** A name that stands twice. */
  doubled: JsonFault | undefined;
  onType: (text: string) => void;
}

/** The schema as it is written. */
export function JsonSide({ label, text, fault, doubled, onType }: Props) {
  const severity = fault === undefined ? "warning" : "error";
  const found = fault ?? doubled;
  return (
    <>
      <CodeEditor language="json" label={label} value={text} onChange={onType} schema="json-schema" />
      <p className={found === undefined ? "mt-1 text-xs text-ink-3" : `mt-1 text-sm ${TONES[severity]}`}>
        {found === undefined ? (
          "JSON Schema, draft 2020-12 unless its $schema names 2019-09 or 7."
        ) : (
          <Words text={`Line ${found.line}, column ${found.column}: ${found.message}`} />
        )}
      </p>
    </>
  );
}

const TONES = { error: "text-bad", warning: "text-warn" } as const;
