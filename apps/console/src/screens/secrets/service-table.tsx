import type { ConfigServiceSummary } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { Badge } from "../../design/badge.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { DocsLink } from "./docs-link.tsx";
import { builtInUser, missingWords, someOf } from "./service-words.ts";

const TOOLS_SHOWN = 2;

const COLUMNS: readonly Column<ConfigServiceSummary>[] = [
  {
    name: "Service",
    width: "minmax(8rem, 2fr)",
    cell: ({ name, displayName }) => (
      <Link to="/secrets/$service" params={{ service: name }} {...ROW_LINK}>
        <Words text={displayName ?? name} />
        {displayName !== undefined && (
          <span className="ml-2 hidden font-mono text-xs font-normal text-ink-3 md:inline">{name}</span>
        )}
      </Link>
    ),
  },
  { name: "State", width: "minmax(7.5rem, 1.2fr)", cell: (service) => <State service={service} /> },
  {
    name: "Category",
    width: "minmax(6rem, 1fr)",
    from: "lg",
    cell: ({ category }) => category !== undefined && <Words text={category} />,
  },
  {
    name: "Used by",
    width: "minmax(8rem, 1.5fr)",
    from: "md",
    cell: (service) => <UsedBy service={service} />,
  },
  {
    name: "Docs",
    width: "4rem",
    from: "sm",
    cell: ({ docsUrl }) => (
      <span className="relative">
        <DocsLink url={docsUrl} />
      </span>
    ),
  },
];

export const ServiceTable = ({ services }: { services: readonly ConfigServiceSummary[] }) => (
  <Table label="Services" columns={COLUMNS} rows={services} keyOf={({ name }) => name} />
);

function State({ service }: { service: ConfigServiceSummary }) {
  const missing = missingWords(service);
  return missing === null ? (
    <Badge tone="good" hasDot>
      Configured
    </Badge>
  ) : (
    <span className="text-warn" title={wordsLine(missing)}>
      <Words text={missing} />
    </span>
  );
}

function UsedBy({ service }: { service: ConfigServiceSummary }) {
  const own = builtInUser(service);
  const tools = [...(own === null ? [] : [own]), ...service.tools];
  const words = (shown: number) =>
    someOf(tools, shown, tools.length - service.tools.length + service.toolCount);
  return tools.length === 0 ? (
    <span className="text-ink-3">no tool</span>
  ) : (
    <span className="font-mono text-xs" title={wordsLine(words(tools.length))}>
      <Words text={words(TOOLS_SHOWN)} />
    </span>
  );
}
