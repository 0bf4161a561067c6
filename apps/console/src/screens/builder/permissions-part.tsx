import { RUN_LIMITS_DEFAULT } from "@bulkhead/core/limits";
import { useId } from "react";
import { useMe } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Toggle } from "../../design/fields.tsx";
import { Part } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import { gives, PERMISSION_WORDS, type Permission } from "../../format/permission-words.ts";
import { NumberField } from "../tool/test/typed-field.tsx";
import { LIMITS } from "../tool/tool-facts.ts";
import type { Bench } from "./bench.ts";
import { isCommand } from "./draft.ts";
import { Fault } from "./fault.tsx";
import { HostFields } from "./host-fields.tsx";
import { faultOf, ofField } from "./problems.ts";
import { ServiceFields } from "./service-fields.tsx";

/** What the tool may do and reach, and how much of it. */
export const PermissionsPart = ({ bench, missing }: { bench: Bench; missing: readonly string[] }) => (
  <div className="flex flex-col gap-6">
    {isCommand(bench.draft) ? (
      <OfCommand bench={bench} />
    ) : (
      <>
        <Permissions bench={bench} />
        <HostFields bench={bench} />
        <ServiceFields bench={bench} missing={missing} />
      </>
    )}
    <Limits bench={bench} />
  </div>
);

const OfCommand = ({ bench: { problems } }: { bench: Bench }) => (
  <Part title="Permissions">
    <Fault words={faultOf(problems, "permissions")} />
    <p className="text-sm text-ink-2">
      A command has the permission <span className="font-medium">shell</span> and no other: it works on the
      files of its caller&apos;s workspace, and has no network.
    </p>
  </Part>
);

/** What a command has no use for, and its time, which has a field of its own. */
const OF_CODE: ReadonlySet<string> = new Set([
  "wallMs",
  "cpuMs",
  "memoryMib",
  "networkRequests",
  "bytesIn",
  "bytesOut",
  "nestedCalls",
]);

const PERMISSIONS = Object.keys(PERMISSION_WORDS) as Permission[];

function Permissions({ bench: { draft, base, isThere, set, problems } }: { bench: Bench }) {
  const has = draft.permissions ?? [];
  const { features } = useMe();
  const turn = (permission: Permission, isOn: boolean): void =>
    set({ permissions: PERMISSIONS.filter((one) => (one === permission ? isOn : has.includes(one))) });
  return (
    <Part title="Permissions">
      <Fault words={faultOf(problems, "permissions")} />
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface px-3">
        {PERMISSIONS.map((permission) => (
          <li key={permission} className="py-2.5">
            <Toggle
              isOn={has.includes(permission)}
              onTurn={(isOn) => turn(permission, isOn)}
              label={
                <span className="min-w-0">
                  <span className="flex flex-wrap items-center gap-2 font-medium">
                    {permission}
                    {isThere &&
                      has.includes(permission) &&
                      base.permissions?.includes(permission) !== true && <Badge tone="warn">new</Badge>}
                    {!gives(permission, features) && <Badge tone="calm">not in this deployment</Badge>}
                  </span>
                  <span className="block text-xs text-ink-2">{PERMISSION_WORDS[permission]}</span>
                </span>
              }
            />
          </li>
        ))}
      </ul>
      {ofField(problems, "permissions")
        .filter(({ severity }) => severity === "warning")
        .map(({ message }) => (
          <p key={message} className="mt-2 text-xs text-warn">
            <Words text={message} />
          </p>
        ))}
    </Part>
  );
}

function Limits({ bench: { draft, set, problems } }: { bench: Bench }) {
  const id = useId();
  const { limits: ceilings } = useMe();
  const shown = LIMITS.filter(
    ([limit]) =>
      !isCommand(draft) || !OF_CODE.has(limit) || (limit === "wallMs" && draft.limits?.wallMs !== undefined),
  );
  return (
    <Part title="Limits of one run">
      <p className="mb-2 text-xs text-ink-3">What is left empty has its default.</p>
      <div className="divide-y divide-line rounded-lg border border-line bg-surface px-3">
        {shown.map(([limit, name, words, unit]) => {
          const value = draft.limits?.[limit];
          const fault = faultOf(problems, `limits.${limit}`);
          return (
            <div key={limit} className="py-2">
              <div className="flex items-center justify-between gap-3 text-sm">
                <label htmlFor={`${id}-${limit}`} className="min-w-0">
                  {name} <span className="text-xs text-ink-3">{unit}</span>
                </label>
                <span className="w-28 shrink-0">
                  <NumberField
                    id={`${id}-${limit}`}
                    value={value}
                    placeholder={String(RUN_LIMITS_DEFAULT[limit])}
                    change={(next) => set({ limits: withLimit(draft.limits, limit, next) })}
                  />
                </span>
              </div>
              <p className={`mt-0.5 text-xs ${fault === undefined ? "text-ink-3" : "text-bad"}`}>
                <Words
                  text={
                    fault ??
                    `${words(value ?? RUN_LIMITS_DEFAULT[limit])}${ceilings === null ? "" : `; ${words(ceilings[limit])} at most`}`
                  }
                />
              </p>
            </div>
          );
        })}
      </div>
    </Part>
  );
}

type Limits = NonNullable<Bench["draft"]["limits"]>;

function withLimit(limits: Limits | undefined, limit: keyof Limits, value: unknown): Limits | undefined {
  const next = { ...limits, [limit]: typeof value === "number" ? value : undefined };
  const left = Object.entries(next).filter(([, one]) => one !== undefined);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}
