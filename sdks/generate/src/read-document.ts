import type { Answer, Field, Method, Model, NamedType, Resource, Type } from './model.ts';

type Json = { [key: string]: unknown };

const WORKSPACE = '/management/v1/workspaces/{workspaceId}';
/** Operations that have an effect at the receiver each time, so a library must not send them again. */
const NEVER_RETRIED = new Set(['testEndpoint', 'diagnoseEndpoint']);

/** Reads the model from docs/openapi-sdk.json. Throws an error, with its place, for a schema that it cannot express. */
export function readDocument(document: unknown): Model {
  const root = asObject(document);
  const schemas = entries(asObject(root.components).schemas);
  const operations = entries(root.paths).flatMap(([path, item]) =>
    entries(item).map(([http, operation]) => ({ path, http, operation: asObject(operation) })),
  );
  const read = createTypeReader(reachable(schemas, operations));
  const resources = new Map<string, Resource>();
  for (const { path, http, operation } of operations) {
    if (isOfConsumers(operation)) continue;
    const names = asObject(operation['x-sdk']);
    if (typeof names.resource !== 'string') throw new Error(`${http} ${path} has no x-sdk`);
    const resource = resources.get(names.resource) ?? { name: names.resource, description: '', methods: [] };
    const tag = list(operation.tags)[0];
    if (resource.description === '' && text(tag) !== 'Ingestion') resource.description = tagDescription(root, tag);
    resource.methods.push(readMethod({ path, http, operation, name: text(names.method), root, read }));
    resources.set(names.resource, resource);
  }
  const types = schemas.filter(([name]) => read.isUsed(name)).map(([name, schema]) => read.named(name, schema));
  return {
    types: [...types, ...read.unions.values()],
    resources: [...resources.values()],
    errorCodes: list(asObject(new Map(schemas).get('ErrorCode')).enum).map(text),
  };
}

/** The descriptions of paging parameters in a library, which walks the pages itself. */
const PAGING: Record<string, string> = {
  limit: 'The maximum number of items in each page.',
  cursor: 'The page to begin with: `nextCursor` of the page before it.',
  page: 'The page to begin with, as a number: `nextCursor` of the page before it.',
};

type Operation = { path: string; http: string; operation: Json };
type TypeReader = ReturnType<typeof createTypeReader>;

/** Whether the operation is for consumers: `pull` is written by hand for these, and only their types are generated. */
function isOfConsumers({ security }: Json): boolean {
  return list(security).some((one) => 'pullKey' in asObject(one));
}

function readMethod(from: Operation & { name: string; root: Json; read: TypeReader }): Method {
  const { path, http, operation, name, root, read } = from;
  const operationId = text(operation.operationId);
  const inWorkspace = path.startsWith(WORKSPACE);
  const parameters = list(operation.parameters).map(asObject);
  const requirements = list(operation.security).map(asObject);
  const credential = requirements.some((one) => 'managementToken' in one) ? 'token' : 'apiKey';
  const scopes = requirements.flatMap((one) => list(one.managementToken));
  const request = asObject(operation.requestBody);
  const bodySchema = asObject(asObject(asObject(request.content)['application/json']).schema);
  const byHand = credential === 'apiKey';
  const never = NEVER_RETRIED.has(operationId);
  const idempotencyKey = parameters.some((one) => one.name === 'Idempotency-Key') && !never;
  const answer = readAnswer(operation, operationId, read);
  return {
    name,
    operationId,
    summary: text(operation.summary),
    description: text(operation.description ?? ''),
    http: http.toUpperCase() as Method['http'],
    path: inWorkspace ? path.slice(WORKSPACE.length) : path,
    inWorkspace,
    credential,
    pathArguments: parameters
      .filter((one) => one.in === 'path' && one.name !== 'workspaceId')
      .map((one) => text(one.name)),
    query: parameters
      // Leave out the parameter `search`: a library sends these values in a body, with its method `search`.
      .filter((one) => one.in === 'query' && !(one.name === 'search' && asObject(one.schema).type === 'array'))
      .map((one) => ({ ...read.field(text(one.name), one.schema, 'sent'), optional: one.required !== true }))
      .map((one) => (answer.kind === 'pages' ? { ...one, description: PAGING[one.name] ?? one.description } : one)),
    body:
      operation.requestBody === undefined || byHand
        ? undefined
        : { type: refName(bodySchema), required: request.required === true || http === 'patch' },
    answer,
    byHand,
    idempotencyKey,
    shownOnce: idempotencyKey ? read.shownOnce(answer, scopes.includes('keys')) : undefined,
    retry: never ? 'never' : 'always',
    errors: entries(operation.responses).flatMap(([, response]) => errorsOf(root, asObject(response))),
  };
}

