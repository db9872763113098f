import { asObject, type Json, type JsonObject } from './json.ts';
import { usedSchemas } from './used-schemas.ts';

/**
 * The schemas with `additionalProperties: false` in those that only requests use: a request with an unknown field is
 * refused. A schema that answers use, too (`EndpointConfig`), stays open: an answer may gain fields.
 */
export function closeRequests(paths: readonly JsonObject[], schemas: JsonObject): JsonObject {
  const operations = paths.flatMap((item) => Object.values(item).map(asObject));
  const inRequests = usedSchemas(
    operations.map(({ requestBody = null }) => requestBody),
    schemas,
  );
  const inAnswers = usedSchemas(
    operations.map(({ responses = null }) => responses),
    schemas,
  );
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      name in inRequests && !(name in inAnswers) ? close(schema) : schema,
    ]),
  );
}

function close(schema: Json): Json {
  const { properties, additionalProperties } = asObject(schema);
  if (properties === undefined || additionalProperties !== undefined) return schema;
  return { ...asObject(schema), additionalProperties: false };
}
