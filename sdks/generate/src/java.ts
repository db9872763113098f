import { decoderOf, isScalar, readOf, type Types, typeOf, type Use } from './java-types.ts';
import type { Field, Method, Model, NamedType, Resource, Type } from './model.ts';
import { camelCase, commentLines, pascalCase, snakeCase } from './names.ts';

/**
 * The generated files of sdks/java, by their path there: one for each class, as Java requires. The classes are views of
 * JSON, because Java 11, which the library supports, has no records, and because fields that this version does not know
 * stay readable.
 */
export function writeJava(model: Model): Record<string, string> {
  const types = new Map(model.types.map((type) => [type.name, type]));
  const methods = model.resources.flatMap((resource) => resource.methods);
  const dryRuns = new Set(methods.filter(hasDryRun).map(({ body }) => body?.type));
  const forms = new Set(model.types.flatMap(formsIn));
  const files = [
    ...model.types.flatMap((type) => {
      // A dry run is a method of its own, because its answer has another type.
      const fields = (type.kind === 'object' ? type.fields : []).filter(
        ({ name }) => !(dryRuns.has(type.name) && name === 'dryRun'),
      );
      const text = writeType(type.kind === 'object' ? { ...type, fields } : type, forms.has(type.name), types);
      return text === undefined ? [] : [file('models', type.name, text)];
    }),
    ...methods
      .filter(({ query, byHand }) => query.length > 0 && !byHand)
      .map((method) => file('', optionsName(method), writeOptions(method, types))),
    ...methods.flatMap((method) => writeChange(method, types)),
    ...model.resources.map((resource) => file('', className(resource.name), writeResource(resource, types))),
    file('', 'Resources', writeResources(model.resources)),
  ];
  return Object.fromEntries(files);
}

/** The first line of each generated file. It tells them from the hand-written files in the same folder. */
export const WRITTEN =
  '// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.';
const WIDTH = 110;
const IMPORTS = [
  ...['com.fasterxml.jackson.annotation.JsonCreator', 'com.fasterxml.jackson.databind.JsonNode'],
  ...['com.fasterxml.jackson.databind.node.ObjectNode', 'io.posthorn.internal.Json', 'io.posthorn.models.*'],
  ...['java.time.Instant', 'java.util.Arrays', 'java.util.List', 'java.util.Map', 'org.jspecify.annotations.Nullable'],
];

function file(folder: '' | 'models', name: string, text: string): [string, string] {
  const imports = IMPORTS.filter((one) => {
    if (one.endsWith('.*')) return folder === '';
    return new RegExp(`\\b${one.slice(one.lastIndexOf('.') + 1)}\\b`).test(text.replaceAll(/^ *(\/\*\*|\*).*$/gm, ''));
  });
  const head = [
    WRITTEN,
    `package io.posthorn${folder === '' ? '' : `.${folder}`};\n`,
    ...imports.map((one) => `import ${one};`),
    ...(imports.length > 0 ? [''] : []),
  ];
  return [
    `src/main/java/io/posthorn/${folder === '' ? '' : `${folder}/`}${name}.java`,
    `${[...head, text].join('\n')}\n`,
  ];
}

// Models

function formsIn(type: NamedType): string[] {
  if (type.kind === 'byType') return type.forms.map(([, name]) => name);
  return type.kind === 'union' ? type.forms.flatMap((form) => (form.kind === 'ref' ? [form.name] : [])) : [];
}

function writeType(type: NamedType, isForm: boolean, types: Types): string | undefined {
  switch (type.kind) {
    case 'object':
      return writeObject(type, isForm, types);
    case 'enum':
      return writeEnum(type);
    case 'alias':
      return undefined;
    case 'union':
      return isScalar(type) ? undefined : writeUnion(type.name, type.forms, types);
    case 'byType':
      return writeUnion(
        type.name,
        type.forms.map(([, name]) => ({ kind: 'ref', name })),
        types,
      );
  }
}

type ObjectType = Extract<NamedType, { kind: 'object' }>;

