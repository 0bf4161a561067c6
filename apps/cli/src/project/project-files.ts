import { AGENTS_GUIDE } from "./agents-guide.ts";

/** What tools see, for editors; `bulkhead dev` keeps it up to date. */
export const TYPES_FILE = "bulkhead.d.ts";

const TSCONFIG = {
  compilerOptions: {
    // Tools see what bulkhead.d.ts declares: neither the DOM nor Node.
    target: "esnext",
    lib: ["esnext"],
    types: [],
    module: "preserve",
    noEmit: true,
    strict: true,
    // Editors know what tool.js may use; its types are checked where it begins with @ts-check.
    allowJs: true,
    allowImportingTsExtensions: true,
    // Types are taken out of tool.ts, and nothing else is compiled.
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
  },
};

const GITIGNORE = `node_modules/
`;

/** The files around tools, by their paths; `types` is the text of `TYPES_FILE`. */
export const projectFiles = (types: string): ReadonlyMap<string, string> =>
  new Map([
    ["AGENTS.md", AGENTS_GUIDE],
    ["tsconfig.json", `${JSON.stringify(TSCONFIG, null, 2)}\n`],
    [TYPES_FILE, types],
    [".gitignore", GITIGNORE],
  ]);
