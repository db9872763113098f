import { PEER_TOKEN, type PeerStub, startConvoy, startHook0, startOutpost, startSvix } from './peer-stubs.ts';

// Compares the stubs of other services with the OpenAPI documents of these services.

type Schema = Record<string, unknown>;
type Document = { paths: Record<string, { get?: Operation; parameters?: unknown[] }> } & Schema;
type Operation = { parameters?: unknown[]; responses?: Record<string, unknown> };

/** A request of an import: the path at the stub, where `:x` stands for a `{…}` of the document. */
type Question = { path: string; query?: readonly string[] };

type Peer = { start: () => Promise<PeerStub>; questions: readonly Question[] };

const ENDPOINT = '/api/v1/app/:app_a/endpoint/:ep_1';
const PROJECT = '/api/v1/projects/:project-1';

/** All requests that an import makes. */
export const PEER_QUESTIONS: Record<string, Peer> = {
  svix: {
    start: startSvix,
    questions: [
      { path: '/api/v1/event-type', query: ['limit', 'iterator', 'with_content'] },
      { path: '/api/v1/app', query: ['limit', 'iterator'] },
      { path: '/api/v1/app/:app_a/endpoint', query: ['limit', 'iterator'] },
      { path: `${ENDPOINT}/secret` },
      { path: `${ENDPOINT}/headers` },
      { path: `${ENDPOINT}/transformation` },
    ],
  },
  convoy: {
    start: startConvoy,
    questions: [
      { path: PROJECT },
      { path: `${PROJECT}/event-types` },
      { path: `${PROJECT}/subscriptions`, query: ['perPage', 'next_page_cursor'] },
      { path: `${PROJECT}/endpoints`, query: ['perPage', 'next_page_cursor'] },
    ],
  },
  outpost: {
    start: startOutpost,
    questions: [
      { path: '/api/v1/topics' },
      { path: '/api/v1/tenants', query: ['limit', 'next'] },
      ...['a', 'b', 'c'].map((tenant) => ({ path: `/api/v1/tenants/:tenant-${tenant}/destinations` })),
    ],
  },
  hook0: {
    start: startHook0,
    questions: [
      { path: '/api/v1/event_types/', query: ['application_id'] },
      { path: '/api/v1/subscriptions/', query: ['application_id'] },
    ],
  },
};

/**
 * The differences between the stub and the document, one line for each place: fields, types, values and parameters that
 * the document does not have.
 */
export async function differencesOf(document: Document, { start, questions }: Peer): Promise<string[]> {
  const stub = await start();
  try {
    const found: string[] = [];
    for (const question of questions) found.push(...(await differencesIn(document, stub, question)));
    return found;
  } finally {
    await stub.close();
  }
}

