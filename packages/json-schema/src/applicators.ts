import type { Check, Run, SchemaNode, Seen } from './node.ts';
import { matchesPattern } from './pattern.ts';
import { dynamicTarget, fault, fits, fitsAt, fitsQuietly, isObject, keysOf, propertyOf } from './run-schema.ts';
import { InvalidSchema, type Site, takesUnboundedTime } from './site.ts';
import { spend } from './steps.ts';

type Build = (expected: unknown, site: Site) => Check | undefined;

/** The keywords that apply subschemas (JSON Schema Core 2020-12, sections 8.2.3, 10 and 11). */
export const APPLICATORS: Record<string, Build> = {
  $ref(expected, site) {
    const node = site.resolve(expected);
    return (value, run, seen) => fits(node, value, run, seen);
  },
  $dynamicRef(expected, site) {
    const node = site.resolve(expected);
    const reference = String(expected);
    const anchor = reference.slice(reference.indexOf('#') + 1);
    const isDynamic = node.resource.dynamicAnchors.get(anchor) === node;
    if (!isDynamic) return (value, run, seen) => fits(node, value, run, seen);
    return (value, run, seen) => {
      spend(run.steps, run.scope.length);
      return fits(dynamicTarget(anchor, run.scope) ?? node, value, run, seen);
    };
  },
  allOf(expected, site) {
    const nodes = nodesAt(expected, site);
    return (value, run, seen) => whole(nodes, run, (node) => fits(node, value, run, seen));
  },
  anyOf(expected, site) {
    const nodes = nodesAt(expected, site);
    return (value, run, seen) => {
      let isAny = false;
      for (const node of nodes) {
        if (fitsQuietly(node, value, run, seen)) isAny = true;
        // Continue if needed: the other alternatives may evaluate more of the value.
        if (isAny && seen === null) break;
      }
      return isAny || fault(run, 'must fit one of the schemas of anyOf');
    };
  },
  oneOf(expected, site) {
    const nodes = nodesAt(expected, site);
    return (value, run, seen) => {
      let count = 0;
      for (const node of nodes) {
        if (fitsQuietly(node, value, run, seen)) count += 1;
        if (count > 1) break;
      }
      return count === 1 || fault(run, `must fit exactly one of the schemas of oneOf, but fits ${count || 'none'}`);
    };
  },
  not(expected, site) {
    const node = site.nodeOf(expected);
    return (value, run) => !fitsQuietly(node, value, run, null) || fault(run, 'must not fit the schema of not');
  },
  if(expected, site) {
    const node = site.nodeOf(expected);
    const { then: yes, else: no } = site.siblings;
    const whenTrue = yes === undefined ? undefined : site.nodeOf(yes);
    const whenFalse = no === undefined ? undefined : site.nodeOf(no);
    return (value, run, seen) => {
      const next = fitsQuietly(node, value, run, seen) ? whenTrue : whenFalse;
      return next === undefined || fits(next, value, run, seen);
    };
  },
  dependentSchemas(expected, site) {
    const rows = [...nodesByName(expected, site)];
    return (value, run, seen) => {
      if (!isObject(value)) return true;
      spend(run.steps, rows.length / 4);
      const present = rows.filter(([name]) => Object.hasOwn(value, name));
      return whole(present, run, ([, node]) => fits(node, value, run, seen));
    };
  },

  prefixItems(expected, site) {
    const nodes = nodesAt(expected, site);
    return (value, run, seen) => {
      if (!Array.isArray(value)) return true;
      return whole(nodes.slice(0, value.length), run, (node, index) => item(node, value, index, { run, seen }));
    };
  },
  items(expected, site) {
    const node = site.nodeOf(expected);
    const { prefixItems } = site.siblings;
    const first = Array.isArray(prefixItems) ? prefixItems.length : 0;
    return (value, run, seen) => {
      if (!Array.isArray(value)) return true;
      if (seen !== null) seen.allItems = true;
      let isFit = true;
      for (let index = first; index < value.length; index += 1) {
        if (fitsAt(index, node, value[index], run)) continue;
        isFit = false;
        if (run.muted > 0) break;
      }
      return isFit;
    };
  },
  contains(expected, site) {
    const node = site.nodeOf(expected);
    const [least, most] = [countAt('minContains', 1, site), countAt('maxContains', Number.POSITIVE_INFINITY, site)];
    return (value, run, seen) => {
      if (!Array.isArray(value)) return true;
      let count = 0;
      for (const [index, one] of value.entries()) {
        if (!fitsQuietly(node, one, run, null)) continue;
        count += 1;
        seen?.items.add(index);
      }
      if (count < least) return fault(run, `must have at least ${least} items that fit the schema of contains`);
      return count <= most || fault(run, `must have at most ${most} items that fit the schema of contains`);
    };
  },

  properties(expected, site) {
    const nodes = nodesByName(expected, site);
    return (value, run, seen) => {
      if (!isObject(value)) return true;
      spend(run.steps, nodes.size / 2);
      let isFit = true;
      for (const [name, node] of nodes) {
        if (!Object.hasOwn(value, name)) continue;
        if (!property(node, value, name, { run, seen })) isFit = false;
        if (!isFit && run.muted > 0) break;
      }
      return isFit;
    };
  },
  patternProperties(expected, site) {
    const rows = patternRows(expected, site);
    return (value, run, seen) =>
      !isObject(value) ||
      whole(rows, run, ({ pattern, node }) => {
        const names = keysOf(value, run).filter((name) => matchesPattern(pattern, name, run.steps));
        return whole(names, run, (name) => property(node, value, name, { run, seen }));
      });
  },
  additionalProperties(expected, site) {
    const node = site.nodeOf(expected);
    const { properties: named = {}, patternProperties: patterned = {} } = site.siblings;
    const names = new Set(isObject(named) ? Object.keys(named) : []);
    const rows = patternRows(patterned, { ...site, at: [...site.at.slice(0, -1), 'patternProperties'] });
    const isNamed = (name: string, run: Run) =>
      names.has(name) || rows.some(({ pattern }) => matchesPattern(pattern, name, run.steps));
    return (value, run, seen) => {
      if (!isObject(value)) return true;
      const keys = keysOf(value, run);
      // Charge twice for each name: this looks it up in a set, and makes a list of the others.
      spend(run.steps, 2 * keys.length);
      const others = keys.filter((name) => !isNamed(name, run));
      return whole(others, run, (name) => property(node, value, name, { run, seen }));
    };
  },
  propertyNames(expected, site) {
    const node = site.nodeOf(expected);
    return (value, run) => !isObject(value) || whole(keysOf(value, run), run, (name) => fitsAt(name, node, name, run));
  },

  unevaluatedItems(expected, site) {
    const node = site.nodeOf(expected);
    return (value, run, seen) => {
      if (!Array.isArray(value) || seen === null || seen.allItems) return true;
      let isFit = true;
      for (const [index, one] of value.entries()) {
        spend(run.steps, 1);
        if (!seen.items.has(index) && !fitsAt(index, node, one, run)) isFit = false;
        if (!isFit && run.muted > 0) break;
      }
      seen.allItems = true;
      return isFit;
    };
  },
  unevaluatedProperties(expected, site) {
    const node = site.nodeOf(expected);
    return (value, run, seen) => {
      if (!isObject(value) || seen === null || seen.allProperties) return true;
      const keys = keysOf(value, run);
      spend(run.steps, keys.length / 4);
      const names = keys.filter((name) => !seen.properties.has(name));
      seen.allProperties = true;
      return whole(names, run, (name) => fitsAt(name, node, propertyOf(value, name), run));
    };
  },
};

