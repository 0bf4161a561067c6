type Json = Record<string, unknown>;
type Plugin = () => { fn: Json; statePlugins: Json };
/** What the page gives to its actions, as far as it is used here. */
interface System {
  specActions: { updateJsonSpec: (document: unknown) => void };
}
interface Page {
  SwaggerUIBundle: ((config: { plugins: Plugin[] }) => unknown) & object;
}

/**
 * Runs in the page of the reference, so it refers to nothing outside itself. What the page brings to follow `$ref`s reads
 * the whole document anew for each part that is shown: twelve seconds for this one. The references here are all of the
 * document's own schemas, which takes no time.
 */
export function followRefsQuickly(page: Page): void {
  const prefix = "#/components/schemas/";
  const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

  /** With each `$ref` replaced by what it means, but for one that leads back to where it stands. */
  const follow = (value: unknown, schemas: Json, within: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one) => follow(one, schemas, within));
    if (!isObject(value)) return value;
    const ref = value["$ref"];
    if (typeof ref === "string" && ref.startsWith(prefix)) {
      const name = ref.slice(prefix.length);
      const meant = schemas[name];
      if (within.includes(name) || !isObject(meant)) return value;
      const { $ref: _, ...beside } = value;
      return { title: name, ...(follow(meant, schemas, [...within, name]) as Json), ...beside };
    }
    const followed = Object.entries(value).map(([key, one]) => [key, follow(one, schemas, within)]);
    return Object.fromEntries(followed) as Json;
  };

  const resolveSubtree = async (document: Json, path: readonly string[]) => {
    const at = (from: unknown, steps: readonly string[]): unknown =>
      steps.reduce((value, step) => (isObject(value) ? value[step] : undefined), from);
    const schemas = at(document, ["components", "schemas"]);
    return { spec: follow(at(document, path), isObject(schemas) ? schemas : {}, []), errors: [] };
  };

  // It would be read as YAML, which takes a second.
  const parseToJson =
    (text: string) =>
    ({ specActions }: System): void =>
      specActions.updateJsonSpec(JSON.parse(text));
  const plugin: Plugin = () => ({
    fn: { resolveSubtree },
    statePlugins: { spec: { actions: { parseToJson } } },
  });
  const open = page.SwaggerUIBundle;
  const withResolver = (config: { plugins: Plugin[] }): unknown =>
    open({ ...config, plugins: [...config.plugins, plugin] });
  page.SwaggerUIBundle = Object.assign(withResolver, open);
}

/** As a file of the page's. */
export const REFERENCE_SCRIPT = `(${followRefsQuickly.toString()})(window);\n`;
