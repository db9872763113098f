import { asObject, type JsonObject } from '../openapi/json.ts';

/** The parts of a call from which a sample is written. */
type Call = { resource: string; method: string; ids: string[]; body: JsonObject };

/**
 * The document with samples of Posthorn's own libraries for the operations of the management interface: the viewer
 * shows them before those of HTTP clients.
 */
export function withSamples(document: JsonObject): JsonObject {
  const paths = Object.entries(asObject(document.paths)).map(([path, methods]) => {
    const operations = Object.entries(asObject(methods)).map(([method, operation]) => {
      const call = callOf(path, asObject(operation));
      return [method, call === undefined ? operation : { ...asObject(operation), 'x-codeSamples': samplesOf(call) }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The call of an operation; undefined for streams, ingestion and pull, which have their own forms in the libraries. */
function callOf(path: string, operation: JsonObject): Call | undefined {
  const { resource, method } = asObject(operation['x-sdk']);
  if (!path.startsWith('/management/') || typeof resource !== 'string' || typeof method !== 'string') return undefined;
  if (method === 'streamChanges') return undefined;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').filter((name) => name !== 'workspaceId');
  const json = asObject(asObject(asObject(operation.requestBody).content)['application/json']);
  return { resource, method, ids: names, body: asObject(json.example) };
}

function samplesOf(call: Call): { lang: string; label: string; source: string }[] {
  return [
    { lang: 'typescript', label: 'TypeScript library', source: typescriptOf(call) },
    { lang: 'python', label: 'Python library', source: pythonOf(call) },
  ];
}

function isList({ method }: Call): boolean {
  return method.startsWith('list');
}

function typescriptOf(call: Call): string {
  const body = Object.keys(call.body).length === 0 ? [] : [JSON.stringify(call.body, null, 2)];
  const args = [...call.ids.map((name) => `'${name}'`), ...body].join(', ');
  const made = `posthorn.${call.resource}.${call.method}(${args})`;
  const use = isList(call) ? `for await (const one of ${made}) console.log(one);` : `console.log(await ${made});`;
  return `import { Posthorn } from '@posthorn/client';\n\nconst posthorn = new Posthorn();\n${use}\n`;
}

function pythonOf(call: Call): string {
  const fields = Object.entries(call.body).map(([name, value]) => `${snakeCase(name)}=${literal(value)}`);
  const args = [...call.ids.map((name) => `"${name}"`), ...fields].join(', ');
  const made = `posthorn.${snakeCase(call.resource)}.${snakeCase(call.method)}(${args})`;
  const use = isList(call) ? `for one in ${made}:\n    print(one)` : `print(${made})`;
  return `from posthorn_client import Posthorn\n\nposthorn = Posthorn()\n${use}\n`;
}

function snakeCase(name: string): string {
  return [...name].map((one) => (one === one.toLowerCase() ? one : `_${one.toLowerCase()}`)).join('');
}

/** A value of JSON as Python writes it. */
function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const pairs = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`);
  return `{${pairs.join(', ')}}`;
}
