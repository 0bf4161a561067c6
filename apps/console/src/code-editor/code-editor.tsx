import { classes } from "../design/classes.ts";

/** What is wrong at a place of the text; lines and columns are counted from one. */
export interface EditorProblem {
  message: string;
  line: number;
  column: number;
  endLine?: number;
  endColumn?: number;
  severity: "error" | "warning";
  /** Who found it. */
  source?: string;
}

/** TypeScript declarations that the code's world consists of. */
export interface EditorLib {
  path: string;
  text: string;
}

export interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  language: "javascript" | "json";
  /** What the text is, for those who hear it. */
  label: string;
  problems?: readonly EditorProblem[];
  libs?: readonly EditorLib[];
  /** Ctrl+S, or ⌘S, while somebody writes. */
  onSave?: () => void;
  /** A length of CSS; 24rem unless said. */
  height?: string;
  readOnly?: boolean;
  /** Whether long lines are wrapped. */
  wrap?: boolean;
  className?: string;
}

/** A field for code. */
export function CodeEditor({
  value,
  onChange,
  label,
  height = "24rem",
  readOnly,
  className,
}: CodeEditorProps) {
  return (
    <textarea
      aria-label={label}
      value={value}
      readOnly={readOnly}
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
      style={{ height }}
      className={classes(
        "w-full rounded-md border border-line-strong bg-surface p-2 font-mono text-sm",
        className,
      )}
    />
  );
}
