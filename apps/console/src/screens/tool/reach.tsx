import type { Tool } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Badge } from "../../design/badge.tsx";
import { LINK } from "../../design/classes.ts";
import { Words } from "../../design/words.tsx";
import { PERMISSION_WORDS, type Permission } from "../../format/permission-words.ts";
import { hostsOf } from "./tool-facts.ts";

const None = ({ children }: { children: ReactNode }) => <p className="text-sm text-ink-3">{children}</p>;

const LIST = "divide-y divide-line rounded-lg border border-line bg-surface px-3 text-sm";

/** What a tool's code may do, each with what that means. */
export const Permissions = ({ permissions }: { permissions: readonly Permission[] }) =>
  permissions.length === 0 ? (
    <None>None: it computes, and reaches nothing.</None>
  ) : (
    <ul className={LIST}>
      {permissions.map((permission) => (
        <li key={permission} className="flex flex-wrap gap-x-4 gap-y-0.5 py-2">
          <span className="w-24 shrink-0 font-mono font-medium">{permission}</span>
          <span className="min-w-0 flex-1 basis-56 text-ink-2">{PERMISSION_WORDS[permission]}</span>
        </li>
      ))}
    </ul>
  );

/** Where its requests may go. */
export function Hosts({ tool }: { tool: Tool }) {
  const hosts = hostsOf(tool);
  if (hosts === null)
    return <p className="text-sm text-warn">Any public host: nothing in its record narrows that.</p>;
  if (hosts.length === 0) return <None>None.</None>;
  return (
    <div className="flex flex-wrap gap-1.5">
      {hosts.map((host) => (
        <Badge key={host} tone="calm">
          <Words text={host} />
        </Badge>
      ))}
    </div>
  );
}

interface Service {
  name: string;
  displayName?: string;
  description?: string;
}

/** The services whose keys its code asks for; those that a person has to fill in first are marked. */
export function Services({ tool }: { tool: Tool }) {
  const told: readonly Service[] = [...tool.requiredConfigServices, ...tool.requiredApiKeys];
  const names = [...new Set([...tool.services, ...tool.unconfiguredServices])];
  if (names.length === 0) return <None>None.</None>;
  return (
    <ul className={LIST}>
      {names.map((name) => {
        const { displayName = name, description } = told.find((one) => one.name === name) ?? {};
        const isMissing = tool.unconfiguredServices.includes(name);
        return (
          <li key={name} className="flex items-start gap-3 py-2">
            <span className="min-w-0 flex-1">
              <span className="block font-medium break-words">
                <Words text={displayName} />
              </span>
              {description !== undefined && (
                <span className="block text-ink-2">
                  <Words text={description} />
                </span>
              )}
            </span>
            <Badge tone={isMissing ? "warn" : "good"} hasDot>
              {isMissing ? "Not filled in" : "Filled in"}
            </Badge>
            <Link
              to="/secrets/$service"
              params={{ service: name }}
              search={isMissing ? { fill: true } : {}}
              className={LINK}
              aria-label={`Secrets of ${name}`}
            >
              {isMissing ? "Fill in" : "Secrets"}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
