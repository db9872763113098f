type Test = (value: unknown) => value is unknown;

/** The filters in an address. A filter is left out if its test does not accept the value. */
type Search<Tests extends Record<string, Test>> = {
  [Name in keyof Tests]?: Tests[Name] extends (value: unknown) => value is infer Value ? Value : never;
};

/** Makes a function that reads a page's filters from its address, and ignores everything else. */
export function searchOf<Tests extends Record<string, Test>>(tests: Tests) {
  return (address: Record<string, unknown>): Search<Tests> => {
    const accepted = Object.keys(tests).filter((name) => tests[name]?.(address[name]));
    return Object.fromEntries(accepted.map((name) => [name, address[name]])) as Search<Tests>;
  };
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