function writeObject(type: ObjectType, isForm: boolean, types: Types): string {
  const { name, sent } = type;
  const use = sent ? 'sent' : 'answered';
  const fields = withoutTwins(type.fields);
  const required = sent ? fields.filter(({ optional }) => !optional) : [];
  const given = required.map((field) => `${fieldType(field, 'sent', types)} ${camelCase(field.name)}`).join(', ');
  const made = sent
    ? [
        ...javadoc([required.length === 0 ? '' : 'Takes the required fields.']),
        `public ${name}(${given}) {`,
        ...required.map((field) => `  ${putOf(field)}`),
        '}\n',
      ]
    : [];
  const members = [
    ...made,
    `private ${name}(ObjectNode json) {`,
    '  super(json);',
    '}\n',
    ...javadoc(['Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object.']),
    '@JsonCreator',
    `public static ${name} fromJson(JsonNode json) {`,
    `  return new ${name}(Json.object(json));`,
    '}',
    ...fields.flatMap((field) => [
      ...(type.answered || isForm ? ['', ...writeGetter(field, use, types)] : []),
      ...(sent ? ['', ...writeSetter(name, field, types)] : []),
    ]),
  ];
  return [
    ...javadoc([type.description || `\`${name}\` of the API.`]),
    `public final class ${name} extends Model {`,
    ...indent(members),
    '}',
  ].join('\n');
}

function writeGetter(field: Field, use: Use, types: Types): string[] {
  const isNullable = field.optional || field.nullable;
  const isAny = field.type.kind === 'map' && field.type.value.kind === 'json';
  const type = typeOf(field.type, isAny || field.type.kind === 'json' ? 'answered' : use, types, isNullable);
  return [
    ...javadoc([field.description, values(field.type)]),
    `public ${isNullable && type !== 'JsonNode' ? '@Nullable ' : ''}${type} ${camelCase(field.name)}() {`,
    `  return ${readOf(field.type, `json.path("${field.name}")`, use, types, isNullable)};`,
    '}',
  ];
}

function writeSetter(owner: string, field: Field, types: Types): string[] {
  const name = camelCase(field.name);
  const comment = javadoc([field.description, values(field.type)]);
  const set = (type: string, value: string) => [
    ...comment,
    `public ${owner} ${name}(${type} ${name}) {`,
    `  ${value}`,
    '  return this;',
    '}',
  ];
  const { type } = field;
  const item = type.kind === 'list' && type.item.kind === 'ref' ? types.get(type.item.name) : undefined;
  const takesNames = item?.kind === 'union' && item.forms.some(({ kind }) => kind === 'string') && !field.nullable;
  return [
    ...set(fieldType(field, 'sent', types), putOf(field)),
    // Most lists only have names, so a second setter takes them as strings.
    ...(takesNames ? ['', ...set('String...', `put("${field.name}", Arrays.asList(${name}));`)] : []),
  ];
}

function putOf({ name, type, nullable }: Field): string {
  if (type.kind === 'json') return `putJson("${name}", ${camelCase(name)});`;
  return `${nullable ? 'put' : 'putRequired'}("${name}", ${camelCase(name)});`;
}

/** The type that a setter takes. A primitive cannot be null. */
function fieldType({ type, nullable }: Field, use: Use, types: Types): string {
  return `${nullable || type.kind === 'json' ? '@Nullable ' : ''}${typeOf(type, use, types, nullable)}`;
}

function writeEnum({ name, description, values, open }: Extract<NamedType, { kind: 'enum' }>): string {
  const constants = values.map(
    (value) => `public static final ${name} ${constant(value)} = new ${name}(${JSON.stringify(value)});`,
  );
  return [
    ...javadoc([description, open ? 'A newer service may send values that this version does not know.' : '']),
    `public final class ${name} extends OpenEnum {`,
    ...indent([
      ...constants,
      '',
      `private ${name}(String value) {`,
      '  super(value);',
      '}\n',
      ...javadoc(['Returns any value, even one that this version does not know.']),
      '@JsonCreator',
      `public static ${name} of(String value) {`,
      `  return new ${name}(value);`,
      '}',
    ]),
    '}',
  ].join('\n');
}

/** The name of a constant: `endpoints:read` becomes ENDPOINTS_READ. */
function constant(value: string): string {
  return snakeCase(value.replaceAll(/[:.]/g, '_')).toUpperCase();
}

/** A class for a value with one of several forms. Required fields tell an object from another. */
function writeUnion(name: string, forms: readonly Type[], types: Types): string {
  const members = forms.flatMap((form) => {
    const type = typeOf(form, 'sent', types, true);
    const object = form.kind === 'ref' ? types.get(form.name) : undefined;
    const keys = object?.kind === 'object' ? object.fields.filter(({ optional }) => !optional) : [];
    const [reader, read] =
      form.kind === 'ref'
        ? [
            form.name,
            `Json.form(json, ${[`${form.name}::fromJson`, ...keys.map((key) => `"${key.name}"`)].join(', ')})`,
          ]
        : form.kind === 'list'
          ? ['List', readOf(form, 'json', 'sent', types, true)]
          : ['Text', 'Json.onlyText(json)'];
    return [
      '',
      ...javadoc(['', values(form)]),
      `public static ${name} of(${type} value) {`,
      `  return new ${name}(Json.toNode(value));`,
      '}\n',
      ...javadoc(['Returns the value in this form, or null if it has another form.']),
      `public @Nullable ${type} as${reader}() {`,
      `  return ${read};`,
      '}',
    ];
  });
  return [
    ...javadoc([`\`${name}\` has one of several forms.`]),
    `public final class ${name} extends Union {`,
    ...indent([
      `private ${name}(JsonNode json) {`,
      '  super(json);',
      '}\n',
      ...javadoc(['Reads the JSON of the API, even in a form that this version does not know.']),
      '@JsonCreator',
      `public static ${name} fromJson(JsonNode json) {`,
      `  return new ${name}(json);`,
      '}',
      ...members,
    ]),
    '}',
  ].join('\n');
}

