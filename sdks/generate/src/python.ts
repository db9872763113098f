import type { Answer, Field, Method, Model, NamedType, Resource, Type } from './model.ts';
import { camelCase, commentLines, pascalCase, snakeCase } from './names.ts';

/**
 * The generated files of sdks/python, by their path there. `templates` are the hand-written files of
 * `src/posthorn_client/_async`. The synchronous client is made from them and from the generated resources.
 */
export function writePython(model: Model, templates: ReadonlyMap<string, string>): Record<string, string> {
  const types = new Map(model.types.map((type) => [type.name, type]));
  const all = new Map([...templates, ['resources.py', writeResources(model.resources, types)]]);
  return {
    'src/posthorn_client/models.py': writeModels(model, types),
    'src/posthorn_client/_async/resources.py': all.get('resources.py') ?? '',
    ...Object.fromEntries([...all].map(([name, text]) => [`src/posthorn_client/_sync/${name}`, toSync(name, text)])),
  };
}

type Types = ReadonlyMap<string, NamedType>;
type Use = 'sent' | 'answered';

const HEADER =
  '# Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.\n';
const WIDTH = 112;
const KEYWORDS = new Set(['and', 'as', 'class', 'from', 'global', 'import', 'in', 'is', 'not', 'or', 'pass', 'with']);

/** The replacements that turn asynchronous code into synchronous code. Their order matters. */
const SYNC: [RegExp, string][] = [
  [/\basync_(?=[a-z])/g, ''],
  [/\basync /g, ''],
  [/\bawait /g, ''],
  [/`async with`/g, '`with`'],
  [/Async(?=[A-Z])/g, ''],
  [/\b(__)?a(close|read|iter_text|iter_bytes|iter__|enter__|exit__)\b/g, '$1$2'],
];

function toSync(name: string, text: string): string {
  const from = `# Made from _async/${name} by \`npm run sdks:generate\`. Change that file, not this one.\n`;
  return from + SYNC.reduce((whole, [pattern, by]) => whole.replaceAll(pattern, by), text.replace(HEADER, ''));
}

function writeModels({ types, errorCodes }: Model, named: Types): string {
  const nested = new Set(
    types.flatMap((type) =>
      type.kind === 'object' && type.sent ? type.fields.flatMap(({ type }) => refsOf(type)) : formsIn(type),
    ),
  );
  const written = types.flatMap((type) => writeType(type, nested.has(type.name), named));
  const shapes = types.flatMap((type) => writeShapes(type, named));
  if (errorCodes.length > 0 && !named.has('ErrorCode')) throw new Error('the document has no ErrorCode');
  return [
    HEADER,
    '"""The objects of the API: classes for answers, dictionaries for requests."""\n',
    'from __future__ import annotations\n',
    'from datetime import datetime',
    'from typing import Any, Dict, List, Literal, Mapping, Sequence, TypedDict, Union\n',
    'from ._model import Model, describe\n',
    ...written.map((text) => `\n${text}\n`),
    `\n${shapes.join('\n')}\n`,
  ].join('\n');
}

function refsOf(type: Type): string[] {
  if (type.kind === 'ref') return [type.name];
  if (type.kind === 'list') return refsOf(type.item);
  return type.kind === 'map' ? refsOf(type.value) : [];
}

/** The names of the objects among the forms of a value. */
function formsIn(type: NamedType): string[] {
  if (type.kind === 'union') return type.forms.flatMap(refsOf);
  return type.kind === 'byType' ? type.forms.map(([, name]) => name) : [];
}

function writeType(type: NamedType, isNested: boolean, types: Types): string[] {
  switch (type.kind) {
    case 'object':
      return [
        ...(type.answered ? [writeModel(type.name, type.description, type.fields, types)] : []),
        ...(type.sent && isNested ? [writeDictionary(type, types)] : []),
      ];
    case 'enum':
      return [`${type.name} = ${enumOf(type, 'Union')}${after(type.description)}`];
    case 'alias':
      return [`${type.name} = ${typeOf(type.type, 'answered', types)}${after(type.description)}`];
    case 'union':
      return [`${type.name} = Union[${type.forms.map((form) => formOf(form, types)).join(', ')}]`];
    case 'byType':
      return [`${type.name} = Union[${type.forms.map(([, name]) => name).join(', ')}]`];
  }
}

