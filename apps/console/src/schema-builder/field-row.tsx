import { type DragEvent, type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { classes } from "../design/classes.ts";
import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  Copy,
  Ellipsis,
  FileCode,
  GripVertical,
  Trash,
} from "../design/icons.tsx";
import { Menu } from "../design/menu.tsx";
import { Words, wordsLine } from "../design/words.tsx";
import { isObject } from "../format/json-object.ts";
import { boundWords, typeWords } from "../format/schema-words.ts";
import type { Field } from "./fields.ts";
import { type Kind, kindOf, takesNull } from "./field-kinds.ts";
import { KindSelect } from "./kind-select.tsx";
import { NameInput } from "./name-input.tsx";
import { ProblemList } from "./problem-list.tsx";
import { problemsBeside, type SchemaProblem } from "./problem-places.ts";

export interface RowEdits {
  faultOf: (name: string) => string | undefined;
  onRename: (name: string) => void;
  onKind: (kind: Exclude<Kind, "other">) => void;
  onRequire: (isRequired: boolean) => void;
  onDuplicate: () => void;
  onRemove: () => void;
  /** To the place before or behind; null: there is none. */
  onMove: Readonly<Record<"up" | "down", (() => void) | null>>;
}

interface Props extends RowEdits {
  field: Field;
  isNew: boolean;
  problems: readonly SchemaProblem[];
  handle: { draggable: boolean; onDragStart: (event: DragEvent) => void; onDragEnd: () => void };
  details: (kind: Kind) => ReactNode;
}

/** One field on one line, which opens what else is said of it. */
export function FieldRow(props: Props) {
  const { field, isNew, problems, details, onMove } = props;
  const { name, schema, isRequired } = field;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [isJson, setJson] = useState(false);
  const kind = kindOf(schema);
  const shown = wordsLine(name);
  const toggleJson = (): void => {
    setOpen(true);
    setJson(!isJson);
  };
  function step(event: KeyboardEvent, hasKey: boolean): void {
    const move = event.key === "ArrowUp" ? onMove.up : event.key === "ArrowDown" ? onMove.down : null;
    if (!hasKey || move === null) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }
  return (
    <>
      <div
        className="flex flex-wrap items-start gap-x-1.5 gap-y-0.5 py-1 pr-1.5 pl-1 @2xl:flex-nowrap"
        onKeyDown={(event) => step(event, event.altKey)}
      >
        <span
          role="button"
          tabIndex={0}
          aria-label={`Move ${shown}`}
          title="Drag it, or press the arrow keys"
          className={classes(
            "flex h-7 w-5 cursor-grab items-center justify-center rounded-sm text-ink-3 hover:bg-hover",
            onMove.up === null && onMove.down === null && "invisible",
          )}
          onKeyDown={(event) => step(event, true)}
          {...props.handle}
        >
          <GripVertical size={14} />
        </span>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`Details of ${shown}`}
          className="flex size-7 items-center justify-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink"
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDown size={15} className={isOpen ? "" : "-rotate-90"} />
        </button>
        <NameInput
          name={name}
          isNew={isNew}
          className="min-w-0 flex-1 @2xl:flex-none @2xl:basis-[26%]"
          faultOf={props.faultOf}
          onRename={props.onRename}
        />
        <span className="order-1 flex w-full min-w-0 flex-wrap items-center gap-x-3 pl-14 @2xl:order-none @2xl:w-auto @2xl:flex-nowrap @2xl:pl-0">
          <KindSelect
            label={`Type of ${shown}`}
            kind={kind}
            className="h-7! w-36 max-w-full border-transparent! bg-transparent! px-1.5! text-ink-2! hover:border-line-strong!"
            onChoose={props.onKind}
          />
          <label
            className={classes("flex items-center gap-1.5 text-xs", isRequired ? "text-ink" : "text-ink-3")}
          >
            <input
              type="checkbox"
              checked={isRequired}
              onChange={({ target }) => props.onRequire(target.checked)}
              className="size-3.5 accent-accent"
            />
            Required<span className="sr-only">: {shown}</span>
          </label>
        </span>
        <Summary schema={schema} kind={kind} />
        <Menu
          label={`More for ${shown}`}
          icon={Ellipsis}
          look="quiet"
          className="h-7! w-7!"
          items={[
            { name: "Duplicate", icon: Copy, onChoose: props.onDuplicate },
            ...(onMove.up === null ? [] : [{ name: "Move up", icon: ArrowUp, onChoose: onMove.up }]),
            ...(onMove.down === null ? [] : [{ name: "Move down", icon: ArrowDown, onChoose: onMove.down }]),
            ...(kind === "other"
              ? []
              : [
                  {
                    name: isJson ? "Edit by its controls" : "Edit as JSON",
                    icon: FileCode,
                    onChoose: toggleJson,
                  },
                ]),
            { name: "Remove", icon: Trash, isDanger: true, onChoose: props.onRemove },
          ]}
        />
      </div>
      <div className="empty:hidden pr-2 pb-1.5 pl-18">
        <ProblemList problems={isOpen ? problemsBeside(problems, schema) : problems} />
      </div>
      <div
        id={id}
        hidden={!isOpen}
        className="border-t border-line bg-ground px-1.5 py-3 @md:px-3 @2xl:pl-18"
      >
        {isOpen && details(isJson ? "other" : kind)}
      </div>
    </>
  );
}

/** What the closed row tells of its details. */
function Summary({ schema, kind }: { schema: unknown; kind: Kind }) {
  const known = isObject(schema) ? schema : {};
  const { description } = known;
  const words = [
    ...(typeof description === "string" ? [description] : []),
    ...(kind === "other" || kind === "list" ? [typeWords(schema)] : []),
    ...(takesNull(known) ? ["or null"] : []),
    ...boundWords(known),
  ].join(" · ");
  return (
    <span
      title={wordsLine(words)}
      className="hidden min-w-0 flex-1 truncate pl-2 text-xs leading-7 text-ink-3 @2xl:block"
    >
      <Words text={words} />
    </span>
  );
}
