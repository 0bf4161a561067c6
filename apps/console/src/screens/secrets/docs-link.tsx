import { LINK } from "../../design/classes.ts";
import { ExternalLink } from "../../design/icons.tsx";
import { wordsLine } from "../../design/words.tsx";
import { webLink } from "../../format/web-link.ts";

/** Leads to a service's own documentation, which a stranger may have written: a web page, or nowhere. */
export function DocsLink({ url }: { url: string | undefined }) {
  const link = url === undefined ? null : webLink(url);
  return (
    link !== null && (
      <a
        href={link}
        target="_blank"
        rel="noopener noreferrer"
        title={wordsLine(link)}
        className={`inline-flex items-center gap-1 ${LINK}`}
      >
        Docs
        <ExternalLink size={12} />
      </a>
    )
  );
}