/** Drops a field in snake_case if Java would give it the name of another field: `endpoint_id` next to `endpointId`. */
function withoutTwins(fields: readonly Field[]): Field[] {
  const names = fields.filter(({ name }) => !name.includes('_')).map(({ name }) => name);
  return fields.filter(({ name }) => !(name.includes('_') && names.includes(camelCase(name))));
}

/** A sentence with the values of an enum without a name, which is a String in Java. */
function values(type: Type): string {
  const one = type.kind === 'list' ? type.item : type;
  return one.kind === 'enum' ? `One of ${one.values.map((value) => `\`${value}\``).join(', ')}.` : '';
}

// Resources

function className(resource: string): string {
  return `${pascalCase(resource)}Resource`;
}

function optionsName(method: Method): string {
  if (method.query.length > 0) return `${pascalCase(method.operationId)}Options`;
  return method.idempotencyKey ? 'ChangeOptions' : 'RequestOptions';
}

function hasDryRun({ answer }: Method): boolean {
  return answer.kind === 'json' && answer.dryRun !== undefined;
}

function writeOptions(method: Method, types: Types): string {
  const name = optionsName(method);
  const setters = method.query.flatMap((field) => {
    const argument = camelCase(field.name);
    return [
      '',
      ...javadoc([field.description, values(field.type)]),
      `public ${name} ${argument}(${typeOf(field.type, 'sent', types, false)} ${argument}) {`,
      `  query("${field.name}", ${argument});`,
      '  return this;',
      '}',
    ];
  });
  return [
    ...javadoc([`The options of \`${method.operationId}\`. An option that you do not set is not sent.`]),
    `public final class ${name} extends ${method.idempotencyKey ? 'KeyedOptions' : 'Options'}<${name}> {`,
    ...indent(setters.slice(1)),
    '}',
  ].join('\n');
}

/** A class for the events of a stream, with a reader for each event name. */
function writeChange({ answer, name, operationId }: Method, types: Types): [string, string][] {
  if (answer.kind !== 'stream') return [];
  const own = `${pascalCase(operationId)}Event`;
  const readers = answer.events.flatMap(({ name, type }) => [
    '',
    ...javadoc([`Returns the data of a \`${name}\`, or null if the change has another name.`]),
    `public @Nullable ${typeOf(type, 'answered', types, true)} ${camelCase(name)}() {`,
    `  return name().equals("${name}") ? ${readOf(type, 'data()', 'answered', types, true)} : null;`,
    '}',
  ]);
  const text = [
    ...javadoc([`An event of \`${name}\`.`]),
    `public final class ${own} extends Change {`,
    ...indent([`${own}(String name, JsonNode data) {`, '  super(name, data);', '}', ...readers]),
    '}',
  ].join('\n');
  return [file('', own, text)];
}

function writeResource(resource: Resource, types: Types): string {
  const generated = resource.methods.filter(({ byHand }) => !byHand);
  const base = generated.length < resource.methods.length ? 'Ingestion' : 'Resource';
  return [
    ...javadoc([resource.description || `The operations of ${resource.name}.`]),
    `public final class ${className(resource.name)} extends ${base} {`,
    ...indent([
      `${className(resource.name)}(Transport transport) {`,
      '  super(transport);',
      '}',
      ...generated.flatMap((method) => [
        ...writeMethod(method, types, false),
        ...(hasDryRun(method) ? writeMethod(method, types, true) : []),
      ]),
    ]),
    '}',
  ].join('\n');
}

