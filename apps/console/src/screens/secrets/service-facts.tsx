import type { ConfigService } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { classes, LINK } from "../../design/classes.ts";
import { Facts, Part } from "../../design/part.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { DocsLink } from "./docs-link.tsx";
import { builtInUser, deliveryWords } from "./service-words.ts";

/** The most names of tools that the API tells. */
const TOOLS_TOLD_MAX = 100;

/** What stands beside the entries: how code gets the secrets, who uses them, where the service came from. */
export const ServiceFacts = ({ service }: { service: ConfigService }) => (
  <div className="flex min-w-0 flex-col gap-6">
    <Part title="How code gets its secrets">
      <Delivery service={service} />
    </Part>
    <Part title="Tools that need it">
      <BuiltInUser service={service} />
      <Tools names={service.tools ?? []} />
    </Part>
    <Part title="Facts">
      <Facts facts={factsOf(service)} />
    </Part>
  </div>
);

function Delivery({ service }: { service: ConfigService }) {
  const { title, words, isRisky } = deliveryWords(service);
  return (
    <div
      className={classes(
        "rounded-lg border px-3 py-2 text-sm",
        isRisky ? "border-transparent bg-warn-soft" : "border-line bg-surface",
      )}
    >
      <p className={classes("font-medium", isRisky && "text-warn")}>{title}</p>
      <p className="mt-0.5 text-ink-2">{words}</p>
    </div>
  );
}

function BuiltInUser({ service }: { service: ConfigService }) {
  const name = builtInUser(service);
  if (name === null) return null;
  return (
    <p className="mb-1 text-sm text-ink-2">
      The{" "}
      <Link to="/tools/built-in" className={LINK}>
        built-in tool
      </Link>{" "}
      <code className="font-mono text-xs">{name}</code> asks it.
    </p>
  );
}

const Tools = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? (
    <p className="text-sm text-ink-3">None of your own.</p>
  ) : (
    <ul className="flex flex-col gap-1 text-sm">
      {names.map((name) => (
        <li key={name}>
          <Link
            to="/tools/$toolId"
            params={{ toolId: name }}
            className={`font-mono text-xs break-all ${LINK}`}
          >
            <Words text={name} />
          </Link>
        </li>
      ))}
      {names.length === TOOLS_TOLD_MAX && (
        <li className="text-ink-3">There may be more: no more than these are told.</li>
      )}
    </ul>
  );

function factsOf(service: ConfigService): (readonly [string, ReactNode])[] {
  const { name, kind, category, docsUrl, configSchema, multiEntry, registeredBy, kept, createdAt } = service;
  return [
    ["Name in code", <span className="font-mono text-xs">{name}</span>],
    ["Kind", kind],
    ["Category", category === undefined ? "none" : <Words text={category} />],
    ...(docsUrl === undefined ? [] : [["Documentation", <DocsLink url={docsUrl} />] as const]),
    ["Fields", configSchema.length],
    ["Entries", multiEntry ? "several, up to 50" : "one"],
    [
      "Registered by",
      registeredBy === undefined ? (
        "a person"
      ) : (
        <Link to="/tools/$toolId" params={{ toolId: registeredBy }} className={LINK}>
          a tool
        </Link>
      ),
    ],
    ["Stays", kept ? "until somebody deletes it" : "as long as a tool needs it"],
    ["Created", <When at={createdAt} />],
  ];
}
