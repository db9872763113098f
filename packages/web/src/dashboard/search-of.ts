type Test = (value: unknown) => value is unknown;

/** The filters that an address may have. Each is absent unless its test accepts its value. */
type Search<Tests extends Record<string, Test>> = {
  [Name in keyof Tests]?: Tests[Name] extends (value: unknown) => value is infer Value ? Value : never;
};

/** Makes the function that reads the filters of a page from its address. It leaves out everything else. */
export function searchOf<Tests extends Record<string, Test>>(tests: Tests) {
  return (address: Record<string, unknown>): Search<Tests> => {
    const accepted = Object.keys(tests).filter((name) => tests[name]?.(address[name]));
    return Object.fromEntries(accepted.map((name) => [name, address[name]])) as Search<Tests>;
  };
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
