import { prettyFactory } from "pino-pretty";

/** JSON's escapes of control characters; `\n` and `\t` stay, which stacks need. */
const CONTROL_ESCAPE = /\\(u00(?:[01][0-9a-f]|7f|[89][0-9a-f])|[bfr]|.)/giu;
/** Control characters as such, but for the tab. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/gu;
const isControl = (code: string): boolean => /^(?:u00|[bfr]$)/iu.test(code);

/**
 * Makes a JSON log line readable for a terminal, with its line break; what isn't one stays as it is. Control characters are
 * spelled out: a log line may quote what a stranger wrote, and must not steer the terminal of who reads it.
 */
export function prettyLines(colorize: boolean): (line: string) => string {
  const pretty = prettyFactory({ colorize, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l" });
  return (line) => {
    if (!line.startsWith("{")) return `${spellOut(line)}\n`;
    const spelled = line.replace(CONTROL_ESCAPE, (whole, code: string) =>
      isControl(code) ? `\\\\${code}` : whole,
    );
    return pretty(spellOut(spelled, "\\"));
  };
}

const spellOut = (text: string, escape = ""): string =>
  text.replace(
    CONTROL,
    (character) => `${escape}\\u00${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
