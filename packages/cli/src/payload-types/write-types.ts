import type { EventShape, Field, Type } from './model.ts';
import { typeOf } from './model.ts';

export const LANGUAGES = ['ts', 'python', 'go'] as const;
type Language = (typeof LANGUAGES)[number];

/** Before the schemas in a file, for the comparison with later ones. */
const MARK = 'posthorn-types: ';
const HEAD = 'Written by `posthorn types`. Run it again instead of changing this file.';

/** The source of a file with a type for each event, in the order of their names. */
export function writeTypes(language: Language, shapes: readonly EventShape[]): string {
  const sorted = shapes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const names = namesOf(sorted.map(({ name }) => name));
  const kept = `${MARK}${oneLineJson(sorted.map(({ name, schema }) => [name, schema]))}`;
  const events = sorted.map(({ name, schema }, index) => ({
    name,
    typeName: names[index] ?? '',
    type: typeOf(schema),
  }));
  return WRITERS[language](events, kept);
}

/** The events and schemas from which a file was written; undefined for a file that was not. */
export function readShapes(source: string): EventShape[] | undefined {
  const line = source.split('\n').find((one) => one.includes(MARK));
  if (line === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(line.slice(line.indexOf(MARK) + MARK.length));
    return Array.isArray(read) ? read.map(([name, schema]) => ({ name: String(name), schema })) : undefined;
  } catch {
    return undefined;
  }
}

/** Without the letters that end a line in JavaScript. JSON itself escapes the others. */
function oneLineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

type Event = { name: string; typeName: string; type: Type };

const WRITERS: Record<Language, (events: readonly Event[], kept: string) => string> = {
  ts: writeTypeScript,
  python: writePython,
  go: writeGo,
};

function writeTypeScript(events: readonly Event[], kept: string): string {
  const types = events.map(
    ({ name, typeName, type }) => `/** \`${docOf(name)}\` */\nexport type ${typeName} = ${tsType(type, '')};\n`,
  );
  const map = events.map(({ name, typeName }) => `  ${JSON.stringify(name)}: ${typeName};`);
  return [
    `// ${HEAD}`,
    `// ${kept}`,
    '',
    ...types,
    '/** The payload of each event type. */',
    'export type Payloads = {',
    ...map,
    '};',
    '',
  ].join('\n');
}

function tsType(type: Type, indent: string): string {
  switch (type.kind) {
    case 'integer':
      return 'number';
    case 'literals':
      return type.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'list':
      return `Array<${tsType(type.item, indent)}>`;
    case 'map':
      return `Record<string, ${tsType(type.value, indent)}>`;
    case 'union':
      return type.types.map((one) => tsType(one, indent)).join(' | ');
    case 'object': {
      const inner = `${indent}  `;
      const fields = type.fields.map(({ name, type: of, isRequired, description }) => {
        const doc = description === undefined ? '' : `${inner}/** ${docOf(description)} */\n`;
        return `${doc}${inner}${JSON.stringify(name)}${isRequired ? '' : '?'}: ${tsType(of, inner)};\n`;
      });
      return `{\n${fields.join('')}${indent}}`;
    }
    default:
      return type.kind;
  }
}

function docOf(text: string): string {
  return comment(text).replaceAll('*/', '* /');
}

/** Classes come before the types that use them, and dictionaries are made by calls, because a key may be any text. */
function writePython(events: readonly Event[], kept: string): string {
  const lines: string[] = [];
  const take = createNames(TAKEN);
  const pyType = (type: Type, name: string): string => {
    switch (type.kind) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'literals':
        return pyLiterals(type.values);
      case 'list':
        return `List[${pyType(type.item, `${name}Item`)}]`;
      case 'map':
        return `Dict[str, ${pyType(type.value, `${name}Value`)}]`;
      case 'union':
        return `Union[${type.types.map((one, index) => pyType(one, `${name}${index + 1}`)).join(', ')}]`;
      case 'object':
        return pyClass(type.fields, take(name));
      default:
        return 'Any';
    }
  };
  const pyClass = (fields: readonly Field[], name: string): string => {
    const entries = fields.map(({ name: key, type, isRequired, description }) => {
      const of = pyType(type, name + pascal(key));
      const doc = description === undefined ? '' : `    # ${comment(description)}\n`;
      return `${doc}    ${pyLiteral(key)}: ${isRequired ? of : `NotRequired[${of}]`},\n`;
    });
    lines.push(`${name} = TypedDict(${pyLiteral(name)}, {\n${entries.join('')}})\n`);
    return name;
  };
  for (const { typeName } of events) take(typeName);
  for (const { name, typeName, type } of events) {
    if (type.kind === 'object') pyClass(type.fields, typeName);
    else lines.push(`${typeName} = ${pyType(type, `${typeName}Payload`)}\n`);
    lines.push(`# ${comment(name)}: ${typeName}\n`);
  }
  const imports = 'from typing import Any, Dict, List, Literal, NotRequired, TypedDict, Union';
  return [`# ${HEAD}`, `# ${kept}`, imports, '', ...lines].join('\n');
}

