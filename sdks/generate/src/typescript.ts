import type { Answer, Field, Method, Model, NamedType, Resource, Type } from './model.ts';
import { camelCase, commentLines, pascalCase } from './names.ts';

/** The generated files of sdks/typescript, by their path there. They still need formatting. */
export function writeTypescript(model: Model): Record<string, string> {
  return {
    'src/models.ts': `${HEADER}\n${model.types.map((type) => writeType(type, model)).join('\n\n')}\n`,
    'src/resources.ts': writeResources(model.resources),
  };
}

const HEADER =
  '// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.\n';

function writeType(type: NamedType, model: Model): string {
  const comment = jsdoc([type.description]);
  switch (type.kind) {
    case 'object':
      return `${comment}export type ${type.name} = ${writeObject(type, model)};`;
    case 'union':
      return `${comment}export type ${type.name} = ${type.forms.map((form) => typeOf(form)).join(' | ')};`;
    case 'byType':
      return `export type ${type.name} = ${type.forms.map(([, name]) => name).join(' | ')};`;
    case 'enum':
      return `${comment}export type ${type.name} = ${enumOf(type)};`;
    case 'alias':
      return `${comment}export type ${type.name} = ${typeOf(type.type)};`;
  }
}

type ObjectType = Extract<NamedType, { kind: 'object' }>;

/**
 * An object with the type and destination of an endpoint is a union discriminated by `type`, because each type has its
 * own destination. It lists all types, even in answers: with an open list, `type` would not narrow the union.
 */
function writeObject({ fields, answered }: ObjectType, model: Model): string {
  const write = (some: readonly Field[]) => `{\n${some.map((field) => writeField(field, !answered)).join('\n')}\n}`;
  const type = fields.find(({ name }) => name === 'type');
  const holder = fields.find((field) => holdsDestination(field.type, model));
  if (type === undefined || holder === undefined) return write(fields);
  const isOwn = holder.name === 'destination';
  const { forms, others } = endpointTypes(model);
  const absent = answered ? '' : ' | undefined';
  /** One member of the union. Without a destination, optional fields stay optional. */
  const choice = (name: string, destination: string | undefined) => {
    const own = `destination${destination === undefined || isOwn ? '?' : ''}: ${destination ?? 'never'}`;
    const mark = (field: Field) => (destination === undefined && field.optional ? ['?', absent] : ['', '']);
    const [typeMark, orNoType] = mark(type);
    const [holderMark, orNone] = mark(holder);
    const config = `config${holderMark}: (Omit<${typeOf(holder.type)}, 'destination'> & { ${own} })${orNone}`;
    return `{ type${typeMark}: ${name}${orNoType}; ${isOwn ? `${own}${absent}` : config} }`;
  };
  const choices = [
    choice(others.map((name) => `'${name}'`).join(' | '), undefined),
    ...forms.map(([name, destination]) => choice(`'${name}'`, destination)),
  ];
  return `${write(fields.filter((field) => field !== type && field !== holder))} & (\n| ${choices.join('\n| ')})`;
}

/** Whether the type is the destination of an endpoint, or an object with one. */
function holdsDestination(type: Type, { types }: Model): boolean {
  const named = type.kind === 'ref' ? types.find(({ name }) => name === type.name) : undefined;
  if (named?.kind === 'byType') return true;
  return named?.kind === 'object' && named.fields.some(({ name }) => name === 'destination');
}

/** The types of endpoints that have a destination (`forms`), and the others. */
function endpointTypes({ types }: Model) {
  const forms = types.flatMap((type) => (type.kind === 'byType' ? type.forms : []));
  const all = types
    .flatMap((type) => (type.kind === 'object' ? type.fields : []))
    .flatMap(({ name, type }) => (name === 'type' && type.kind === 'enum' ? [type.values] : []))
    .find((values) => forms.every(([name]) => values.includes(name)));
  const names = forms.map(([name]) => name);
  return { forms, others: (all ?? []).filter((name) => !names.includes(name)) };
}

