/**
 * The JSON Schema (2020-12) of the file of `posthorn apply`, from the OpenAPI document. It says more than the document:
 * generators of clients disagree on unions, and a file may have more items than a call.
 */
export function workspaceSchema(openapi) {
  const { WorkspaceDocument: root, ...others } = openapi.components.schemas;
  const names = namesBelow(root, others);
  const defs = Object.fromEntries(names.sort().map((name) => [name, others[name]]));
  const schema = JSON.parse(
    JSON.stringify({ ...root, $defs: defs }, withUnions).replaceAll('"#/components/schemas/', '"#/$defs/'),
  );
  for (const list of ['eventTypes', 'applications', 'endpoints']) delete schema.properties[list].maxItems;
  const { secret } = schema.$defs.DocumentEndpoint.properties;
  secret.description = 'Its signing secret, from a variable.';
  const { $defs, ...top } = schema;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A Posthorn workspace',
    ...top,
    $defs,
  };
}

/** The forms of a value, which the document has for our own libraries alone, as a union. */
function withUnions(_key, value) {
  if (value?.['x-forms'] === undefined) return value;
  const { 'x-forms': forms, ...others } = value;
  return { ...others, anyOf: forms.anyOf ?? Object.values(forms.byType) };
}

/** The schemas that a schema needs, at any depth. */
function namesBelow(schema, all, found = new Set()) {
  for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesBelow(all[name], all, found);
  }
  return [...found];
}