/** Whether all fit. After the first that does not, the rest is checked only to report more faults. */
function whole<One>(all: readonly One[], run: Run, isFit: (one: One, index: number) => boolean): boolean {
  let areFit = true;
  for (const [index, one] of all.entries()) {
    if (isFit(one, index)) continue;
    areFit = false;
    if (run.muted > 0) break;
  }
  return areFit;
}

type Evaluation = { run: Run; seen: Seen | null };

function item(node: SchemaNode, value: readonly unknown[], index: number, { run, seen }: Evaluation): boolean {
  seen?.items.add(index);
  return fitsAt(index, node, value[index], run);
}

function property(node: SchemaNode, value: object, name: string, { run, seen }: Evaluation): boolean {
  spend(run.steps, 1);
  seen?.properties.add(name);
  return fitsAt(name, node, propertyOf(value, name), run);
}

function patternRows(expected: unknown, site: Site) {
  return [...nodesByName(expected, site)].map(([source, node]) => {
    const at = [...site.at, source];
    const parsed = site.compilePattern(source, at);
    // If it cannot be checked, nobody knows which properties are additional.
    if (parsed.kind === 'unbounded') throw new InvalidSchema(at, takesUnboundedTime(parsed.does));
    return { pattern: parsed.pattern, node };
  });
}

function nodesAt(expected: unknown, site: Site): SchemaNode[] {
  return Array.isArray(expected) ? expected.map((one) => site.nodeOf(one)) : [];
}

/** Uses a map, because a property may have any name. */
function nodesByName(expected: unknown, site: Site): Map<string, SchemaNode> {
  const entries = isObject(expected) ? Object.entries(expected) : [];
  return new Map(entries.map(([name, one]) => [name, site.nodeOf(one)]));
}

function countAt(name: string, otherwise: number, { siblings, at }: Site): number {
  const value = siblings[name];
  if (value === undefined) return otherwise;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw new InvalidSchema([...at.slice(0, -1), name], 'must be a whole number from 0 on');
  }
  return value;
}
