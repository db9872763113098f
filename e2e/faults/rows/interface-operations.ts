import { isNoun, type Noun, nounOf } from '@posthorn/testkit/id-nouns';
import { ask, field } from './ask.ts';

/** The kind of credential that an operation requires according to the OpenAPI document. */
export type Scheme = 'managementToken' | 'sessionToken' | 'portalToken' | 'apiKey';

/** An operation of the OpenAPI document. Each path parameter has the name of its resource. */
export type Operation = {
  id: string;
  method: string;
  /** The path, for example `/api/portal/endpoints/{endpoints}`. */
  path: string;
  scheme: Scheme;
  /** Undefined for an operation without a body. */
  body: { fields: readonly string[]; required: readonly string[] } | undefined;
  query: readonly string[];
};

/** An id of each kind of resource, and an event type. */
export type Things = Record<Noun, string> & { eventType: string };

/** Reads every operation that requires a credential from the service's own OpenAPI document. */
export async function readOperations(url: string): Promise<Operation[]> {
  const document = await ask('GET', `${url}/openapi.json`);
  const paths: unknown = field(document, 'paths');
  const { schemas } = field(document, 'components') as { schemas: Record<string, Schema> };
  const operations = Object.entries(paths as Record<string, Record<string, Described>>).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, one]) => {
      const scheme = Object.keys(one.security?.[0] ?? {})[0];
      if (scheme === undefined) return [];
      return {
        id: one.operationId,
        method: method.toUpperCase(),
        path: path.replaceAll(
          /([\w-]+)\/\{(\w+)\}/g,
          (_, segment: string) => `${segment}/{${parameterOf(segment, path)}}`,
        ),
        scheme: scheme as Scheme,
        body: bodyOf(one, schemas),
        query: (one.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      };
    }),
  );
  if (operations.length < 100) throw new Error(`the service describes only ${operations.length} operations`);
  return operations;
}

type Schema = { $ref?: string; properties?: object; required?: string[] };

function bodyOf({ requestBody }: Described, schemas: Record<string, Schema>): Operation['body'] {
  if (requestBody === undefined) return undefined;
  const schema = requestBody.content['application/json']?.schema;
  const named = schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
  return { fields: Object.keys(named?.properties ?? {}), required: named?.required ?? [] };
}

type Described = {
  operationId: string;
  security?: Record<string, string[]>[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: { name: string; in: string }[];
};

/** Fills the path with ids, and replaces the parameter number `at` (from 0). */
export function fill(path: string, things: Things, replaced?: { at: number; id: string }): string {
  let at = -1;
  return path.replaceAll(/\{([\w-]+)\}/g, (_, noun: string) => {
    at += 1;
    return at === replaced?.at ? replaced.id : String(Reflect.get(things, noun));
  });
}

/** The resources of the path's parameters, in order. */
export function nounsIn(path: string): Noun[] {
  return [...path.matchAll(/\{([\w-]+)\}/g)]
    .map((match) => match[1])
    .filter((noun) => noun !== undefined && isNoun(noun)) as Noun[];
}

function parameterOf(segment: string, path: string): string {
  if (segment === 'ingest' || segment === 'pull') return 'endpoints';
  if (segment === 'event') return 'eventType';
  return nounOf(segment, path);
}