/** The Python type of a form. Answers keep such a value as it arrived, so an object is a dictionary. */
function formOf(form: Type, types: Types): string {
  return form.kind === 'enum' ? enumOf({ ...form, open: true }, 'Union') : typeOf(form, 'sent', types);
}

function writeModel(name: string, description: string, fields: readonly Field[], types: Types): string {
  const lines = fields.flatMap((field) => [
    `${argumentName(field.name)}: ${fieldType(field, 'answered', types)}`,
    ...docstring([field.description]),
  ]);
  return [`class ${name}(Model):`, ...indent([...docstring([description]), ...lines])].join('\n');
}

function writeDictionary(
  type: { name: string; description: string; fields: Field[]; answered: boolean },
  types: Types,
): string {
  const name = dictionaryName(type);
  const of = (field: Field) => nullable(typeOf(field.type, 'sent', types), field.nullable);
  if (type.fields.some((field) => KEYWORDS.has(field.name))) {
    const keys = type.fields.map((field) => `    ${JSON.stringify(field.name)}: ${JSON.stringify(of(field))},`);
    if (type.fields.some((field) => !field.optional)) throw new Error(`${name} has a required field and a keyword`);
    return `${name} = TypedDict(\n  "${name}",\n  {\n${keys.join('\n')}\n  },\n  total=False,\n)${after(type.description)}`.replaceAll(
      /^( +)/gm,
      '$1$1',
    );
  }
  const required = type.fields.filter((field) => !field.optional);
  const optional = type.fields.filter((field) => field.optional);
  const lines = (fields: readonly Field[]) =>
    fields.flatMap((field) => [`${field.name}: ${of(field)}`, ...docstring([field.description])]);
  const body = (fields: readonly Field[], doc: readonly string[]) => indent([...doc, ...lines(fields)]);
  const doc = docstring([type.description]);
  if (optional.length === 0) return [`class ${name}(TypedDict):`, ...body(required, doc)].join('\n');
  const base = required.length === 0 ? 'TypedDict' : `_${name}Required`;
  return [
    ...(required.length === 0 ? [] : [`class ${base}(TypedDict):`, ...body(required, []), '', '']),
    `class ${name}(${base}, total=False):`,
    ...body(optional, doc),
  ].join('\n');
}

/** The name of the dictionary of a type. If the type also occurs in answers, its class has the plain name. */
function dictionaryName({ name, answered }: { name: string; answered: boolean }): string {
  return answered ? `${name}Dict` : name;
}

function writeShapes(type: NamedType, types: Types): string[] {
  if (type.kind !== 'object' || !type.answered) return [];
  const shapes = type.fields.flatMap((field) => {
    const shape = shapeOf(field.type, types);
    return shape === undefined ? [] : [`"${argumentName(field.name)}": ${shape}`];
  });
  return shapes.length === 0 ? [] : [`describe(${type.name}, {${shapes.join(', ')}})`];
}

function shapeOf(type: Type, types: Types): string | undefined {
  if (type.kind === 'ref') return types.get(type.name)?.kind === 'object' ? type.name : undefined;
  const inner = type.kind === 'list' ? shapeOf(type.item, types) : undefined;
  if (inner !== undefined) return `[${inner}]`;
  const value = type.kind === 'map' ? shapeOf(type.value, types) : undefined;
  return value === undefined ? undefined : `{"": ${value}}`;
}

