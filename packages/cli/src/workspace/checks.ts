import {
  bytesOf,
  type Check,
  type FileDocument,
  itemsOf,
  keyIn,
  type List,
  MOST,
  MOST_BYTES,
  type Portion,
  textIn,
} from './items.ts';

/** The items in the file that an item refers to: indexes of event types and of applications. */
type Needs = { eventTypes: Set<number>; applications: Set<number> };

/**
 * Returns a function that makes the checks of a part, for use before any part is applied. Each check is a call that
 * includes the environments, event types and applications to which the part's endpoints refer.
 */
export function createChecks(document: FileDocument): (list: List, portion: Portion) => Check[] {
  const { version, environments } = document;
  const around = { version, ...(environments === undefined ? {} : { environments }) };
  const roomBytes = MOST_BYTES - bytesOf(around);
  const places = { eventTypes: placesOf(document, 'eventTypes'), applications: placesOf(document, 'applications') };
  const needsOf = (endpoint: unknown): Needs => ({
    eventTypes: found(places.eventTypes, namesIn(endpoint)),
    applications: found(places.applications, textIn(endpoint, 'application')),
  });

  const sizes = { eventTypes: sizesOf(document, 'eventTypes'), applications: sizesOf(document, 'applications') };
  const bytesOfNeeds = ({ eventTypes, applications }: Needs) =>
    sumOf(eventTypes, sizes.eventTypes) + sumOf(applications, sizes.applications);
  const isFew = ({ eventTypes, applications }: Needs) =>
    eventTypes.size <= MOST.eventTypes && applications.size <= MOST.applications;

  const checkOf = (endpoints: readonly number[], needs: Needs, isWhole: boolean): Check => {
    const chosen = { eventTypes: [...needs.eventTypes], applications: [...needs.applications], endpoints };
    const places = Object.fromEntries(Object.entries(chosen).filter(([, of]) => of.length > 0));
    const items = Object.entries(places).map(([list, of]) => [list, of.map((place) => itemsOf(document, list)[place])]);
    return { document: { ...around, ...Object.fromEntries(items) }, places, isWhole };
  };

  const checksOfEndpoints = (portion: Portion): Check[] => {
    const checks: Check[] = [];
    const others: Check[] = [];
    let group = { endpoints: [] as number[], bytes: 0, needs: NONE };
    const end = () => {
      if (group.endpoints.length > 0) checks.push(checkOf(group.endpoints, group.needs, true));
      group = { endpoints: [], bytes: 0, needs: NONE };
    };
    for (const place of portion.places.endpoints ?? []) {
      const endpoint = itemsOf(document, 'endpoints')[place];
      const [own, bytes] = [needsOf(endpoint), bytesOf(endpoint)];
      const fits = (needs: Needs) => isFew(needs) && group.bytes + bytes + bytesOfNeeds(needs) <= roomBytes;
      if (!fits(union(group.needs, own))) end();
      if (!fits(own)) {
        checks.push(checkOf([place], NONE, false));
        others.push(withoutEventTypes(checkOf([place], { ...NONE, applications: own.applications }, true)));
        continue;
      }
      group.endpoints.push(place);
      group.bytes += bytes;
      group.needs = union(group.needs, own);
    }
    end();
    return [...checks, ...others];
  };

  return (list, portion) => {
    if (list === 'endpoints') return checksOfEndpoints(portion);
    const isWhole = bytesOf(portion.document) <= roomBytes;
    return [{ ...portion, document: isWhole ? { ...around, ...portion.document } : portion.document, isWhole }];
  };
}

function sizesOf(document: FileDocument, list: List): number[] {
  return itemsOf(document, list).map(bytesOf);
}

function sumOf(places: ReadonlySet<number>, sizes: readonly number[]): number {
  return [...places].reduce((sum, place) => sum + (sizes[place] ?? 0), 0);
}

const NONE: Needs = { eventTypes: new Set(), applications: new Set() };

function union(one: Needs, other: Needs): Needs {
  return {
    eventTypes: new Set([...one.eventTypes, ...other.eventTypes]),
    applications: new Set([...one.applications, ...other.applications]),
  };
}

function placesOf(document: FileDocument, list: List): Map<string, number> {
  return new Map(itemsOf(document, list).flatMap((item, place) => keyIn(list, item).map((key) => [key, place])));
}

function found(places: ReadonlyMap<string, number>, keys: readonly string[]): Set<number> {
  return new Set(keys.flatMap((key) => places.get(key) ?? []));
}

/** Checks everything about the endpoints except their event types. */
function withoutEventTypes({ document, ...check }: Check): Check {
  const endpoints = itemsOf(document, 'endpoints').map((one) => ({ ...Object(one), eventTypes: undefined }));
  return { ...check, document: { ...document, endpoints } };
}

/** The event types that an endpoint names; patterns are not included. */
function namesIn(endpoint: unknown): string[] {
  const { eventTypes } = Object(endpoint) as { eventTypes?: unknown };
  if (!Array.isArray(eventTypes)) return [];
  return eventTypes.flatMap((one) => (typeof one === 'string' ? [one] : textIn(one, 'name')));
}
