import { isDeepStrictEqual } from 'node:util';
import type { SchemaMode } from '@posthorn/contract/environments';
import { SOURCE_PLACE_FIELDS } from '@posthorn/contract/sources';
import type { Kind } from '@posthorn/destinations/kind';
import { hasDestination, kindOf, settingsOf } from '@posthorn/destinations/kinds';
import type { Pattern } from '../subscriptions/patterns.ts';

// The changes that would make one environment like another (docs/interface.md, Promotion). Pure: keys are UUIDs here.

/** The parts of an environment that are compared. */
export type SetUp = {
  environmentId: string;
  settings: Settings;
  /** Every event type of the workspace, by its key. */
  eventTypes: ReadonlyMap<string, EventTypeSetUp>;
  /** The workspace's own endpoints. */
  endpoints: readonly EndpointSetUp[];
  sources: readonly SourceSetUp[];
};

/** A source of events. `promotedFrom` is the source of which it is a copy. */
export type SourceSetUp = { id: string; promotedFrom: string | null; name: string; config: object };

/** The settings of an environment that are carried. */
export type Settings = { requireApplication: boolean };

export type SettingChanges = { [Name in keyof Settings]?: { from: Settings[Name]; to: Settings[Name] } };

export type EventTypeSetUp = { name: string; published: boolean; schemaMode: SchemaMode };

export type EndpointSetUp = {
  id: string;
  /** The endpoint of which it is a copy, and the environment of that one. */
  promotedFrom: { id: string; environmentId: string } | null;
  type: string;
  fields: EndpointFields;
  /** By the key of the event type. */
  subscriptions: ReadonlyMap<string, Omit<SubscriptionSetUp, 'eventTypeId'>>;
};

/** The fields that a promotion carries: never secrets, URLs, activity and credentials. */
export type EndpointFields = {
  description: string;
  config: unknown;
  metadata: unknown;
  eventTypePatterns: readonly Pattern[];
};

/** `from` is the value in the environment that would change, `to` that of the other one. */
export type EventTypeChange = {
  eventTypeId: string;
  name: string;
  change: 'publish' | 'unpublish' | 'schema_mode';
  from: unknown;
  to: unknown;
};

export type EndpointChange = {
  change: 'create' | 'update' | 'delete';
  endpointId: string;
  targetEndpointId: string | null;
  type: string;
  fields: { [Field in keyof EndpointFields]?: { from: unknown; to: EndpointFields[Field] } };
  subscriptions: SubscriptionChanges;
};

export type SubscriptionChanges = {
  add: SubscriptionSetUp[];
  remove: SubscriptionSetUp[];
  change: (Omit<SubscriptionSetUp, 'filter'> & { from: unknown; to: unknown })[];
  /**
   * Subscriptions with the same filter on both sides, made by different patterns or by a pattern on one side only. No
   * answer shows them.
   */
  move: SubscriptionSetUp[];
};

/** `pattern` is the pattern of the endpoint that made the subscription; null if none did. */
type SubscriptionSetUp = { eventTypeId: string; name: string; filter: unknown; pattern: string | null };

/** A promotion deletes no source: its place in the topics would be lost. */
export type SourceChange = {
  change: 'create' | 'update';
  sourceId: string;
  targetSourceId: string | null;
  fields: { name?: { from: string | null; to: string }; config?: { from: object | null; to: object } };
};

export type Plan = {
  settings: SettingChanges;
  eventTypes: EventTypeChange[];
  endpoints: EndpointChange[];
  sources: SourceChange[];
};

/** The plan that would make `b` like `a`. It leaves out endpoints that belong to `b` alone. */
export function compare(a: SetUp, b: SetUp): Plan {
  return {
    settings: compareSettings(a.settings, b.settings),
    eventTypes: compareEventTypes(a, b),
    endpoints: compareEndpoints(a, b),
    sources: compareSources(a, b),
  };
}

function compareSources(a: SetUp, b: SetUp): SourceChange[] {
  return a.sources.flatMap((source): SourceChange[] => {
    const target = b.sources.find(({ promotedFrom }) => promotedFrom === source.id);
    const to = ofSource(source.config, (isPlace) => !isPlace);
    if (target === undefined) {
      const fields = { name: { from: null, to: source.name }, config: { from: null, to } };
      return [{ change: 'create', sourceId: source.id, targetSourceId: null, fields }];
    }
    const config = { ...ofSource(target.config, (isPlace) => isPlace), ...to };
    const fields = {
      ...(target.name === source.name ? {} : { name: { from: target.name, to: source.name } }),
      ...(isDeepStrictEqual(config, target.config) ? {} : { config: { from: target.config, to: config } }),
    };
    if (Object.keys(fields).length === 0) return [];
    return [{ change: 'update', sourceId: source.id, targetSourceId: target.id, fields }];
  });
}

