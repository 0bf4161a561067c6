import { wordsOf } from "../data/api.ts";
import { Search } from "./icons.tsx";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "./classes.ts";
import { Words } from "./words.tsx";

const BOX =
  "h-8 rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink transition-colors hover:border-ink-3 focus-visible:outline-offset-0 aria-invalid:border-bad";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value; the field is marked, and the words are read with it. */
  fault?: string | undefined;
  /** Gets what ties the control to its words. */
  children: (tie: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode;
}

export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const isWrong = fault !== undefined;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": `${id}-words`, "aria-invalid": isWrong })}
      <p id={`${id}-words`} className={classes("text-xs", isWrong ? "text-bad" : "text-ink-3")}>
        {fault === undefined ? hint : <Words text={fault} />}
      </p>
    </div>
  );
}

export const TextInput = ({ className, ...others }: ComponentProps<"input">) => (
  <input {...others} className={classes(BOX, "w-full", className)} />
);

/** Text of several lines; code takes `font-mono`. */
export const TextArea = ({ className, ...others }: ComponentProps<"textarea">) => (
  <textarea
    {...others}
    className={classes(
      "w-full resize-y rounded-md border border-line-strong bg-surface px-2.5 py-2 text-sm text-ink transition-colors hover:border-ink-3 focus-visible:outline-offset-0 aria-invalid:border-bad",
      className,
    )}
  />
);

interface JsonAreaProps extends Omit<ComponentProps<"textarea">, "value" | "onChange"> {
  text: string;
  change: (text: string) => void;
  /** What Ctrl-Enter does. */
  onSend?: () => void;
}

/** JSON that somebody writes. */
export const JsonArea = ({ text, change, onSend, className, ...others }: JsonAreaProps) => (
  <TextArea
    {...others}
    spellCheck={false}
    className={classes("font-mono", className)}
    value={text}
    onChange={({ target }) => change(target.value)}
    onKeyDown={(event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSend?.();
    }}
  />
);

export const Select = ({ className, ...others }: ComponentProps<"select">) => (
  <select {...others} className={classes(BOX, "max-w-full min-w-0 pr-7", className)} />
);

interface OptionsProps {
  /** Values with their words, in the order in which they are offered. */
  from: readonly (readonly [value: string | number, words: string])[];
}

/** What a select offers. */
export const Options = ({ from }: OptionsProps) =>
  from.map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));

interface ToggleProps {
  label: ReactNode;
  isOn: boolean;
  onTurn: (isOn: boolean) => void;
}

/** Something that is on or off, at once. */
export const Toggle = ({ label, isOn, onTurn }: ToggleProps) => (
  <label className="flex items-start gap-2.5 text-sm">
    <input
      type="checkbox"
      role="switch"
      checked={isOn}
      onChange={({ target }) => onTurn(target.checked)}
      className="relative mt-0.5 h-4 w-7 shrink-0 cursor-pointer appearance-none rounded-full bg-line-strong transition-colors after:absolute after:top-0.5 after:left-0.5 after:size-3 after:rounded-full after:bg-surface after:transition-transform checked:bg-accent checked:after:translate-x-3 disabled:cursor-not-allowed"
    />
    {label}
  </label>
);

/** The field that `/` goes to. */
export const SearchInput = ({ className, ...others }: ComponentProps<"input">) => (
  <span className={classes("relative block", className)}>
    <Search size={15} className="pointer-events-none absolute top-2 left-2.5 text-ink-3" />
    <input type="search" {...others} data-search className={classes(BOX, "w-full pl-8")} />
  </span>
);

/** Why a form was not taken; nothing while it was not refused. */
export const Refusal = ({ error }: { error: unknown }) =>
  error !== null && (
    <p role="alert" className="text-sm break-words text-bad">
      <Words text={wordsOf(error)} />
    </p>
  );