/** A field of an object. If the object is only sent, an optional field may be undefined: JSON leaves it out. */
function writeField(field: Field, isOnlySent: boolean): string {
  const type = nullable(typeOf(field.type), field.nullable);
  const absent = field.optional && isOnlySent ? ' | undefined' : '';
  return `${jsdoc([field.description])}${field.name}${field.optional ? '?' : ''}: ${type}${absent};`;
}

function typeOf(type: Type, prefix = ''): string {
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'null':
      return type.kind;
    case 'integer':
    case 'number':
      return 'number';
    case 'time':
      return type.sent ? 'string | Date' : 'string';
    case 'json':
      return 'unknown';
    case 'enum':
      return enumOf(type);
    case 'list':
      return `Array<${nullable(typeOf(type.item, prefix), type.itemNullable)}>`;
    case 'map':
      return `Record<string, ${nullable(typeOf(type.value, prefix), type.valueNullable)}>`;
    case 'ref':
      return prefix + type.name;
  }
}

/** The type of an enum. An open enum takes any string, and an editor still completes its known values. */
function enumOf({ values, open }: { values: string[]; open: boolean }): string {
  return [...values.map((value) => `'${value}'`), ...(open ? ['(string & {})'] : [])].join(' | ');
}

function nullable(type: string, isNullable: boolean): string {
  return isNullable && type !== 'unknown' ? `${type} | null` : type;
}

const IMPORTS = `import { type AnyPayloads, type EventToSend, Ingestion } from './ingestion.ts';
import type { List } from './list.ts';
import type * as models from './models.ts';
import { type ChangeOptions, type RequestOptions, Resource } from './resource.ts';
import { path, type Transport } from './transport.ts';`;

function writeResources(resources: readonly Resource[]): string {
  const classes = resources.map(writeResource);
  const fields = resources.map((resource) => {
    const { name, description } = resource;
    return `${jsdoc([description])}readonly ${name}: ${className(name)}${sendsEvents(resource) ? '<Payloads>' : ''};`;
  });
  const made = resources.map(({ name }) => `this.${name} = new ${className(name)}(transport);`);
  return [
    HEADER,
    IMPORTS,
    ...classes,
    `/** The resources of a client. */\nexport class Resources<Payloads extends AnyPayloads = AnyPayloads> {\n${fields.join('\n')}\n\nconstructor(transport: Transport) {\n${made.join('\n')}\n}\n}\n`,
  ].join('\n\n');
}

function className(resource: string): string {
  return `${pascalCase(resource)}Resource`;
}

function writeResource(resource: Resource): string {
  const generated = resource.methods.filter((method) => !method.byHand);
  const [parameter, base] = sendsEvents(resource)
    ? ['<Payloads extends AnyPayloads = AnyPayloads>', 'Ingestion<Payloads>']
    : ['', 'Resource'];
  return [
    ...generated.flatMap((method) => writeOptions(method)),
    `${jsdoc([resource.description])}export class ${className(resource.name)}${parameter} extends ${base} {\n${generated.map(writeMethod).join('\n\n')}\n}`,
  ].join('\n\n');
}

/** Whether the resource sends events. If so, its class is generic in the payloads of the event types. */
function sendsEvents({ methods }: Resource): boolean {
  return methods.some(({ byHand }) => byHand);
}

function optionsName(method: Method): string {
  if (method.query.length > 0) return `${pascalCase(method.operationId)}Options`;
  return method.idempotencyKey ? 'ChangeOptions' : 'RequestOptions';
}

function writeOptions(method: Method): string[] {
  if (method.query.length === 0) return [];
  const fields = method.query.map((field) => {
    const type =
      field.type.kind === 'list' ? typeOf(field.type, 'models.') : nullable(typeOf(field.type, 'models.'), false);
    return `${jsdoc([field.description])}${camelCase(field.name)}${field.optional ? '?' : ''}: ${type}${field.optional ? ' | undefined' : ''};`;
  });
  const base = method.idempotencyKey ? 'ChangeOptions' : 'RequestOptions';
  return [`export type ${optionsName(method)} = ${base} & {\n${fields.join('\n')}\n};`];
}

