/** A use case as its callers see it: what it stands on is given. */
export type Given<UseCase> = UseCase extends (deps: never, ...asked: infer Asked) => infer Answer
  ? (...asked: Asked) => Answer
  : never;

/** Use cases that stand on the same, each with that given: a route that calls them needs to know nothing of it. */
export const given = <Deps, UseCases extends Record<string, (deps: Deps, ...asked: never[]) => unknown>>(
  deps: Deps,
  useCases: UseCases,
) =>
  Object.fromEntries(
    Object.entries(useCases).map(([name, useCase]) => [name, (...asked: never[]) => useCase(deps, ...asked)]),
  ) as { [Name in keyof UseCases]: Given<UseCases[Name]> };