/** The part of a source's config that says where it reads, or the part that says what a record means. */
function ofSource(config: object, wants: (isPlace: boolean) => boolean): object {
  return Object.fromEntries(Object.entries(config).filter(([key]) => wants(SOURCE_PLACE_FIELDS.includes(key))));
}

function compareSettings({ requireApplication: to }: Settings, { requireApplication: from }: Settings): SettingChanges {
  return from === to ? {} : { requireApplication: { from, to } };
}

function compareEventTypes(a: SetUp, b: SetUp): EventTypeChange[] {
  return [...a.eventTypes].flatMap(([eventTypeId, to]) => {
    const from = b.eventTypes.get(eventTypeId);
    return from === undefined ? [] : changesOf({ eventTypeId, name: to.name }, from, to);
  });
}

function changesOf(
  eventType: { eventTypeId: string; name: string },
  from: EventTypeSetUp,
  to: EventTypeSetUp,
): EventTypeChange[] {
  const changes: EventTypeChange[] = [];
  if (from.published !== to.published) {
    const change = to.published ? 'publish' : 'unpublish';
    changes.push({ ...eventType, change, from: from.published, to: to.published });
  }
  if (from.schemaMode !== to.schemaMode) {
    changes.push({ ...eventType, change: 'schema_mode', from: from.schemaMode, to: to.schemaMode });
  }
  return changes;
}

function compareEndpoints(a: SetUp, b: SetUp): EndpointChange[] {
  const stands = new Map(
    b.endpoints.flatMap((target) => (target.promotedFrom ? [[target.promotedFrom.id, target]] : [])),
  );
  const present = a.endpoints.flatMap((source) => {
    const target = stands.get(source.id);
    if (target === undefined) return [createdFrom(source)];
    const change = updateOf(source, target);
    return isEmpty(change) ? [] : [change];
  });
  const known = new Set(a.endpoints.map(({ id }) => id));
  const withoutSource = b.endpoints.filter(
    ({ promotedFrom }) => promotedFrom?.environmentId === a.environmentId && !known.has(promotedFrom.id),
  );
  return [...present, ...withoutSource.map(deletionOf)];
}

function createdFrom(source: EndpointSetUp): EndpointChange {
  const { description, config, metadata, eventTypePatterns } = source.fields;
  return {
    change: 'create',
    endpointId: source.id,
    targetEndpointId: null,
    type: source.type,
    fields: {
      description: { from: null, to: description },
      config: { from: null, to: withoutConnection(config) },
      metadata: { from: null, to: metadata },
      ...(eventTypePatterns.length > 0 && { eventTypePatterns: { from: null, to: eventTypePatterns } }),
    },
    subscriptions: { add: subscriptionsOf(source), remove: [], change: [], move: [] },
  };
}

function updateOf(source: EndpointSetUp, target: EndpointSetUp): EndpointChange {
  return {
    change: 'update',
    endpointId: source.id,
    targetEndpointId: target.id,
    type: source.type,
    fields: compareFields(withPlaceOf(target, source), target.fields),
    subscriptions: compareSubscriptions(source, target),
  };
}

/** The source's fields with the target's place: a promotion moves no endpoint to another server, account or queue. */
function withPlaceOf(target: EndpointSetUp, source: EndpointSetUp): EndpointFields {
  const kind: Kind | undefined = kindOf(source.type);
  if (kind?.section === null || kind === undefined || !hasDestination(kind)) return source.fields;
  const settings = settingsOf(kind, source.fields.config) as Record<string, unknown>;
  const kept = Object.entries(settingsOf(kind, target.fields.config) as object);
  const isCarried = (key: string) => kind.carried?.includes(key) === true;
  const place = Object.fromEntries([
    ...kept.filter(([key]) => !isCarried(key)),
    ...Object.entries(settings).filter(([key]) => isCarried(key)),
  ]);
  return { ...source.fields, config: { ...(source.fields.config as object), [kind.section.key]: place } };
}

/** How an endpoint authenticates belongs to its server: credentials and certificates are not carried to another one. */
const OF_CONNECTIONS = ['oauth2', 'tls'];

function withoutConnection(config: unknown): object {
  return Object.fromEntries(Object.entries(config ?? {}).filter(([key]) => !OF_CONNECTIONS.includes(key)));
}

function connectionOf(config: unknown): object {
  return Object.fromEntries(Object.entries(config ?? {}).filter(([key]) => OF_CONNECTIONS.includes(key)));
}

