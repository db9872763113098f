import { asObject, type Json, type JsonObject } from './json.ts';

/** The schemas to which a part of the document refers, directly or through other schemas. */
export function usedSchemas(parts: Json, schemas: JsonObject): JsonObject {
  const used = new Set<string>();
  const follow = (value: Json): void => {
    for (const name of namesIn(value)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(asObject(schemas[name]));
    }
  };
  follow(parts);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

function namesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  const { $ref, ...rest } = asObject(value);
  const own = typeof $ref === 'string' && $ref.startsWith(SCHEMAS) ? [$ref.slice(SCHEMAS.length)] : [];
  return [...own, ...Object.values(rest).flatMap(namesIn)];
}

const SCHEMAS = '#/components/schemas/';
