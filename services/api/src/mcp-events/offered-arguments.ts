import { LIMITS } from '@posthorn/contract/limits';
import { type FilterDocument, keysOf, parseFilter } from '@posthorn/filter/parse-filter';
import { invalidField } from './events-error.ts';

// The arguments of a subscription are a filter: the name of a property is a path in the payload, and its value is what
// a filter takes there. The possible arguments are generated from the schema of the event type, at the paths that its
// owner has chosen, if any.

/** The part of an event type that determines the arguments. `agentFilters` is null, or a list of paths. */
export type OfferingType = { schema: unknown; agentFilters: unknown };

type Kind = 'string' | 'number' | 'boolean';
type Scalar = string | number | boolean | null;

/** A path on which an agent may filter. */
type Argument = {
  path: string;
  description: string | undefined;
  kinds: ReadonlySet<Kind>;
  values: Scalar[] | undefined;
};

const MAX_LEVELS = 3;
const MAX_LISTED = 20;

/** The JSON Schema of the arguments of an event type. */
export function inputSchemaOf(type: OfferingType): Record<string, unknown> {
  const properties = Object.fromEntries(
    argumentsOf(type).map((argument) => {
      const { path, description } = argument;
      return [path, { ...(description === undefined ? {} : { description }), anyOf: formsOf(argument) }];
    }),
  );
  return { type: 'object', additionalProperties: false, properties };
}

/**
 * The filter that the arguments describe; null for every event of the type. Throws an `EventsError` that names the
 * argument and the rule.
 */
export function filterOf(given: Readonly<Record<string, unknown>>, type: OfferingType): FilterDocument | null {
  const names = Object.keys(given);
  if (names.length === 0) return null;
  const offered = new Map(argumentsOf(type).map((argument) => [argument.path, argument]));
  for (const name of names) {
    const argument = offered.get(name);
    const shown = name.slice(0, 100);
    if (argument === undefined) throw invalidField(`arguments.${shown}`, 'is not an argument of this event type');
    if (!fits(argument, given[name])) throw invalidField(`arguments.${shown}`, 'does not fit inputSchema');
  }
  const parsed = parseFilter(given);
  if (parsed.kind === 'filter') return given;
  const field = ['arguments', parsed.path].filter((part) => part !== '').join('.');
  throw invalidField(field.slice(0, 200), parsed.rule);
}

/** The index of the first chosen path that leads to no scalar in the schema, so that it offers nothing. */
export function unofferedPath({ schema, agentFilters }: OfferingType): number | undefined {
  const at = chosenPaths(agentFilters)?.findIndex((path) => argumentOfPath(schema, path) === undefined) ?? -1;
  return at === -1 ? undefined : at;
}

function argumentsOf({ schema, agentFilters }: OfferingType): Argument[] {
  const chosen = chosenPaths(agentFilters);
  return chosen?.flatMap((path) => argumentOfPath(schema, path) ?? []) ?? firstArguments(schema);
}

/** The contract checked the paths before they were stored. */
function chosenPaths(agentFilters: unknown): string[] | undefined {
  return Array.isArray(agentFilters) ? agentFilters : undefined;
}

function argumentOfPath(schema: unknown, path: string): Argument | undefined {
  const keys = keysOf(path);
  return argumentAt(
    keys,
    keys.reduce((node, key) => field(field(node, 'properties'), key), schema),
  );
}

/** The first paths that end in a scalar, at most three keys deep. */
function firstArguments(schema: unknown): Argument[] {
  const found: Argument[] = [];
  const walk = (node: unknown, keys: readonly string[]) => {
    const properties = field(node, 'properties');
    if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return;
    for (const [key, property] of Object.entries(properties)) {
      if (found.length === LIMITS.agentFiltersPerEventType) return;
      const path = [...keys, key];
      const argument = argumentAt(path, property);
      if (argument !== undefined) found.push(argument);
      else if (path.length < MAX_LEVELS) walk(property, path);
    }
  };
  walk(schema, []);
  return found;
}

/** These words of filters are left out as paths: they would mean something else. */
const WORDS = new Set(['and', 'or', 'not']);

function argumentAt(keys: readonly string[], property: unknown): Argument | undefined {
  const path = keys.map((key) => key.replaceAll(/[\\.]/g, '\\$&')).join('.');
  if (WORDS.has(path)) return undefined;
  const given = field(property, 'description');
  const description = typeof given === 'string' ? given : undefined;
  const listed: unknown = field(property, 'enum');
  if (Array.isArray(listed)) {
    if (listed.length === 0 || !listed.every(isScalar)) return undefined;
    return { path, description, kinds: new Set(), values: listed };
  }
  const type: unknown = field(property, 'type');
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null');
  const kinds = types.map((one) => KIND_OF_TYPE.get(one));
  if (kinds.length === 0 || kinds.includes(undefined)) return undefined;
  return { path, description, kinds: new Set(kinds as Kind[]), values: undefined };
}

const KIND_OF_TYPE = new Map<unknown, Kind>([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
]);

/** The forms that an argument may have: a value, a list of values, or operators. */
function formsOf({ kinds, values }: Argument): object[] {
  const scalar = values === undefined ? { type: [...kinds] } : { enum: values };
  const forms: object[] = [scalar, { type: 'array', items: scalar, minItems: 1, maxItems: MAX_LISTED }];
  const operators = [
    ...(kinds.has('number') ? NUMBERS.map((name) => [name, { type: 'number' }] as const) : []),
    ...(kinds.has('string') ? TEXTS.map((name) => [name, { type: 'string' }] as const) : []),
  ];
  if (operators.length === 0) return forms;
  const properties = Object.fromEntries(operators);
  return [...forms, { type: 'object', properties, additionalProperties: false, minProperties: 1 }];
}

const NUMBERS = ['gt', 'gte', 'lt', 'lte'];
const TEXTS = ['startsWith', 'contains'];

/** Whether a value has one of the forms in `formsOf`. */
function fits(argument: Argument, value: unknown): boolean {
  const { kinds } = argument;
  if (Array.isArray(value)) {
    return value.length > 0 && value.length <= MAX_LISTED && value.every((one) => isValue(argument, one));
  }
  if (typeof value !== 'object' || value === null) return isValue(argument, value);
  const operators = Object.entries(value);
  return (
    operators.length > 0 &&
    operators.every(
      ([name, operand]) =>
        (kinds.has('number') && NUMBERS.includes(name) && typeof operand === 'number') ||
        (kinds.has('string') && TEXTS.includes(name) && typeof operand === 'string'),
    )
  );
}

function isValue({ kinds, values }: Argument, value: unknown): boolean {
  if (values !== undefined) return values.includes(value as Scalar);
  return kinds.has(typeof value as Kind);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
