import { VERSION } from '@posthorn/runtime/version';
import type { AccountRoute } from '../account/account-route.ts';
import { namesEndpoint } from '../endpoints/endpoint-reference.ts';
import { takesIdempotencyKey } from '../operation/idempotency-key.ts';
import type { Route } from '../operation/route.ts';
import { createErrorWriter } from './errors.ts';
import { describeHealth } from './health.ts';
import { describeIngestion } from './ingestion.ts';
import { asObject, type Json, type JsonObject } from './json.ts';
import { createSchemaWriter } from './json-schema.ts';
import { type Documented, type Part, type Writers, type WrittenOperation, writeOperation } from './operation.ts';
import { describePull } from './pull.ts';
import { describeTag } from './tags.ts';
import { usedSchemas } from './used-schemas.ts';
import { describeDelivery } from './webhook.ts';

/** The operations that the service offers, by interface. */
export type Offered = {
  management: readonly Route[];
  /** The operations of the management interface outside a workspace's path. */
  ownToken: readonly Route[];
  dashboard: readonly Route[];
  portal: readonly Route[];
  account: readonly AccountRoute[];
};

/**
 * The whole HTTP interface as an OpenAPI 3.1 document, from the rows and schemas that also validate. `sdk` is the part
 * for generated clients: each operation once, without the people's interfaces.
 */
export function createOpenApi(offered: Offered, part: Part = 'whole'): JsonObject {
  const schemas = createSchemaWriter();
  const errors = createErrorWriter(schemas);
  const paths = new Map<string, JsonObject>();
  const groups: { name: string; tags: string[] }[] = [];
  for (const { name, write } of interfacesOf(offered, part)) {
    if (part === 'sdk' && !SDK_INTERFACES.has(name)) continue;
    const operations = write({ schemas, errors });
    for (const { path, method, operation } of operations) {
      paths.set(path, { ...paths.get(path), [method]: operation });
    }
    // Not the name of a tag: the reference page would take the group for its own child, without end.
    groups.push({ name: `${name} interface`, tags: unique(operations.map(({ tag }) => tag)) });
  }
  groups.push({ name: 'Requests to endpoints', tags: ['Webhooks'] });
  return {
    openapi: '3.1.0',
    info: {
      // Generators name the package after it.
      title: 'Posthorn',
      version: VERSION,
      description: part === 'sdk' ? SDK_INTRODUCTION : INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this service' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: groups.flatMap(({ tags }) => tags.map((name) => ({ name, description: describeTag(name) }))),
    'x-tagGroups': groups,
    paths: Object.fromEntries(paths),
    webhooks: { delivery: { post: describeDelivery() } },
    components: {
      securitySchemes: usedSchemes([...paths.values()]),
      ...errors.components(),
      schemas: usedSchemas(
        [...paths.values(), errors.components()],
        closeRequests([...paths.values()], withoutDeprecated(schemas.components())),
      ),
    },
  };
}

/** The interfaces for programs, which generated clients offer. */
const SDK_INTERFACES = new Set(['Management', 'Ingestion', 'Pull']);

type Interface = { name: string; write: (writers: Writers) => WrittenOperation[] };

/** Every interface, in the order of the document. Components are only those that the written operations refer to. */
function interfacesOf({ management, ownToken, dashboard, portal, account }: Offered, part: Part): Interface[] {
  const security = ({ scopes }: Route) => scopes.map((scope) => ({ managementToken: [scope] }));
  const rows = [
    ...operationsOf(ownToken, { base: '/management/v1', security }),
    ...operationsOf(management, { base: '/management/v1/workspaces/{workspaceId}', security }),
  ];
  return [
    { name: 'Management', write: (writers) => rows.map((row) => writeRow(row, writers)) },
    { name: 'Ingestion', write: (writers) => describeIngestion(writers, part) },
    { name: 'Pull', write: describePull },
    { name: 'Account', write: (writers) => account.map((row) => writeRow(documentAccount(row), writers)) },
    rowsOf('Dashboard', dashboard, {
      base: '/api/workspaces/{workspaceId}',
      prefix: 'Dashboard',
      security: ({ role }) => [{ sessionToken: [role] }],
    }),
    rowsOf('Portal', portal, {
      base: '/api/portal',
      prefix: 'Portal',
      security: ({ capability }) => [
        { portalToken: capability === undefined || capability === 'any' ? [] : [capability] },
      ],
    }),
    { name: 'Service', write: describeHealth },
  ];
}

type InterfaceWords = { base: string; prefix?: string; security: (route: Route) => JsonObject[] };

function rowsOf(name: string, routes: readonly Route[], words: InterfaceWords): Interface {
  return { name, write: (writers) => operationsOf(routes, words).map((row) => writeRow(row, writers)) };
}

function writeRow(row: Documented, writers: Writers): WrittenOperation {
  return { path: row.path, method: row.method, tag: row.tag, operation: writeOperation(row, writers) };
}

function operationsOf(routes: readonly Route[], { base, prefix, security }: InterfaceWords): Documented[] {
  return canonicalPaths(routes).map(({ route, path }) => ({
    ...route,
    row: route.operationId,
    path: base + path,
    operationId: prefix === undefined ? route.operationId : atInterface(prefix, route.operationId),
    tag: prefix === undefined || route.tag === prefix ? route.tag : `${prefix}: ${route.tag}`,
    description: (prefix === 'Portal' ? route.portalDescription : undefined) ?? route.description,
    security: security(route),
    inWorkspace: true,
    takesIdempotencyKey: takesIdempotencyKey(route),
    // A portal has one environment, so its requests need not name it.
    namesEndpoint: prefix !== 'Portal' && namesEndpoint(route),
  }));
}

/** The verb stays first: `createEndpoint` is `createPortalEndpoint` at the portal. */
function atInterface(prefix: string, operationId: string): string {
  const noun = operationId.search(/[A-Z]/);
  return operationId.startsWith(prefix, noun)
    ? operationId
    : operationId.slice(0, noun) + prefix + operationId.slice(noun);
}

function documentAccount(route: AccountRoute): Documented {
  return {
    ...route,
    row: route.operationId,
    tag: 'Account',
    path: `/api${route.path}`,
    paid: false,
    security: route.needsSession ? [{ sessionToken: [] }] : [],
    inWorkspace: false,
  };
}

/** OpenAPI treats paths that differ only in their parameters' names as one: all get the names of the first. */
function canonicalPaths(routes: readonly Route[]): { route: Route; path: string }[] {
  const first = new Map<string, string>();
  return routes.map((route) => {
    const shape = route.path.replaceAll(/\{\w+\}/g, '{}');
    const path = first.get(shape) ?? route.path;
    first.set(shape, path);
    return { route, path };
  });
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** The credentials that operations name. */
function usedSchemes(items: readonly JsonObject[]): JsonObject {
  const operations = items.flatMap((item) => Object.values(item)).map(asObject);
  const requirements = operations.flatMap(({ security }) => (Array.isArray(security) ? security : []));
  const names = new Set(requirements.flatMap((requirement) => Object.keys(asObject(requirement))));
  return Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => names.has(name)));
}