function readAnswer(operation: Json, operationId: string, read: TypeReader): Answer {
  const answers = entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const contents = answers.map(([, answer]) => asObject(asObject(answer).content));
  const stream = contents.map((content) => asObject(content['text/event-stream'])).find((one) => 'schema' in one);
  if (stream !== undefined) {
    const events = list(asObject(stream['x-event-schema']).oneOf).map((one) => asObject(asObject(one).properties));
    return {
      kind: 'stream',
      events: events.map(({ event, data }) => ({
        name: text(list(asObject(event).enum)[0]),
        type: read.type(data, 'answered'),
      })),
    };
  }
  const schemas = contents.map((content) => asObject(content['application/json']).schema).filter(Boolean);
  const schema = schemas.at(-1);
  if (schema === undefined) return { kind: 'none' };
  const paged = operationId.startsWith('list') ? read.page(asObject(schema)) : undefined;
  if (paged !== undefined) return { kind: 'pages', ...paged };
  // Two different schemas mean that a dry run has its own. An upsert has the same schema for 200 and 201.
  const dryRun = JSON.stringify(schemas[0]) !== JSON.stringify(schema) ? read.type(schemas[0], 'answered') : undefined;
  return { kind: 'json', type: read.type(schema, 'answered'), dryRun };
}

function errorsOf(root: Json, response: Json): string[] {
  const named = typeof response.$ref === 'string' ? asObject(follow(root, response.$ref)) : response;
  const content = asObject(asObject(named.content)['application/json']);
  return refName(asObject(content.schema)) === 'ErrorBody' ? Object.keys(asObject(content.examples)) : [];
}

type Use = 'sent' | 'answered';

/** Finds the named types that occur in requests, and those that occur in answers. */
function reachable(schemas: readonly [string, unknown][], operations: readonly Operation[]) {
  const all = new Map(schemas);
  const used = { sent: new Set<string>(), answered: new Set<string>() };
  const visit = (value: unknown, use: Use): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, use);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
    const name = refName(asObject(value));
    if (name !== '' && !used[use].has(name)) {
      used[use].add(name);
      visit(all.get(name), use);
    }
    // A form has only one type, for requests and answers: the one for requests.
    for (const [key, one] of entries(value)) visit(one, key === 'x-forms' ? 'sent' : use);
  };
  for (const { operation } of operations) {
    visit([operation.parameters, operation.requestBody], 'sent');
    visit(operation.responses, 'answered');
  }
  for (const name of ['ErrorBody', 'ErrorCode', 'ErrorDetail']) visit({ $ref: `/${name}` }, 'answered');
  return { all, used };
}