function typeOf(type: Type, use: Use, types: Types, prefix = ''): string {
  switch (type.kind) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'time':
      return use === 'sent' ? 'str | datetime' : 'str';
    case 'null':
      return 'None';
    case 'json':
      return 'Any';
    case 'enum':
      return enumOf(type, '|');
    case 'list': {
      const item = nullable(typeOf(type.item, use, types, prefix), type.itemNullable);
      return use === 'sent' ? `Sequence[${item}]` : `List[${item}]`;
    }
    case 'map': {
      const value = nullable(typeOf(type.value, use, types, prefix), type.valueNullable);
      return use === 'sent' ? `Mapping[str, ${value}]` : `Dict[str, ${value}]`;
    }
    case 'ref': {
      const named = types.get(type.name);
      if (use === 'answered' || named?.kind !== 'object') return prefix + type.name;
      const dictionary = prefix + dictionaryName(named);
      return named.answered ? `${dictionary} | ${prefix}${type.name}` : dictionary;
    }
  }
}

/** The Python type of an enum. `|` is only for annotations, which Python 3.9 does not evaluate. */
function enumOf({ values, open }: { values: string[]; open: boolean }, union: '|' | 'Union'): string {
  const literal = `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  if (!open) return literal;
  return union === 'Union' ? `Union[${literal}, str]` : `${literal} | str`;
}

function fieldType(field: Field, use: Use, types: Types): string {
  return nullable(typeOf(field.type, use, types), field.nullable || field.optional);
}

function nullable(type: string, isNullable: boolean): string {
  return isNullable && type !== 'Any' ? `${type} | None` : type;
}

/** The name of an attribute or an argument. Throws if the library could not convert it back to the name in JSON. */
function argumentName(name: string): string {
  const snake = snakeCase(name);
  if (snake !== name && camelCase(snake) !== name) throw new Error(`${name} cannot be told from ${snake}`);
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
}

function writeResources(resources: readonly Resource[], types: Types): string {
  const made = resources.flatMap(({ name, description }) => [
    `self.${snakeCase(name)} = ${className(name)}(transport)`,
    ...docstring([description]),
  ]);
  const classes = resources.map((resource) => `\n${writeResource(resource, types)}\n`);
  const used = (names: string) =>
    names
      .split(' ')
      .filter((name) => classes.some((text) => new RegExp(`\\b${name}\\b(?! [a-z])`).test(text)))
      .join(', ');
  return [
    HEADER,
    'from __future__ import annotations\n',
    'from collections.abc import AsyncIterator',
    'from datetime import datetime',
    `from typing import ${used('Any List Literal Mapping Sequence overload')}\n`,
    'from .. import models',
    `from .._calls import ${used('Call Change Paging anything json_body list_of nothing path')}`,
    'from .._unset import UNSET, Unset',
    'from .ingestion import AsyncIngestion',
    'from .listing import AsyncListing',
    'from .resource import AsyncResource',
    'from .transport import AsyncTransport\n',
    ...classes,
    '\nclass AsyncResources:\n    """The resources of a client."""\n',
    '    def __init__(self, transport: AsyncTransport) -> None:',
    `${indent(indent(made)).join('\n')}\n`,
  ].join('\n');
}

function className(resource: string): string {
  return `Async${pascalCase(resource)}Resource`;
}

function writeResource(resource: Resource, types: Types): string {
  const generated = resource.methods.filter((method) => !method.byHand);
  const base = generated.length < resource.methods.length ? 'AsyncIngestion' : 'AsyncResource';
  const methods = generated.flatMap((method) => ['', ...writeMethod(method, types)]);
  return [
    `class ${className(resource.name)}(${base}):`,
    ...indent([...docstring([resource.description]), ...methods]),
  ].join('\n');
}

type Parameter = {
  name: string;
  json: string;
  from: 'path' | 'body' | 'query';
  type: string;
  given: string;
  doc: string;
};

function parametersOf(method: Method, types: Types): Parameter[] {
  const body = method.body === undefined ? undefined : types.get(method.body.type);
  if (body !== undefined && body.kind !== 'object')
    throw new Error(`the body of ${method.operationId} is not an object`);
  const keyword =
    (from: 'body' | 'query') =>
    (field: Field): Parameter => ({
      name: argumentName(field.name),
      json: field.name,
      from,
      type: `${nullable(typeOf(field.type, 'sent', types, 'models.'), from === 'body' && field.nullable)}${field.optional ? ' | Unset' : ''}`,
      given: field.optional ? ' = UNSET' : '',
      doc: field.description,
    });
  const keywords = [...(body?.fields ?? []).map(keyword('body')), ...method.query.map(keyword('query'))];
  const parameters = [
    ...method.pathArguments.map(
      (json): Parameter => ({ name: argumentName(json), json, from: 'path', type: 'str', given: '', doc: '' }),
    ),
    ...keywords.filter(({ given }) => given === ''),
    ...keywords.filter(({ given }) => given !== ''),
  ];
  const names = [...parameters.map(({ name }) => name), 'timeout', 'retries'];
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  // Only an argument in the path may share its name with another argument: `/` makes it positional.
  if (twice !== undefined && parameters.filter(({ name }) => name === twice)[0]?.from !== 'path') {
    throw new Error(`${method.operationId} has two arguments with the name ${twice}`);
  }
  return parameters;
}

/** Whether a field of the call is the idempotency key of an event. The library then makes the key of the request. */
function hasKeyOfItsOwn(parameters: readonly Parameter[]): boolean {
  return parameters.some(({ name }) => name === 'idempotency_key');
}

function writeMethod(method: Method, types: Types): string[] {
  const { answer } = method;
  const parameters = parametersOf(method, types);
  const name = snakeCase(method.name);
  const head = answer.kind === 'pages' || answer.kind === 'stream' ? 'def' : 'async def';
  const signature = (answered: string, dryRun?: string) => [
    `${head} ${name}(`,
    ...indent(['self,', ...argumentLines(method, parameters, dryRun)]),
    `) -> ${answered}:`,
  ];
  const overloads =
    answer.kind === 'json' && answer.dryRun !== undefined
      ? [
          { dryRun: 'dry_run: Literal[True]', answered: typeOf(answer.dryRun, 'answered', types, 'models.') },
          {
            dryRun: 'dry_run: Literal[False] | Unset = UNSET',
            answered: typeOf(answer.type, 'answered', types, 'models.'),
          },
          { dryRun: 'dry_run: bool | Unset = UNSET', answered: answerOf(answer, types) },
        ].flatMap(({ dryRun, answered }) => [
          '@overload',
          ...signature(answered, dryRun).slice(0, -1),
          `) -> ${answered}: ...`,
          '',
        ])
      : [];
  return [
    ...overloads,
    ...signature(answerOf(answer, types)),
    ...indent([...docstring([method.summary, method.description, refusals(method)], documented(parameters))]),
    ...indent(bodyOf(method, parameters, types)),
  ];
}

function argumentLines(method: Method, parameters: readonly Parameter[], dryRun: string | undefined): string[] {
  const inPath = parameters.filter(({ from }) => from === 'path');
  const keywords = parameters.filter(({ from }) => from !== 'path');
  const isDry = ({ name }: Parameter) => dryRun !== undefined && name === 'dry_run';
  const isRequired = !dryRun?.includes('=');
  const write = (one: Parameter) => (isDry(one) ? `${dryRun},` : `${one.name}: ${one.type}${one.given},`);
  // Arguments without a default come first. Python does not require this of keyword arguments, but it reads better.
  const sorted = isRequired ? [...keywords.filter(isDry), ...keywords.filter((one) => !isDry(one))] : keywords;
  return [
    ...inPath.map(({ name, type }) => `${name}: ${type},`),
    ...(inPath.length > 0 ? ['/,'] : []),
    '*,',
    ...sorted.map(write),
    ...(method.idempotencyKey && !hasKeyOfItsOwn(parameters) ? ['idempotency_key: str | None = None,'] : []),
    'timeout: float | None = None,',
    ...(method.retry === 'never' || method.answer.kind === 'stream' ? [] : ['retries: int | None = None,']),
  ];
}

function refusals({ errors }: Method): string {
  return errors.length === 0 ? '' : `Refused with ${errors.map((code) => `\`${code}\``).join(', ')}.`;
}

function documented(parameters: readonly Parameter[]): string[] {
  return parameters
    .filter(({ doc }) => doc !== '')
    .flatMap(({ name, doc }) => commentLines([`- \`${name}\`: ${doc}`], WIDTH - 10))
    .map((line) => (line.startsWith('- `') ? line : `  ${line}`));
}