/** The order of keys does not count as a difference. */
function compareFields(to: EndpointFields, from: EndpointFields): EndpointChange['fields'] {
  const config = { ...withoutConnection(to.config), ...connectionOf(from.config) };
  return {
    ...(to.description === from.description ? {} : { description: { from: from.description, to: to.description } }),
    ...(isDeepStrictEqual(config, from.config) ? {} : { config: { from: from.config, to: config } }),
    ...(isDeepStrictEqual(to.metadata, from.metadata) ? {} : { metadata: { from: from.metadata, to: to.metadata } }),
    ...comparePatterns(to.eventTypePatterns, from.eventTypePatterns),
  };
}

/** The first pattern that fits counts, so their order is a difference. */
function comparePatterns(to: readonly Pattern[], from: readonly Pattern[]) {
  return isDeepStrictEqual(to, from) ? {} : { eventTypePatterns: { from, to } };
}

function compareSubscriptions(source: EndpointSetUp, target: EndpointSetUp): SubscriptionChanges {
  const inBoth = subscriptionsOf(source).flatMap((to) => {
    const from = target.subscriptions.get(to.eventTypeId);
    return from === undefined ? [] : [{ from, to, isSame: isDeepStrictEqual(from.filter, to.filter) }];
  });
  return {
    add: subscriptionsOf(source).filter(({ eventTypeId }) => !target.subscriptions.has(eventTypeId)),
    remove: subscriptionsOf(target).filter(({ eventTypeId }) => !source.subscriptions.has(eventTypeId)),
    change: inBoth.flatMap(({ from, to: { filter, ...to }, isSame }) =>
      isSame ? [] : [{ ...to, from: from.filter, to: filter }],
    ),
    move: inBoth.flatMap(({ from, to, isSame }) => (isSame && from.pattern !== to.pattern ? [to] : [])),
  };
}

function deletionOf(target: EndpointSetUp): EndpointChange {
  return {
    change: 'delete',
    endpointId: target.promotedFrom?.id ?? target.id,
    targetEndpointId: target.id,
    type: target.type,
    fields: {},
    subscriptions: { add: [], remove: subscriptionsOf(target), change: [], move: [] },
  };
}

function subscriptionsOf({ subscriptions }: EndpointSetUp): SubscriptionSetUp[] {
  return [...subscriptions].map(([eventTypeId, subscription]) => ({ eventTypeId, ...subscription }));
}

/** Whether a planned change has no effect. */
function isEmpty({ change, fields, subscriptions: { add, remove, change: changed } }: EndpointChange): boolean {
  return change === 'update' && Object.keys(fields).length + add.length + remove.length + changed.length === 0;
}

/** The parts of a plan that are wanted; keys are UUIDs. A kind that is not named is left alone. */
export type Choice = {
  settings: boolean;
  eventTypes: 'all' | readonly string[] | undefined;
  /** The endpoints that are promoted. */
  endpointIds: readonly string[] | undefined;
  /** The sources that are promoted. */
  sourceIds: readonly string[] | undefined;
  /** Also deletes and unpublishes. */
  prune: boolean;
};

/** The part of the plan that is applied. */
export function choose(plan: Plan, choice: Choice): Plan {
  return {
    settings: choice.settings ? plan.settings : {},
    eventTypes: chooseEventTypes(plan, choice),
    endpoints: chooseEndpoints(plan, choice),
    sources: plan.sources.filter(({ sourceId }) => choice.sourceIds?.includes(sourceId)),
  };
}

function chooseEventTypes({ eventTypes }: Plan, { eventTypes: wanted, prune }: Choice): EventTypeChange[] {
  if (wanted === undefined) return [];
  const ids = wanted === 'all' ? undefined : new Set(wanted);
  return eventTypes.filter(
    ({ eventTypeId, change }) => (ids?.has(eventTypeId) ?? true) && (prune || change !== 'unpublish'),
  );
}

function chooseEndpoints({ endpoints }: Plan, { endpointIds, prune }: Choice): Plan['endpoints'] {
  if (endpointIds === undefined) return [];
  const wanted = new Set(endpointIds);
  return endpoints.flatMap((change) => {
    if (change.change === 'delete') return prune ? [change] : [];
    if (!wanted.has(change.endpointId)) return [];
    const kept = prune ? change : withoutRemovals(change);
    return isEmpty(kept) ? [] : [kept];
  });
}

/**
 * The change without removals: the endpoint keeps the subscriptions and patterns that the promoted one does not have.
 */
function withoutRemovals(change: EndpointChange): EndpointChange {
  const { eventTypePatterns: patterns, ...fields } = change.fields;
  const present = (patterns?.from ?? []) as readonly Pattern[];
  const names = new Set(patterns?.to.map(({ pattern }) => pattern));
  const to = [...(patterns?.to ?? []), ...present.filter(({ pattern }) => !names.has(pattern))];
  return {
    ...change,
    fields: isDeepStrictEqual(present, to) ? fields : { ...fields, eventTypePatterns: { from: patterns?.from, to } },
    subscriptions: { ...change.subscriptions, remove: [] },
  };
}