async function differencesIn(document: Document, stub: PeerStub, { path, query = [] }: Question): Promise<string[]> {
  const shape = path.replaceAll(/:[^/]+/g, '{}');
  const paths = Object.keys(document.paths).filter((one) => isSamePath(shape, one.replaceAll(/\{[^}]*\}/g, '{}')));
  const item = document.paths[paths.sort((one, other) => other.length - one.length)[0] ?? ''];
  if (item?.get === undefined) return [`GET ${shape} is not in the document`];
  const read = createReader(document);
  const parameters = [...(item.parameters ?? []), ...(item.get.parameters ?? [])].map((one) => read(one).name);
  const unknown = query.filter((name) => !parameters.includes(name)).map((name) => `GET ${shape} takes no ${name}`);
  // Hook0 answers for one application only; the other stubs ignore the query.
  const url = `${stub.url}${path.replaceAll(':', '')}?application_id=application-1`;
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${PEER_TOKEN}`, connection: 'close' },
  });
  return [...unknown, ...compare(read, schemaOf(read, item.get), await answer.json(), `GET ${shape}: `)];
}

/** Whether two paths are the same. The document may have the beginning of the path in its servers. */
function isSamePath(asked: string, documented: string): boolean {
  const bare = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : path);
  return bare(asked).endsWith(bare(documented)) && bare(documented) !== '';
}

type Read = (value: unknown) => Schema;

/** Reads an object of the document, or the one that it refers to. */
function createReader(document: Document): Read {
  const read: Read = (value) => {
    const object = Object(value) as Schema;
    if (typeof object.$ref !== 'string') return object;
    const steps = object.$ref.slice('#/'.length).split('/');
    return read(steps.reduce<unknown>((found, step) => Object(found)[step.replaceAll('~1', '/')], document));
  };
  return read;
}

/** The schema of a success, in OpenAPI 3 or in Swagger 2. */
function schemaOf(read: Read, { responses = {} }: Operation): Schema {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const { content, schema } = read(success) as { content?: Record<string, Schema>; schema?: Schema };
  return read(content === undefined ? schema : Object.values(content)[0]?.schema);
}

function compare(read: Read, schema: Schema, value: unknown, place: string): string[] {
  const choices = (schema.oneOf ?? schema.anyOf) as unknown[] | undefined;
  if (choices !== undefined) {
    const all = choices.map((one) => compare(read, read(one), value, place));
    return all.reduce((least, one) => (one.length < least.length ? one : least));
  }
  if (Array.isArray(value)) {
    if (schema.items === undefined) return isOpen(schema) ? [] : [`${place} is not a list`];
    return value.flatMap((one, index) => compare(read, read(schema.items), one, `${place}[${index}]`));
  }
  if (typeof value === 'object' && value !== null) return compareObject(read, schema, value as Schema, place);
  return compareScalar(schema, value, place);
}

function compareObject(read: Read, schema: Schema, value: Schema, place: string): string[] {
  const { properties, required, additional } = flat(read, schema);
  const missing = required.filter((key) => !Object.hasOwn(value, key)).map((key) => `${place}.${key} is missing`);
  const others = Object.entries(value).flatMap(([key, one]) => {
    const known = properties[key];
    if (known !== undefined)
      return isAbsent(one, required.includes(key)) ? [] : compare(read, read(known), one, `${place}.${key}`);
    if (additional === undefined ? Object.keys(properties).length === 0 : additional !== false) return [];
    return [`${place}.${key} is not in the document`];
  });
  return [...missing, ...others];
}

/** Whether a value counts as absent: documents that are made from Go do not say which optional fields may be null. */
function isAbsent(value: unknown, isRequired: boolean): boolean {
  return value === null && !isRequired;
}

type Flat = { properties: Record<string, unknown>; required: string[]; additional: unknown };

/** The properties of an object and of the parts of its `allOf`. */
function flat(read: Read, schema: Schema): Flat {
  const parts = ((schema.allOf ?? []) as unknown[]).map((one) => flat(read, read(one)));
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties),
    required: [...parts.flatMap(({ required }) => required), ...((schema.required ?? []) as string[])],
    additional: schema.additionalProperties ?? parts.find(({ additional }) => additional !== undefined)?.additional,
  };
}

const isOpen = (schema: Schema) => Object.keys(schema).length === 0;

function compareScalar(schema: Schema, value: unknown, place: string): string[] {
  const types = [schema.type ?? []].flat() as string[];
  const type = value === null ? 'null' : typeof value === 'number' ? 'integer' : typeof value;
  const isOfType =
    types.length === 0 ||
    types.includes(type) ||
    (type === 'integer' && types.includes('number')) ||
    (type === 'null' && schema.nullable === true);
  if (!isOfType) return [`${place} is ${JSON.stringify(value)}, and not ${types.join(' or ')}`];
  const allowed = schema.enum as unknown[] | undefined;
  if (allowed === undefined || value === null || allowed.includes(value)) return [];
  return [`${place} is ${JSON.stringify(value)}, and not one of ${allowed.join(', ')}`];
}