const INTRODUCTION = `Posthorn receives events and delivers them as signed webhooks.

* **Ingestion** accepts events. It needs an API key, which determines the environment.
* **Pull** lets consumers fetch the messages of a pull endpoint. It needs a pull key.
* **Management** manages one workspace. It needs a management token.
* **Dashboard** offers the same operations to people. It needs a session token; **Account** logs people in.
* **Portal** gives a customer access to one application in one environment. It needs the token of a portal session.

Every response has the header \`X-Request-Id\`. Every error is \`{"error":{"code","message"}}\`. Requests are strict: an
unknown parameter or field is refused with a \`validation_error\` that names it. \`/management/v1\` only gains fields and
values over time: ignore those in a response that you do not know.`;

const SDK_INTRODUCTION = `The part of the Posthorn API that programs use: management, ingestion, pull and the webhooks. Generate
clients from this document. \`/openapi.json\` also has the APIs of the dashboard and the portal. The guides for this
version are in the folder \`docs\` of its source: start with \`docs/README.md\`; \`docs/interface.md\` has every rule.

Every error is \`{"error":{"code","message"}}\`. The API only gains fields and values over time: ignore those in a
response that you do not know.`;

/**
 * Sets `additionalProperties: false` in the schemas that only requests use: a request with an unknown field is refused.
 * A schema that answers use, too (`EndpointConfig`), stays open: an answer may gain fields.
 */
function closeRequests(paths: readonly JsonObject[], schemas: JsonObject): JsonObject {
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

const bearer = (bearerFormat: string, description: string) => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat,
  description,
});

/** The credentials, one kind for each interface (docs/interface.md, Credentials and interfaces). */
const SECURITY_SCHEMES: JsonObject = {
  managementToken: bearer(
    'phm_…',
    'A management token of the workspace. The names in a requirement are the required scopes.',
  ),
  sessionToken: bearer(
    'phs_…',
    'A session token from a login. The name in a requirement is the lowest role that is allowed.',
  ),
  portalToken: bearer('php_…', 'The token of a portal session. The name in a requirement is the required capability.'),
  pullKey: bearer('phpl_…', 'A pull key of the endpoint in the path.'),
  apiKey: bearer('phk_…', 'An API key. It determines the environment.'),
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The API key, in a header of its own.',
  },
};

/**
 * The schemas without their deprecated fields, which the service still accepts. New clients have no use for them, and
 * `endpointId` beside the deprecated `endpoint_id` is one name twice in the languages that rename fields.
 */
function withoutDeprecated(schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { properties } = asObject(schema);
      if (properties === undefined) return [name, schema];
      const kept = Object.entries(asObject(properties)).filter(([, field]) => asObject(field).deprecated !== true);
      return [name, { ...asObject(schema), properties: Object.fromEntries(kept) }];
    }),
  );
}
