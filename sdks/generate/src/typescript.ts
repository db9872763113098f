import type { Answer, Field, Method, Model, NamedType, Resource, Type } from './model.ts';
import { camelCase, commentLines, pascalCase } from './names.ts';

/** The generated files of sdks/typescript, by their path there. They still need their formatter. */
export function writeTypescript(model: Model): Record<string, string> {
  return {
    'src/models.ts': `${HEADER}\n${model.types.map(writeType).join('\n\n')}\n`,
    'src/resources.ts': writeResources(model.resources),
  };
}

const HEADER =
  '// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.\n';

function writeType(type: NamedType): string {
  const comment = jsdoc([type.description]);
  switch (type.kind) {
    case 'object':
      return `${comment}export type ${type.name} = {\n${type.fields.map((field) => writeField(field, !type.answered)).join('\n')}\n};`;
    case 'enum':
      return `${comment}export type ${type.name} = ${enumOf(type)};`;
    case 'alias':
      return `${comment}export type ${type.name} = ${typeOf(type.type)};`;
  }
}

/** In what is only sent, an undefined field is as absent: JSON leaves it out. */
function writeField(field: Field, isOnlySent: boolean): string {
  const type = nullable(typeOf(field.type), field.nullable);
  const absent = field.optional && isOnlySent ? ' | undefined' : '';
  return `${jsdoc([field.description])}${field.name}${field.optional ? '?' : ''}: ${type}${absent};`;
}

function typeOf(type: Type, prefix = ''): string {
  switch (type.kind) {
    case 'string':
    case 'boolean':
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

/** An open enumeration completes its known values in an editor, and takes any other. */
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

/** Its class is generic in the payloads of the event types. */
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

/** With `dryRun: true` the answer is another type. An editor shows the comment of the one that is called. */
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
