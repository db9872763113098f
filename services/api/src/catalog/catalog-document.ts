import { subschemasOf } from '@posthorn/json-schema/index-schema';
import { isObject } from '@posthorn/json-schema/run-schema';
import type { Json, JsonObject } from '../openapi/json.ts';
import { ANSWERS, describeHeaders } from '../openapi/webhook.ts';

export type CatalogEventType = {
  name: string;
  description: string | null;
  schema: Record<string, unknown> | null;
  example: unknown;
};

type Catalog = { workspace: string; environment: string; types: readonly DescribedType[] };

/** The parts of an event type in the document, as JSON. */
export type DescribedType = { webhook: string; schema: string | undefined };

export function describeType(type: CatalogEventType): DescribedType {
  const { name, schema } = type;
  const webhook = { post: webhookOf(type, HEADERS) };
  return {
    webhook: `${JSON.stringify(name)}:${JSON.stringify(webhook)}`,
    schema: schema === null ? undefined : `${JSON.stringify(name)}:${JSON.stringify(embeddedSchema(name, schema))}`,
  };
}

const PARAMETERS = describeHeaders();
const HEADERS = Object.keys(PARAMETERS);

/**
 * An OpenAPI 3.1 document with a webhook for each event type. Its component schemas have the names of the types. It is
 * put together as text: as objects, the types of a large catalogue would take many times the memory.
 */
export function writeCatalog({ workspace, environment, types }: Catalog): string {
  const info = { title: `Webhooks of ${workspace}, ${environment}`, version: '1.0.0', description: DESCRIPTION };
  const webhooks = types.map(({ webhook }) => webhook).join(',');
  const schemas = types.flatMap(({ schema }) => schema ?? []).join(',');
  const components = [
    `"parameters":${JSON.stringify(PARAMETERS)}`,
    `"securitySchemes":${JSON.stringify(SECURITY_SCHEMES)}`,
    `"schemas":{${schemas}}`,
  ];
  return [
    `{"openapi":"3.1.0","info":${JSON.stringify(info)}`,
    `"webhooks":{${webhooks}}`,
    `"components":{${components.join(',')}}}`,
  ].join(',');
}

const SECURITY_SCHEMES = {
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-signature',
    description:
      'A signature as defined by Standard Webhooks, whose libraries can verify it with the secret of the endpoint.',
  },
};

const DESCRIPTION = `Each event type is a webhook: a POST request to the URL of an endpoint that subscribes to it, signed as defined by Standard Webhooks.
The bodies are shown as they are ingested. An endpoint can be configured to receive them in an envelope or as CloudEvents.`;

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
 * A schema as a part of the document. There, `#` is the whole document, so the references of the schema are written
 * again to start from its place. A schema that has identifiers or anchors becomes a resource with its own id instead,
 * in which `#` is the schema.
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

/** The value is from a JSON column, so it is JSON. */
function asJson(value: unknown): Json {
  return value as Json;
}

function asObject(value: Record<string, unknown>): JsonObject {
  return value as JsonObject;
}