/** The method with all arguments, after its overloads: without options, and without a body that is optional. */
function writeMethod(method: Method, types: Types, isDry: boolean): string[] {
  const name = camelCase(method.name) + (isDry ? 'DryRun' : '');
  const options = optionsName(method);
  const path = method.pathArguments.map((argument) => ({ type: 'String', name: camelCase(argument), empty: '' }));
  const body =
    method.body === undefined
      ? []
      : [{ type: method.body.type, name: 'body', empty: method.body.required ? '' : `new ${method.body.type}()` }];
  const all = [...path, ...body, { type: options, name: 'options', empty: `new ${options}()` }];
  const [type, run] = answerOf(method, types, isDry);
  const comment = javadoc(
    isDry
      ? [`Returns what \`${camelCase(method.name)}\` would select, and changes nothing.`]
      : [`${method.summary}.`, method.description, refusals(method)],
  );
  const isRequired = (one: { empty: string }) => one.empty === '';
  const shorter = all.flatMap((_, length) => {
    const [given, left] = [all.slice(0, length), all.slice(length)];
    return left.some(isRequired) || (method.query.some(({ optional }) => !optional) && left.length > 0) ? [] : [given];
  });
  const signature = (given: readonly { type: string; name: string }[]) =>
    `public ${type} ${name}(${given.map((one) => `${one.type} ${one.name}`).join(', ')}) {`;
  return [
    ...shorter.flatMap((given) => {
      const passed = all.map((one) => (given.includes(one) ? one.name : one.empty)).join(', ');
      return ['', ...comment, signature(given), `  ${type === 'void' ? '' : 'return '}${name}(${passed});`, '}'];
    }),
    '',
    ...comment,
    signature(all),
    ...indent(run),
    '}',
  ];
}

function answerOf(method: Method, types: Types, isDry: boolean): [string, string[]] {
  const { answer } = method;
  const path = [`"${method.http}"`, `"${method.path}"`, ...method.pathArguments.map(camelCase)].join(', ');
  const call = [
    `Call call = new Call(${path})`,
    ...(method.inWorkspace ? ['.inWorkspace()'] : []),
    ...(method.body === undefined ? [] : [isDry ? '.dryRun(body)' : '.body(body)']),
    ...(method.idempotencyKey ? ['.keyed()'] : []),
    ...(method.shownOnce === undefined ? [] : [`.shownOnce("${method.shownOnce}")`]),
    ...(method.retry === 'never' ? ['.once()'] : []),
  ].join('');
  const decode = (type: Type) => decoderOf(type, 'answered', types, false);
  switch (answer.kind) {
    case 'none':
      return ['void', [`${call};`, 'transport.send(call, options);']];
    case 'json': {
      const type = isDry && answer.dryRun !== undefined ? answer.dryRun : answer.type;
      const written = typeOf(type, 'answered', types, false);
      return [written, [`${call};`, `return transport.request(call, options, ${decode(type)});`]];
    }
    case 'pages': {
      const items = answer.items === undefined ? 'null' : `"${answer.items}"`;
      const paging = `Paging.${answer.by.toUpperCase()}, ${items}`;
      return [
        `Listing<${typeOf(answer.item, 'answered', types, true)}>`,
        [`${call};`, `return transport.list(call, options, ${paging}, ${decode(answer.item)});`],
      ];
    }
    case 'stream': {
      const event = `${pascalCase(method.operationId)}Event`;
      return [`EventStream<${event}>`, [`${call};`, `return transport.stream(call, options, ${event}::new);`]];
    }
  }
}

function refusals({ errors }: Method): string {
  return errors.length === 0 ? '' : `Refused with ${errors.map((code) => `\`${code}\``).join(', ')}.`;
}

function writeResources(resources: readonly Resource[]): string {
  const names = resources.map(({ name }) => camelCase(name));
  const readers = resources.flatMap(({ name, description }) => [
    '',
    ...javadoc([description]),
    `public ${className(name)} ${camelCase(name)}() {`,
    `  return ${camelCase(name)};`,
    '}',
  ]);
  return [
    ...javadoc(['The resources of a client.']),
    'public abstract class Resources {',
    ...indent([
      ...names.map((name) => `private final ${className(name)} ${name};`),
      '',
      'Resources(Transport transport) {',
      ...names.map((name) => `  this.${name} = new ${className(name)}(transport);`),
      '}',
      ...readers,
    ]),
    '}',
  ].join('\n');
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : line.replaceAll(/^(?=.)/gm, '  ')));
}

/** A Javadoc comment, which is HTML. */
function javadoc(paragraphs: readonly string[]): string[] {
  const lines = commentLines(paragraphs, WIDTH);
  const html = lines
    .join('\n')
    .replaceAll(/[&<>@]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/^$/gm, '<p>')
    .split('\n');
  if (lines.length === 0) return [];
  if (html.length === 1) return [`/** ${html[0]} */`];
  return ['/**', ...html.map((line) => ` * ${line}`), ' */'];
}
