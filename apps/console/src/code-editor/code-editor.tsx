import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { wordsOf } from "../data/api.ts";
import { classes } from "../design/classes.ts";
import { Words } from "../design/words.tsx";
import {
  type EditorLanguage,
  type EditorLib,
  type EditorPlace,
  type EditorProblem,
  SERVED_CHARS_MAX,
} from "./editor-text.ts";
import type { Caret, OpenEditor } from "./monaco/open-editor.ts";

export type { EditorProblem } from "./editor-text.ts";

export interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  language: EditorLanguage;
  /** What the text is, for those who hear it. */
  label: string;
  problems?: readonly EditorProblem[];
  /** What code finds in its world; all code on one page shares it. */
  libs?: readonly EditorLib[];
  /** What a JSON text is held against, and completed by; `json-schema` where it is a JSON Schema itself. */
  schema?: object | "json-schema";
  /** Ctrl+S, or ⌘S, while somebody writes. */
  onSave?: () => void;
  /** A length of CSS; 24rem unless said. */
  height?: string;
  readOnly?: boolean;
  /** Whether long lines are wrapped. */
  wrap?: boolean;
  className?: string;
  /** Where the cursor is put, once for each object. */
  goTo?: EditorPlace | null;
}

type Opener = typeof import("./monaco/open-editor.ts");
type Loading =
  | { state: "loading" }
  | { state: "failed"; error: unknown }
  | { state: "loaded"; opener: Opener };

const NONE: readonly never[] = [];

/** A field for code: a plain one at first, and an editor with all that one expects of it once that is loaded. */
export function CodeEditor(props: CodeEditorProps) {
  const { height = "24rem", className, value } = props;
  const [loading, setLoading] = useState<Loading>({ state: "loading" });
  const caret = useRef<Caret | null>(null);
  useEffect(() => {
    let isGone = false;
    import("./monaco/open-editor.ts").then(
      (opener) => isGone || setLoading({ state: "loaded", opener }),
      (error: unknown) => isGone || setLoading({ state: "failed", error }),
    );
    return () => void (isGone = true);
  }, []);
  const isLoaded = loading.state === "loaded";
  return (
    <div style={{ height }} className={classes("flex min-w-0 flex-col gap-1", className)}>
      <div className="relative min-h-0 flex-1 rounded-lg border border-line-strong bg-surface focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
        {isLoaded ? (
          <Editor {...props} opener={loading.opener} caret={caret.current} />
        ) : (
          <PlainField {...props} onCaret={(at) => (caret.current = at)} />
        )}
      </div>
      {loading.state === "failed" && (
        <p role="alert" className="text-sm text-warn">
          The editor did not load, so this is a plain field; reload the page to try again. (
          <Words text={wordsOf(loading.error)} />)
        </p>
      )}
      {isLoaded && value.length > SERVED_CHARS_MAX && (
        <p className="text-xs text-ink-3">
          Longer than {SERVED_CHARS_MAX / 1024} KiB: without colours, checks and completion, so that it stays
          quick.
        </p>
      )}
    </div>
  );
}

interface PlainFieldProps extends CodeEditorProps {
  /** Where somebody is in it, or null once they have left. */
  onCaret: (caret: Caret | null) => void;
}

function PlainField({ value, onChange, label, readOnly, onSave, wrap, onCaret }: PlainFieldProps) {
  return (
    <textarea
      aria-label={label}
      value={value}
      readOnly={readOnly}
      spellCheck={false}
      autoCapitalize="off"
      wrap={wrap ? "soft" : "off"}
      onChange={({ target }) => onChange(target.value)}
      onSelect={({ currentTarget: { selectionStart: start, selectionEnd: end } }) => onCaret({ start, end })}
      onFocus={({ target: { selectionStart: start, selectionEnd: end } }) => onCaret({ start, end })}
      onBlur={() => onCaret(null)}
      onKeyDown={(event) => {
        if (onSave === undefined || event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.stopPropagation();
        onSave();
      }}
      className="size-full resize-none rounded-lg py-2.5 pr-2 pl-12 font-mono text-sm leading-5 outline-none"
    />
  );
}

interface EditorProps extends CodeEditorProps {
  opener: Opener;
  caret: Caret | null;
}

function Editor({ opener, caret, ...props }: EditorProps) {
  const { value, language, label, readOnly = false, wrap = false, onChange, onSave = null } = props;
  const { problems = NONE, libs = NONE, schema = null, goTo = null } = props;
  const text = {
    value,
    language,
    label: `${label}. ${TAB_HINT}`,
    problems,
    libs,
    schema,
    readOnly,
    wrap,
    goTo,
  };
  const host = useRef<HTMLDivElement>(null);
  const open = useRef<OpenEditor>(null);
  const latest = useRef(text);
  latest.current = text;
  useLayoutEffect(() => {
    if (host.current === null) return;
    const opened = opener.openEditor(host.current, latest.current, caret);
    open.current = opened;
    return () => {
      opened.close();
      open.current = null;
    };
  }, [opener, language, caret]);
  // On each drawing and at once, so that no key comes between what is given and what is shown.
  useLayoutEffect(() => open.current?.show(text, { onChange, onSave }));
  return <div ref={host} className="size-full overflow-hidden rounded-lg" />;
}

const TAB_HINT = /Mac/.test(navigator.userAgent)
  ? "Tab indents; press Control+Shift+M, and it leaves the field."
  : "Tab indents; press Control+M, and it leaves the field.";