function writeMethod(method: Method): string {
  const { answer, body, query } = method;
  const needsOptions = query.some((field) => !field.optional);
  const parameters = [
    ...method.pathArguments.map((name) => `${name}: string`),
    ...(body === undefined ? [] : [`body: ${bodyType(body.type)}${body.required ? '' : ' = {}'}`]),
    `options: ${optionsName(method)}${needsOptions ? '' : ' = {}'}`,
  ];
  const call = [
    `method: '${method.http}'`,
    `path: path\`${method.path.replaceAll('{', '${')}\``,
    ...(method.inWorkspace ? [] : ['inWorkspace: false']),
    ...(query.length === 0
      ? []
      : [`query: { ${query.map(({ name }) => `${name}: options.${camelCase(name)}`).join(', ')} }`]),
    ...(body === undefined ? [] : ['body']),
    ...(method.idempotencyKey ? ['idempotencyKey: options.idempotencyKey'] : []),
    ...(method.http === 'POST' && !method.idempotencyKey ? ['idempotencyKey: null'] : []),
    ...(method.shownOnce === undefined ? [] : [`shownOnce: '${method.shownOnce}'`]),
    ...(method.retry === 'never' ? ['once: true'] : []),
  ];
  const comment = jsdoc([method.summary, method.description, refusals(method)]);
  const given = `{ ${call.join(', ')} }, options`;
  const above = overloads(method, parameters, comment);
  return `${above}${above === '' ? comment : ''}${method.name}(${parameters.join(', ')}): ${answerOf(answer)} {\n${bodyOf(answer, given)}\n}`;
}

function bodyType(name: string): string {
  return name === 'CreateEventBody' ? `EventToSend<Payloads, models.${name}>` : `models.${name}`;
}

function refusals({ errors }: Method): string {
  return errors.length === 0 ? '' : `Refused with ${errors.map((code) => `\`${code}\``).join(', ')}.`;
}

/** Overloads, because `dryRun: true` has another answer. An editor shows the comment of the overload that is called. */
function overloads({ name, answer, body }: Method, parameters: readonly string[], comment: string): string {
  if (answer.kind !== 'json' || answer.dryRun === undefined || body === undefined) return '';
  const at = parameters.findIndex((one) => one.startsWith('body: '));
  const signature = (bodyType: string, type: Type) =>
    `${comment}${name}(${parameters
      .map((one, n) => (n === at ? `body: ${bodyType}` : one.replace(/^(\w+): (.*) = \{\}$/, '$1?: $2')))
      .join(', ')}): Promise<${typeOf(type, 'models.')}>;\n`;
  const type = bodyType(body.type);
  return (
    signature(`${type} & { dryRun: true }`, answer.dryRun) +
    signature(`${type} & { dryRun?: false }`, answer.type) +
    `${comment}${name}(${parameters.map((one) => one.replace(/^(\w+): (.*) = \{\}$/, '$1?: $2')).join(', ')}): ${answerOf(answer)};\n`
  );
}

function answerOf(answer: Answer): string {
  switch (answer.kind) {
    case 'none':
      return 'Promise<void>';
    case 'json': {
      const types = [answer.type, ...(answer.dryRun === undefined ? [] : [answer.dryRun])];
      return `Promise<${types.map((type) => typeOf(type, 'models.')).join(' | ')}>`;
    }
    case 'pages':
      return `List<${typeOf(answer.item, 'models.')}>`;
    case 'stream':
      return `AsyncIterable<${answer.events
        .map(({ name, type }) => `{ event: '${name}'; data: ${typeOf(type, 'models.')} }`)
        .join(' | ')}>`;
  }
}

function bodyOf(answer: Answer, given: string): string {
  switch (answer.kind) {
    case 'none':
    case 'json':
      return `return this.transport.request(${given});`;
    case 'pages':
      return `return this.transport.list(${given}, { by: '${answer.by}'${answer.items === undefined ? '' : `, items: '${answer.items}'`} });`;
    case 'stream':
      return `return this.transport.stream(${given});`;
  }
}

function jsdoc(paragraphs: readonly string[]): string {
  const lines = commentLines(paragraphs, 110);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
