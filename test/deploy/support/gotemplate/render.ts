import { FUNCTIONS, isEmpty, show } from "./functions.ts";
import { parseTemplate, type Node, type Pipeline, type Term } from "./parse.ts";

interface Scope {
  dot: unknown;
  variables: Map<string, unknown>;
}

/** How deep templates may include each other. */
const DEPTH_MAX = 20;

/** Renders the templates of a chart: file name → text. Values that are not there are errors, not blanks. */
export function renderChart(files: ReadonlyMap<string, string>, data: unknown): Map<string, string> {
  const parsed = [...files].map(([name, source]) => ({ name, ...parseTemplate(source) }));
  const named = new Map(parsed.flatMap(({ defined }) => [...defined]));
  let depth = 0;

  function include(name: unknown, dot: unknown): string {
    const nodes = named.get(show(name));
    if (nodes === undefined) throw new Error(`no template is called ${show(name)}`);
    if (++depth > DEPTH_MAX) throw new Error(`${show(name)} includes itself`);
    const text = run(nodes, { dot, variables: new Map([["$", dot]]) });
    depth--;
    return text;
  }

  function run(nodes: readonly Node[], scope: Scope): string {
    return nodes.map((node) => one(node, scope)).join("");
  }

  function one(node: Node, scope: Scope): string {
    if (node.kind === "text") return node.text;
    const value = evaluate(node.pipeline, scope);
    if (node.kind === "print") return show(value);
    if (node.kind === "assign") {
      scope.variables.set(node.name, value);
      return "";
    }
    if (isEmpty(value)) return run(node.otherwise, { ...scope, variables: new Map(scope.variables) });
    if (node.kind === "range") return (value as unknown[]).map((item) => inside(node, item, scope)).join("");
    return run(node.body, {
      dot: node.kind === "with" ? value : scope.dot,
      variables: new Map(scope.variables),
    });
  }

  function inside(node: Node & { kind: "range" }, item: unknown, scope: Scope): string {
    const variables = new Map(scope.variables);
    if (node.variable !== null) variables.set(node.variable, item);
    return run(node.body, { dot: item, variables });
  }

  function evaluate(pipeline: Pipeline, scope: Scope): unknown {
    let value: unknown;
    for (const [at, stage] of pipeline.entries()) value = resolve(stage, scope, at === 0 ? [] : [value]);
    return value;
  }

  function resolve(term: Term, scope: Scope, piped: unknown[]): unknown {
    if (term.kind === "literal") return term.value;
    if (term.kind === "path") return follow(term, scope);
    if (term.name === "(") return evaluate(term.args, scope);
    const args = [...term.args.map((arg) => resolve(arg, scope, [])), ...piped];
    if (term.name === "include") return include(args[0], args[1]);
    const call = FUNCTIONS[term.name];
    if (call === undefined) throw new Error(`no function is called ${term.name}`);
    return call(...args);
  }

  const variables = (): Map<string, unknown> => new Map([["$", data]]);
  return new Map(
    parsed
      .filter(({ name }) => !name.startsWith("_"))
      .map(({ name, body }) => [name, run(body, { dot: data, variables: variables() })]),
  );
}

function follow({ root, keys }: Term & { kind: "path" }, { dot, variables }: Scope): unknown {
  if (root !== "" && !variables.has(root)) throw new Error(`no variable is called ${root}`);
  let value = root === "" ? dot : variables.get(root);
  for (const [at, key] of keys.entries()) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key))
      throw new Error(`${root}.${keys.slice(0, at + 1).join(".")} is not there`);
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