/** A `Literal` of Python takes no fractions. */
function pyLiterals(values: readonly (string | number | boolean)[]): string {
  const taken = values.filter((value) => typeof value !== 'number' || Number.isSafeInteger(value));
  if (taken.length === 0) return 'float';
  const literal = `Literal[${taken.map(pyLiteral).join(', ')}]`;
  return taken.length === values.length ? literal : `Union[${literal}, float]`;
}

function pyLiteral(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** Go has neither unions nor literals: a union is the raw JSON, or a pointer where its other part is null. */
function writeGo(events: readonly Event[], kept: string): string {
  const lines: string[] = [];
  const take = createNames();
  const goType = (type: Type, name: string): string => {
    switch (type.kind) {
      case 'string':
        return 'string';
      case 'integer':
        return 'int64';
      case 'number':
        return 'float64';
      case 'boolean':
        return 'bool';
      case 'literals':
        return type.values.every((value) => typeof value === 'string') ? 'string' : 'json.RawMessage';
      case 'list':
        return `[]${goType(type.item, `${name}Item`)}`;
      case 'map':
        return `map[string]${goType(type.value, `${name}Value`)}`;
      case 'union': {
        const [only, ...more] = type.types.filter(({ kind }) => kind !== 'null');
        return only !== undefined && more.length === 0 && type.types.length === 2
          ? `*${goType(only, name)}`
          : 'json.RawMessage';
      }
      case 'object':
        return goStruct(type.fields, take(name));
      default:
        return 'json.RawMessage';
    }
  };
  const goStruct = (fields: readonly Field[], name: string): string => {
    const takeField = createNames();
    const entries = fields
      .filter(({ name: key }) => isTagName(key))
      .map(({ name: key, type, isRequired, description }) => {
        const of = goType(type, name + pascal(key));
        const isPointer =
          isRequired || of.startsWith('*') || of.startsWith('[') || of.startsWith('map[') || of === 'json.RawMessage';
        const doc = description === undefined ? '' : `\t// ${comment(description)}\n`;
        const tag = `\`json:"${key}${isRequired ? '' : ',omitempty'}"\``;
        return `${doc}\t${takeField(pascal(key))} ${isPointer ? of : `*${of}`} ${tag}\n`;
      });
    lines.push(`type ${name} struct {\n${entries.join('')}}\n`);
    return name;
  };
  for (const { typeName } of events) take(typeName);
  for (const { name, typeName, type } of events) {
    if (type.kind === 'object') goStruct(type.fields, typeName);
    else lines.push(`type ${typeName} ${goType(type, `${typeName}Payload`)}\n`);
    const constant = take(`${typeName}Event`);
    lines.push(
      `// ${constant} names the event with the payload ${typeName}.\nconst ${constant} = ${JSON.stringify(name)}\n`,
    );
  }
  const body = lines.join('\n');
  const imports = body.includes('json.RawMessage') ? 'import "encoding/json"\n' : '';
  return [`// ${HEAD}`, `// ${kept}`, '', 'package events', '', imports, body].join('\n');
}

/** Whether a struct tag of Go can hold the key (encoding/json). Other keys are left out. */
function isTagName(key: string): boolean {
  return (
    key !== '' &&
    key !== '-' &&
    [...key].every((letter) => isWordLetter(letter) || '!#$%&()*+-./:;<=>?@[]^_{|}~ '.includes(letter))
  );
}

/** Names that a file has already: it would not compile with an event of the same name. */
const TAKEN = [
  'Payloads',
  'Array',
  'Record',
  'Any',
  'Dict',
  'List',
  'Literal',
  'NotRequired',
  'TypedDict',
  'Union',
  // Words of Python.
  'None',
  'True',
  'False',
];

/** A name that was not given before. */
function createNames(given: readonly string[] = []): (name: string) => string {
  const taken = new Set(given);
  return (name) => {
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
    taken.add(free);
    return free;
  };
}

function namesOf(events: readonly string[]): string[] {
  const take = createNames(TAKEN);
  return events.map((name) => take(pascal(name)));
}

/** `order.line_item` is `OrderLineItem`. */
function pascal(name: string): string {
  let result = '';
  let isStart = true;
  for (const letter of name) {
    if (!isWordLetter(letter)) {
      isStart = true;
      continue;
    }
    result += isStart ? letter.toUpperCase() : letter;
    isStart = false;
  }
  if (result === '') return 'Empty';
  return result[0] !== undefined && result[0] >= '0' && result[0] <= '9' ? `N${result}` : result;
}

function isWordLetter(letter: string): boolean {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

/** One line: a text of the workspace never leaves the comment. */
function comment(text: string): string {
  return [...text]
    .map((letter) => (letter < ' ' || letter === '\u2028' || letter === '\u2029' || letter === '\u0085' ? ' ' : letter))
    .join('');
}
