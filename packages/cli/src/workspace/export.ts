import type { Application, Endpoint, Environment, EventType, Posthorn, Source } from '@posthorn/client';
import { stringify } from 'yaml';
import { type Context, namedEnvironment } from '../context.ts';
import { LISTENER } from '../listen/listener.ts';
import { withoutVariables } from './read-file.ts';

type Options = { secretNames: boolean };

/** The workspace as YAML, always in the same order. Secrets are left out, or become variables with `secretNames`. */
export async function exportWorkspace(context: Context, { secretNames }: Options): Promise<string> {
  const { signal } = context;
  const client = context.client();
  const page = { limit: 100, signal };
  const only = namedEnvironment(context) === undefined ? undefined : await context.requireEnvironmentId();
  const all = await client.environments.list(page).toArray({ limit: 1_000 });
  const environments = sorted(
    all.filter(({ id }) => only === undefined || id === only),
    ({ slug }) => slug,
  );
  const types = sorted(await client.eventTypes.list(page).toArray({ limit: 10_000 }), ({ name }) => name);
  const visibility = await readVisibility(client, environments, signal);
  const applications: Application[] = [];
  for await (const one of client.applications.list(page)) applications.push(one);
  const named = sorted(
    applications.filter(({ externalId }) => externalId !== null),
    ({ externalId }) => externalId ?? '',
  );
  const variable = secretNames ? createVariables() : undefined;
  const endpoints = await readEndpoints(context, { environments, applications, variable });
  const sources = await readSources(context, { environments, variable });
  const { portalOrigins, portalTerms } = await client.workspace.get({ signal });
  const unnamed = applications.length - named.length;
  if (unnamed > 0)
    context.output.note(`Without an externalId and left out, with their endpoints: ${unnamed} applications`);
  const document = {
    version: 1,
    environments: environments.map(({ slug, name, isDefault, requireApplication }) => ({
      ...{ slug, name: withoutVariables(name) },
      // A file of one environment does not say which environment is the default.
      ...(isDefault && only === undefined && { isDefault }),
      ...(requireApplication && { requireApplication }),
    })),
    eventTypes: types.map((type) => eventTypeOf(type, visibility.get(type.id) ?? [])),
    applications: named.map(({ externalId, name, metadata }) => ({
      externalId: withoutVariables(externalId ?? ''),
      name: withoutVariables(name),
      ...given({ metadata }),
    })),
    endpoints,
    sources,
    portalOrigins,
    portalTerms,
  };
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}

function sorted<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Leaves out fields that are null, empty or the default. */
function given<Value extends object>(fields: Value): Partial<Value> {
  const entries = Object.entries(fields).filter(([, value]) => {
    if (value === null || value === undefined || value === '') return false;
    return typeof value !== 'object' || Object.keys(value).length > 0;
  });
  return plain(Object.fromEntries(entries)) as Partial<Value>;
}

/** The value with its texts escaped, so that none is read as a variable. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return withoutVariables(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

type Shown = { slug: string; published: boolean; schemaMode: string };

/** For each event type id, the environments in which the type is published or its schema is checked. */
async function readVisibility(client: Posthorn, environments: readonly Environment[], signal: AbortSignal) {
  const found = new Map<string, Shown[]>();
  for (const { id, slug } of environments) {
    for await (const one of client.eventTypes.listVisibility(id, { limit: 100, signal })) {
      const { eventTypeId, published, schemaMode } = one;
      found.set(eventTypeId, [...(found.get(eventTypeId) ?? []), { slug, published, schemaMode }]);
    }
  }
  return found;
}

function eventTypeOf(eventType: EventType, shown: readonly Shown[]) {
  const { name, description, schema, example, payloadRetention, searchKeys, agentFilters } = eventType;
  const modes = shown
    .filter(({ schemaMode }) => schemaMode !== 'off')
    .map(({ slug, schemaMode }) => [slug, schemaMode]);
  return {
    name,
    ...given({ description }),
    ...(schema === null ? {} : { schema: plain(schema) }),
    ...(example === null ? {} : { example: plain(example) }),
    ...(payloadRetention === 'workspace' ? {} : { payloadRetention }),
    ...(searchKeys === null ? {} : { searchKeys: searchKeys.map(searchKeyOf) }),
    ...(agentFilters === null ? {} : { agentFilters }),
    publishIn: shown.filter(({ published }) => published).map(({ slug }) => slug),
    ...given({ schemaMode: Object.fromEntries(modes) }),
  };
}

/** Leaves out the default of `fold`. */
function searchKeyOf({ name, path, fold }: NonNullable<EventType['searchKeys']>[number]) {
  return { name, path, ...(fold && { fold }) };
}

/** `variable` makes a variable for each secret; undefined if secrets are left out. */
type Known = {
  environments: readonly Environment[];
  applications: readonly Application[];
  variable: VariableOf | undefined;
};

