import type { AccountRoute } from '../account/account-route.ts';
import type { Route } from '../http/route.ts';
import { createErrorWriter } from './errors.ts';
import { describeHealth } from './health.ts';
import { describeIngestion } from './ingestion.ts';
import { createSchemaWriter, type JsonObject } from './json-schema.ts';
import { type Documented, writeOperation } from './operation.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { describeDelivery } from './webhook.ts';

/** The operations that the service offers, by interface. */
export type Offered = {
  management: readonly Route[];
  dashboard: readonly Route[];
  portal: readonly Route[];
  account: readonly AccountRoute[];
};

/** The whole HTTP interface as an OpenAPI 3.1 document, from the rows and schemas that also validate. */
export function createOpenApi(offered: Offered): JsonObject {
  const schemas = createSchemaWriter();
  const errors = createErrorWriter(schemas);
  const paths = new Map<string, JsonObject>();
  const add = (path: string, method: string, operation: JsonObject) => {
    paths.set(path, { ...paths.get(path), [method]: operation });
  };
  const groups: { name: string; tags: string[] }[] = [];
  for (const { name, operations } of documentedInterfaces(offered)) {
    for (const operation of operations) {
      add(operation.path, operation.method, writeOperation(operation, { schemas, errors }));
    }
    groups.push({ name, tags: unique(operations.map((operation) => operation.tag)) });
  }
  for (const { path, operation } of describeIngestion({ schemas, errors })) add(path, 'post', operation);
  for (const { path, operation } of describeHealth()) add(path, 'get', operation);
  groups.splice(1, 0, { name: 'Ingestion', tags: ['Ingestion'] });
  groups.push({ name: 'Service', tags: ['Webhooks', 'Health'] });
  const webhook = describeDelivery();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posthorn',
      version: '1.0.0',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: groups.flatMap(({ tags }) => tags.map((name) => ({ name }))),
    'x-tagGroups': groups,
    paths: Object.fromEntries(paths),
    webhooks: { delivery: { post: webhook } },
    components: { securitySchemes: SECURITY_SCHEMES, ...errors.components(), schemas: schemas.components() },
  };
}

function documentedInterfaces({ management, dashboard, portal, account }: Offered) {
  return [
    {
      name: 'Management',
      operations: operationsOf(management, {
        base: '/management/v1/workspaces/{workspaceId}',
        security: ({ scopes }) => scopes.map((scope) => ({ managementToken: [scope] })),
      }),
    },
    { name: 'Account', operations: account.map(documentAccount) },
    {
      name: 'Dashboard',
      operations: operationsOf(dashboard, {
        base: '/api/workspaces/{workspaceId}',
        prefix: 'Dashboard',
        security: ({ role }) => [{ sessionToken: [role] }],
      }),
    },
    {
      name: 'Portal',
      operations: operationsOf(portal, {
        base: '/api/portal',
        prefix: 'Portal',
        security: ({ capability }) => [
          { portalToken: capability === undefined || capability === 'any' ? [] : [capability] },
        ],
      }),
    },
  ];
}

type InterfaceWords = { base: string; prefix?: string; security: (route: Route) => JsonObject[] };

function operationsOf(routes: readonly Route[], { base, prefix, security }: InterfaceWords): Documented[] {
  return canonicalPaths(routes).map(({ route, path }) => ({
    ...route,
    row: route.operationId,
    path: base + path,
    operationId: prefix === undefined ? route.operationId : prefix.toLowerCase() + upperFirst(route.operationId),
    tag: prefix === undefined ? route.tag : `${prefix}: ${route.tag}`,
    security: security(route),
    inWorkspace: true,
  }));
}

function documentAccount(route: AccountRoute): Documented {
  return {
    ...route,
    row: route.operationId,
    tag: 'Account',
    path: `/api${route.path}`,
    query: undefined,
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

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const INTRODUCTION = `Posthorn receives events and delivers them as signed webhooks.

* **Ingestion** takes events in, with an API key that fixes the environment.
* **Management** works on one workspace, with a management token.
* **Dashboard** offers the same operations to people, with a session token; **Account** logs them in.
* **Portal** offers a customer what belongs to one application in one environment.

Every answer carries \`X-Request-Id\`. Every error is \`{"error":{"code","message"}}\`. Unknown fields of a body are
ignored. \`/management/v1\` only ever grows: ignore what you do not know.`;
