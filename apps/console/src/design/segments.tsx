import { classes } from "./classes.ts";

interface Props<Name extends string> {
  label: string;
  /** What each way is called. */
  names: Readonly<Record<Name, string>>;
  current: Name;
  onChoose: (name: Name) => void;
}

/** Ways to see one thing, of which one is chosen. */
export const Segments = <Name extends string>({ label, names, current, onChoose }: Props<Name>) => (
  <div role="group" aria-label={label} className="inline-flex rounded-md border border-line bg-sunken p-0.5">
    {Object.entries<string>(names).map(([name, words]) => (
      <button
        key={name}
        type="button"
        aria-pressed={name === current}
        onClick={() => onChoose(name as Name)}
        className={classes(
          "h-6.5 rounded-sm px-2.5 text-sm font-medium transition-colors",
          name === current ? "bg-raised text-ink shadow-sm" : "text-ink-2 hover:text-ink",
        )}
      >
        {words}
      </button>
    ))}
  </div>
);
