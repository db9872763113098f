// The Java types of the API's types, and the Java expressions that read them from JSON.

import type { NamedType, Type } from './model.ts';

export type Types = ReadonlyMap<string, NamedType>;
/** `answered`: only read. `sent`: also sent, with integers of 32 bits, because the literal `5` is an `int` in Java. */
export type Use = 'sent' | 'answered';

/** Each primitive type with its class, whose values can be null. */
const NUMBERS = { boolean: ['boolean', 'Boolean'], number: ['double', 'Double'] } as const;
const PRIMITIVES = {
  sent: { ...NUMBERS, integer: ['int', 'Integer'] },
  answered: { ...NUMBERS, integer: ['long', 'Long'] },
} as const;

/** Whether all forms are texts, numbers or booleans. Java needs no class of its own for such a value. */
export function isScalar({ forms }: { forms: Type[] }): boolean {
  return forms.every(({ kind }) => ['string', 'number', 'boolean', 'null'].includes(kind));
}

/** The Java type of a type. `boxed` asks for a class instead of a primitive, for null or as a type argument. */
export function typeOf(type: Type, use: Use, types: Types, boxed: boolean): string {
  switch (type.kind) {
    case 'string':
    case 'enum':
      return 'String';
    case 'boolean':
    case 'integer':
    case 'number':
      return PRIMITIVES[use][type.kind][boxed ? 1 : 0];
    case 'time':
      return 'Instant';
    case 'json':
    case 'null':
      return use === 'sent' ? 'Object' : 'JsonNode';
    case 'list':
      return `List<${typeOf(type.item, use, types, true)}>`;
    case 'map':
      if (type.value.kind === 'json') return use === 'sent' ? 'Map<String, ?>' : 'JsonNode';
      return `Map<String, ${typeOf(type.value, use, types, true)}>`;
    case 'ref':
      return typeOfNamed(type.name, use, types, boxed);
  }
}

function typeOfNamed(name: string, use: Use, types: Types, boxed: boolean): string {
  const named = types.get(name);
  if (named?.kind === 'alias') return typeOf(named.type, use, types, boxed);
  return named?.kind === 'union' && isScalar(named) ? 'Object' : name;
}

/** The Java expression that reads a value from a node, which may be missing. */
export function readOf(type: Type, node: string, use: Use, types: Types, isNullable: boolean): string {
  const item = (one: Type) => decoderOf(one, use, types, true);
  switch (type.kind) {
    case 'string':
    case 'enum':
      return `Json.text(${node})`;
    case 'boolean':
      return isNullable ? `Json.orNull(${node}, JsonNode::asBoolean)` : `${node}.asBoolean()`;
    case 'integer': {
      const read = use === 'sent' ? 'asInt' : 'asLong';
      return isNullable ? `Json.orNull(${node}, JsonNode::${read})` : `${node}.${read}()`;
    }
    case 'number':
      return isNullable ? `Json.orNull(${node}, JsonNode::asDouble)` : `${node}.asDouble()`;
    case 'time':
      return `Json.time(${node})`;
    case 'json':
    case 'null':
      return node;
    case 'list':
      return `Json.list${isNullable ? 'OrNull' : ''}(${node}, ${item(type.item)})`;
    case 'map':
      if (type.value.kind === 'json') return node;
      return `Json.map${isNullable ? 'OrNull' : ''}(${node}, ${item(type.value)})`;
    case 'ref':
      return readNamed(type.name, node, use, types, isNullable);
  }
}

/** The Java function that reads a value from a node. */
export function decoderOf(type: Type, use: Use, types: Types, isNullable: boolean): string {
  const read = readOf(type, 'item', use, types, isNullable);
  return /^Json\.orNull\(item, (\w+::\w+)\)$/.exec(read)?.[1] ?? `item -> ${read}`;
}

function readNamed(name: string, node: string, use: Use, types: Types, isNullable: boolean): string {
  const named = types.get(name);
  if (named?.kind === 'alias') return readOf(named.type, node, use, types, isNullable);
  if (named?.kind === 'enum') return `Json.textOf(${node}, ${name}::of)`;
  if (named?.kind === 'union' && isScalar(named)) return `Json.scalar(${node})`;
  return `Json.orNull(${node}, ${name}::fromJson)`;
}