async function readEndpoints({ client, signal }: Context, { environments, applications, variable }: Known) {
  const owners = new Map(applications.map(({ id, externalId }) => [id, externalId]));
  const slugs = new Map(environments.map(({ id, slug }) => [id, slug]));
  const endpoints: Endpoint[] = [];
  for await (const one of client().endpoints.list({ limit: 100, signal })) {
    const isNamed = one.applicationId === null || typeof owners.get(one.applicationId) === 'string';
    // A listener belongs to one person on one machine, not to the team.
    const isListener = one.pull !== null && one.externalId?.startsWith(LISTENER) === true;
    if (slugs.has(one.environmentId) && isNamed && !isListener) endpoints.push(one);
  }
  const ordered = sorted(endpoints, (one) => `${slugs.get(one.environmentId)} ${one.externalId ?? one.id}`);
  const secrets = new Map(
    ordered.map((one) => [one.id, variable && secretsOf(one, slugs.get(one.environmentId) ?? '', variable)] as const),
  );
  return readInTurns(ordered, async (endpoint) => {
    const environment = slugs.get(endpoint.environmentId) ?? '';
    const eventTypes = await readSubscriptions(client(), endpoint, signal);
    const { destination, ...config } = endpoint.config as Record<string, unknown>;
    return {
      externalId: withoutVariables(endpoint.externalId ?? endpoint.id),
      environment,
      ...given({ application: endpoint.applicationId === null ? null : owners.get(endpoint.applicationId) }),
      type: endpoint.type,
      ...given({ url: isGiven(endpoint) ? null : endpoint.url }),
      ...given({ destination, description: endpoint.description }),
      ...(endpoint.isActive ? {} : { isActive: false }),
      ...given({ config, metadata: endpoint.metadata }),
      ...given({ eventTypes }),
      ...secrets.get(endpoint.id),
    };
  });
}

async function readSources(
  { client, signal }: Context,
  { environments, variable }: Pick<Known, 'environments' | 'variable'>,
) {
  const slugs = new Map(environments.map(({ id, slug }) => [id, slug]));
  const all: Source[] = await client().sources.list({ limit: 100, signal }).toArray({ limit: 1_000 });
  const known = all.filter(({ environmentId }) => slugs.has(environmentId));
  const keyOf = (one: Source) => one.externalId ?? one.id;
  const ordered = sorted(known, (one) => `${slugs.get(one.environmentId)} ${keyOf(one)}`);
  return ordered.map((one) => {
    const environment = slugs.get(one.environmentId) ?? '';
    const credentials = one.credentialNames.map((name) => [name, variable?.([environment, keyOf(one), name])]);
    return {
      externalId: withoutVariables(keyOf(one)),
      environment,
      name: withoutVariables(one.name),
      ...(one.isActive ? {} : { isActive: false }),
      config: plain(one.config),
      ...(variable && credentials.length > 0 && { credentials: Object.fromEntries(credentials) }),
    };
  });
}

/** Whether the service filled in the URL, because the endpoint type takes none. That name never resolves. */
function isGiven({ type, url }: Endpoint): boolean {
  return url.startsWith(`https://${type}.invalid/`);
}

/** Patterns keep their order, because the first match counts. */
async function readSubscriptions(client: Posthorn, endpoint: Endpoint, signal: AbortSignal) {
  const own: { name: string; filter: unknown }[] = [];
  for await (const { eventType, filter, pattern } of client.subscriptions.list(endpoint.id, { limit: 100, signal })) {
    if (pattern === null) own.push({ name: eventType, filter });
  }
  return [
    ...sorted(own, ({ name }) => name).map(({ name, filter }) => (filter === null ? name : { name, filter })),
    ...endpoint.eventTypePatterns.map(({ pattern, filter }) => (filter === null ? pattern : { pattern, filter })),
  ];
}

type VariableOf = (words: readonly string[]) => string;

/** Makes a variable name from words. If other words differ only in case or punctuation, they get another name. */
function createVariables(): VariableOf {
  const taken = new Set<string>();
  return (words) => {
    const text = words.join('_').toUpperCase();
    const name = text.replace(/^[^A-Z]+/, '').replaceAll(/[^A-Z0-9]/g, '_');
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
    taken.add(free);
    return `\${${free}}`;
  };
}

/** A variable for each secret of an endpoint. */
function secretsOf(endpoint: Endpoint, environment: string, variableOf: VariableOf) {
  const variable = (name: string) => variableOf([environment, endpoint.externalId ?? endpoint.id, name]);
  const byName = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, variable(name)]));
  const { secretHeaderNames, credentialNames } = endpoint;
  return {
    secret: variable('secret'),
    ...(endpoint.authUsername !== null && {
      authUsername: withoutVariables(endpoint.authUsername),
      authPassword: variable('password'),
    }),
    ...(secretHeaderNames.length > 0 && { secretHeaders: byName(secretHeaderNames) }),
    ...(credentialNames.length > 0 && { credentials: byName(credentialNames) }),
  };
}

/** The number of requests at a time. More would only wait for the rate limit. */
const AT_ONCE = 4;

/** The results of `read`, in the order of the items, with a few calls at a time. The first error ends it. */
async function readInTurns<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...items.entries()].reverse();
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [index, item] = next;
      results[index] = await read(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