function createTypeReader({ all, used }: ReturnType<typeof reachable>) {
  const isOpen = (use: Use) => use === 'answered';
  const unions = new Map<string, NamedType>();

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one branch for each form of a schema.
  function type(value: unknown, use: Use): Type {
    const schema = asObject(value);
    if (refName(schema) !== '') return { kind: 'ref', name: refName(schema) };
    if (schema['x-forms'] !== undefined) return union(asObject(schema['x-forms']));
    const options = list(schema.anyOf ?? schema.oneOf).filter((one) => asObject(one).type !== 'null');
    if (options.length === 1) return type(options[0], use);
    if (options.length > 1) throw new Error(`a type with alternatives: ${JSON.stringify(schema).slice(0, 200)}`);
    if (schema.type === 'null') return { kind: 'null' };
    const kinds = list(schema.type ?? [])
      .map(text)
      .filter((one) => one !== 'null');
    if (kinds.length > 1) return { kind: 'json' };
    const values = list(schema.enum).filter((one) => one !== null);
    if (values.length > 0 && kinds[0] === 'string') {
      return { kind: 'enum', values: values.map(text), open: isOpen(use) };
    }
    switch (kinds[0]) {
      case 'string':
        return schema.format === 'date-time' ? { kind: 'time', sent: use === 'sent' } : { kind: 'string' };
      case 'integer':
      case 'number':
      case 'boolean':
        return { kind: kinds[0] };
      case 'array':
        return { kind: 'list', item: type(schema.items, use), itemNullable: isNullable(schema.items) };
      case 'object': {
        if (schema.properties !== undefined) throw new Error(`an object without a name: ${JSON.stringify(schema)}`);
        const value = schema.additionalProperties === true ? {} : asObject(schema.additionalProperties);
        return { kind: 'map', value: type(value, use), valueNullable: isNullable(value) };
      }
      default:
        return { kind: 'json' };
    }
  }

  function union({ name: given, anyOf, byType }: Json): Type {
    const name = text(given);
    const base = { name, description: '' };
    unions.set(
      name,
      byType === undefined
        ? {
            ...base,
            kind: 'union',
            forms: list(anyOf).map((form) => type(form, 'sent')),
          }
        : { ...base, kind: 'byType', forms: entries(byType).map(([of, form]) => [of, refName(asObject(form))]) },
    );
    return { kind: 'ref', name };
  }

  function field(name: string, schema: unknown, use: Use, required: readonly unknown[] = []): Field {
    return {
      name,
      description: text(asObject(schema).description ?? ''),
      type: type(schema, use),
      optional: !required.includes(name),
      nullable: isNullable(schema),
    };
  }

  function named(name: string, value: unknown): NamedType {
    const schema = asObject(value);
    const answered = used.answered.has(name);
    const sent = used.sent.has(name);
    const base = { name, description: text(schema.description ?? '') };
    if (schema.properties !== undefined) {
      const use = answered ? 'answered' : 'sent';
      const fields = entries(schema.properties).map(([key, one]) => field(key, one, use, list(schema.required)));
      return { ...base, kind: 'object', fields, sent, answered };
    }
    const alias = type(schema, answered ? 'answered' : 'sent');
    return alias.kind === 'enum' ? { ...base, ...alias } : { ...base, kind: 'alias', type: alias };
  }

  /** How to read the pages of an answer. Returns undefined if the answer is not a list. */
  function page(schema: Json): { item: Type; items: string | undefined; by: 'cursor' | 'page' | 'link' } | undefined {
    if (schema.type === 'array') return { item: type(schema.items, 'answered'), items: undefined, by: 'link' };
    const properties = asObject(asObject(all.get(refName(schema))).properties);
    const by = 'nextCursor' in properties ? 'cursor' : 'pageSize' in properties ? 'page' : undefined;
    const items = entries(properties).find(([, one]) => asObject(one).type === 'array');
    if (by === undefined || items === undefined) return undefined;
    return { item: type(asObject(items[1]).items, 'answered'), items: items[0], by };
  }

  /**
   * The field that only the first answer shows. `secret` counts only if every caller of the operation may see secrets:
   * for other callers, it is always null.
   */
  function shownOnce(answer: Answer, seesSecrets: boolean): string | undefined {
    if (answer.kind !== 'json' || answer.type.kind !== 'ref') return undefined;
    const properties = asObject(asObject(all.get(answer.type.name)).properties);
    return ['key', 'token', 'pullKey', ...(seesSecrets ? ['secret'] : [])].find((name) => name in properties);
  }

  return {
    type,
    field,
    named,
    page,
    shownOnce,
    unions,
    isUsed: (name: string) => used.sent.has(name) || used.answered.has(name),
  };
}

function isNullable(value: unknown): boolean {
  const schema = asObject(value);
  if (list(schema.type ?? []).includes('null') && list(schema.type).length <= 2) return true;
  return list(schema.anyOf ?? schema.oneOf).some((one) => asObject(one).type === 'null');
}

function tagDescription(root: Json, tag: unknown): string {
  const found = list(root.tags).find((one) => asObject(one).name === tag);
  return text(asObject(found).description ?? '').trim();
}

function follow(root: Json, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, part) => asObject(value)[part], root);
}

/** The last part of a `$ref`, or an empty text for a schema that is not a reference. */
function refName(schema: Json): string {
  return typeof schema.$ref === 'string' ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) : '';
}

function asObject(value: unknown): Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : {};
}

function entries(value: unknown): [string, unknown][] {
  return Object.entries(asObject(value));
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`a text was expected: ${JSON.stringify(value)}`);
  return value;
}