function answerOf(answer: Answer, types: Types): string {
  switch (answer.kind) {
    case 'none':
      return 'None';
    case 'json': {
      const all = [answer.type, ...(answer.dryRun === undefined ? [] : [answer.dryRun])];
      return all.map((type) => typeOf(type, 'answered', types, 'models.')).join(' | ');
    }
    case 'pages':
      return `AsyncListing[${typeOf(answer.item, 'answered', types, 'models.')}]`;
    case 'stream': {
      const changes = answer.events.map(
        ({ name, type }) => `Change[Literal["${name}"], ${typeOf(type, 'answered', types, 'models.')}]`,
      );
      return `AsyncIterator[${changes.join(' | ')}]`;
    }
  }
}

function decodeOf(type: Type, types: Types): string {
  if (type.kind === 'ref' && types.get(type.name)?.kind === 'object') return `models.${type.name}`;
  const item = type.kind === 'list' ? decodeOf(type.item, types) : 'anything';
  return item === 'anything' ? 'anything' : `list_of(${item})`;
}

function bodyOf(method: Method, parameters: readonly Parameter[], types: Types): string[] {
  const { answer } = method;
  const inPath = parameters.filter(({ from }) => from === 'path');
  const template = JSON.stringify(method.path.replaceAll(/\{\w+\}/g, '{}'));
  const map = (from: 'body' | 'query') =>
    parameters.filter((one) => one.from === from).map(({ name, json }) => `    "${json}": ${name},`);
  const query = map('query');
  const call = [
    'call = Call(',
    ...indent([
      `"${method.http}",`,
      inPath.length === 0 ? `${template},` : `path(${[template, ...inPath.map(({ name }) => name)].join(', ')}),`,
      ...(method.inWorkspace ? [] : ['in_workspace=False,']),
      ...(query.length === 0 ? [] : ['query={', ...query, '},']),
      ...(method.body === undefined ? [] : ['content=json_body({', ...map('body'), '}),']),
      ...(method.idempotencyKey ? [`idempotency_key=${hasKeyOfItsOwn(parameters) ? 'None' : 'idempotency_key'},`] : []),
      ...(method.shownOnce === undefined ? [] : [`shown_once="${method.shownOnce}",`]),
      ...(method.retry === 'never' ? ['once=True,'] : []),
    ]),
    ')',
  ];
  const given = method.retry === 'never' ? 'timeout' : 'timeout, retries';
  switch (answer.kind) {
    case 'none':
      return [...call, `return await self._transport.request(call, nothing, ${given})`];
    case 'json': {
      const decode = decodeOf(answer.type, types);
      const decoding =
        answer.dryRun === undefined ? decode : `${decodeOf(answer.dryRun, types)} if dry_run is True else ${decode}`;
      return [...call, `return await self._transport.request(call, ${decoding}, ${given})`];
    }
    case 'pages': {
      const paging = `Paging("${answer.by}"${answer.items === undefined ? '' : `, "${answer.items}"`})`;
      return [...call, `return self._transport.list(call, ${decodeOf(answer.item, types)}, ${paging}, ${given})`];
    }
    case 'stream': {
      const decodes = answer.events.map(({ name, type }) => `"${name}": ${decodeOf(type, types)}`);
      return [...call, `return self._transport.stream(call, {${decodes.join(', ')}}, timeout)`];
    }
  }
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `    ${line}`));
}

function docstring(paragraphs: readonly string[], more: readonly string[] = []): string[] {
  const written = commentLines(paragraphs, WIDTH);
  const lines = [...written, ...(more.length > 0 && written.length > 0 ? [''] : []), ...more].map((line) =>
    line.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"'),
  );
  if (lines.length === 0) return [];
  if (lines.length === 1 && !lines[0]?.endsWith('"')) return [`"""${lines[0]}"""`];
  return ['"""', ...lines, '"""'];
}

function after(description: string): string {
  return ['', ...docstring([description])].join('\n');
}
