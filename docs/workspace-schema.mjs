/**
 * The JSON Schema (2020-12) of the file of `posthorn apply`, from the OpenAPI document. It says more than the document:
 * generators of clients disagree on unions, and a file may have more items than a call.
 */
export function workspaceSchema(openapi) {
  const { WorkspaceDocument: root, ...others } = openapi.components.schemas;
  const names = namesBelow(root, others);
  const defs = Object.fromEntries(names.sort().map((name) => [name, others[name]]));
  const schema = JSON.parse(JSON.stringify({ ...root, $defs: defs }).replaceAll('"#/components/schemas/', '"#/$defs/'));
  for (const list of ['eventTypes', 'applications', 'endpoints']) delete schema.properties[list].maxItems;
  const { eventTypes, secret } = schema.$defs.DocumentEndpoint.properties;
  eventTypes.items = { ...eventTypes.items, anyOf: [{ type: 'string' }, chosen('name'), chosen('pattern')] };
  secret.description = 'Its signing secret, from a variable.';
  const { $defs, ...top } = schema;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A Posthorn workspace',
    ...top,
    $defs,
  };
}

const chosen = (key) => ({
  type: 'object',
  properties: { [key]: { type: 'string' }, filter: { type: 'object' } },
  required: [key],
  additionalProperties: false,
});

/** The schemas that a schema needs, at any depth. */
function namesBelow(schema, all, found = new Set()) {
  for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesBelow(all[name], all, found);
  }
  return [...found];
}
