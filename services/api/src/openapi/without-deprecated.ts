import { asObject, type JsonObject } from './json.ts';

/**
 * The schemas without their deprecated fields, which the service still accepts. New clients have no use for them, and
 * `endpointId` beside its former name `endpoint_id` is one name twice in the languages that rename fields.
 */
export function withoutDeprecated(schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { properties } = asObject(schema);
      if (properties === undefined) return [name, schema];
      const kept = Object.entries(asObject(properties)).filter(([, field]) => asObject(field).deprecated !== true);
      return [name, { ...asObject(schema), properties: Object.fromEntries(kept) }];
    }),
  );
}
