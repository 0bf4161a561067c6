import { Badge } from "../../design/badge.tsx";
import { SideBySide } from "../../design/side-by-side.tsx";
import { addedPermissions, differencesOf, FIELD_NAMES } from "./differences.ts";
import type { Draft, DraftField } from "./draft.ts";

interface Props {
  names: readonly [before: string, after: string];
  before: Draft;
  after: Draft;
  /** Fields that are marked, since both sides have changed them. */
  clashing?: readonly DraftField[];
}

const runs = (field: DraftField): boolean => field === "code" || field === "command";

/** What is another in two drafts, field by field, the code first; permissions that come are marked. */
export function ChangesView({ names, before, after, clashing = [] }: Props) {
  const found = differencesOf(before, after);
  const added = addedPermissions(before, after);
  if (found.length === 0) return <p className="text-sm text-ink-2">Nothing is different.</p>;
  const sorted = found.toSorted((one, other) => Number(runs(other.field)) - Number(runs(one.field)));
  return (
    <div className="flex flex-col gap-4">
      {sorted.map(({ field, before: was, after: is }) => (
        <section key={field} className="min-w-0">
          <h3 className="mb-1.5 flex flex-wrap items-center gap-2 text-sm font-semibold">
            {FIELD_NAMES[field]}
            {clashing.includes(field) && <Badge tone="warn">Both changed it</Badge>}
            {field === "permissions" &&
              added.map((one) => (
                <Badge key={one} tone="warn">
                  may {one}
                </Badge>
              ))}
          </h3>
          <SideBySide label={FIELD_NAMES[field]} names={names} before={was} after={is} />
        </section>
      ))}
    </div>
  );
}
