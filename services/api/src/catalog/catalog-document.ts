import type { Json, JsonObject } from '../openapi/json.ts';
import { ANSWERS, describeHeaders } from '../openapi/webhook.ts';
import { subschemasOf } from '../schemas/index-schema.ts';
import { isObject } from '../schemas/run-schema.ts';

export type CatalogEventType = {
  name: string;
  description: string | null;
  schema: Record<string, unknown> | null;
  example: unknown;
};

type Catalog = { workspace: string; environment: string; types: readonly CatalogEventType[] };

/** An OpenAPI 3.1 document with a webhook for each event type. Its component schemas have the names of the types. */
export function writeCatalog({ workspace, environment, types }: Catalog): JsonObject {
  const parameters = describeHeaders();
  return {
    openapi: '3.1.0',
    info: {
      title: `Webhooks of ${workspace}, ${environment}`,
      version: '1.0.0',
      description: DESCRIPTION,
    },
    webhooks: Object.fromEntries(types.map((type) => [type.name, { post: webhookOf(type, Object.keys(parameters)) }])),
    components: {
      parameters,
      securitySchemes: {
        webhookSignature: {
          type: 'apiKey',
          in: 'header',
          name: 'webhook-signature',
          description: 'Standard Webhooks: its libraries verify every request with the secret of the endpoint.',
        },
      },
      schemas: Object.fromEntries(
        types.flatMap(({ name, schema }) => (schema === null ? [] : [[name, embeddedSchema(name, schema)]])),
      ),
    },
  };
}

const DESCRIPTION = `Each event type is a webhook: a POST request to the address of an endpoint that subscribes to it, signed as Standard Webhooks defines it.
The bodies are shown as they are ingested. An endpoint may be configured to get them in an envelope or as CloudEvents.`;

function webhookOf({ name, description, schema, example }: CatalogEventType, headers: readonly string[]): JsonObject {
  return {
    operationId: name,
    summary: name,
    ...(description === null ? {} : { description }),
    security: [{ webhookSignature: [] }],
    parameters: headers.map((header) => ({ $ref: `#/components/parameters/${header}` })),
    requestBody: {
      content: {
        'application/json': {
          schema: schema === null ? { description: 'Any JSON value.' } : { $ref: `#/components/schemas/${name}` },
          ...(example === null ? {} : { example: asJson(example) }),
        },
      },
    },
    responses: ANSWERS,
  };
}

/**
 * A schema as a part of the document. `#` means the whole document there, so references of the schema are written from
 * its place. A schema with identifiers or anchors of its own becomes a resource of its own instead, in which `#` is the
 * schema.
 */
function embeddedSchema(name: string, schema: Record<string, unknown>): JsonObject {
  const copy = structuredClone(schema);
  const all = [copy, ...below(copy)];
  if (all.some((one) => OWN_NAMES.some((keyword) => keyword in one))) {
    return asObject({ $id: `urn:posthorn:event-type:${name}`, ...copy });
  }
  for (const one of all) {
    if (typeof one.$ref === 'string') one.$ref = `#/components/schemas/${name}${one.$ref.slice(1)}`;
  }
  return asObject(copy);
}

const OWN_NAMES = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef'];

function below(schema: Record<string, unknown>): Record<string, unknown>[] {
  return subschemasOf(schema).flatMap((one) => (isObject(one.schema) ? [one.schema, ...below(one.schema)] : []));
}

/** What a JSON column holds is JSON. */
function asJson(value: unknown): Json {
  return value as Json;
}

function asObject(value: Record<string, unknown>): JsonObject {
  return value as JsonObject;
}
