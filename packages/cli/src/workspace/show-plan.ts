import type { WorkspaceChange, WorkspacePlan } from '@posthorn/client';
import type pc from 'picocolors';
import { breakingChanges } from '../payload-types/breaking-changes.ts';
import type { Schema } from '../payload-types/model.ts';
import { oneLine } from '../safe-text.ts';

type Colors = ReturnType<typeof pc.createColors>;

const LONGEST_VALUE = 100;
const MARKS = { create: '+', update: '~', remove: '-' } as const;
const KINDS: Record<string, string> = {
  environment: 'environment',
  eventType: 'event type',
  application: 'application',
  endpoint: 'endpoint',
  source: 'source',
  workspace: 'workspace',
};

/** Describes a plan like a diff: what is created, changed and removed, with each field, and then the counts. */
export function describePlan(plan: WorkspacePlan, colors: Colors): string {
  const lines = plan.changes.flatMap((change) => describeChange(change, colors));
  return `${lines.join('')}${lines.length > 0 ? '\n' : ''}${describeCounts(plan)}\n`;
}

export function describeCounts({ counts: { create, update, remove, none }, applied }: WorkspacePlan): string {
  return applied
    ? `Created ${create}, changed ${update}, removed ${remove}, unchanged ${none}`
    : `${create} to create, ${update} to change, ${remove} to remove, ${none} unchanged`;
}

function describeChange({ action, kind, key, environment, fields }: WorkspaceChange, colors: Colors): string[] {
  const mark = MARKS[action as keyof typeof MARKS];
  if (mark === undefined) return [];
  const paint = { '+': colors.green, '~': colors.yellow, '-': colors.red }[mark];
  const place = environment === null ? '' : ` (${environment})`;
  const title = oneLine(`${mark} ${KINDS[kind] ?? kind} ${key}${place}`);
  if (action === 'remove') return [`${paint(title)}\n`];
  const lines = fields.flatMap((field) =>
    kind === 'eventType' && field.field === 'schema' && action === 'update'
      ? describeSchema(key, field, colors)
      : [describeField(action, field)],
  );
  return [`${paint(title)}\n`, ...lines];
}

/** The differences between two schemas, and the ones that break receivers built for the former schema. */
function describeSchema(name: string, { from, to }: Field, colors: Colors): string[] {
  const breaking = breakingChanges([{ name, schema: from as Schema }], [{ name, schema: to as Schema }]);
  const word = breaking.length > 0 ? colors.red('breaking') : 'no change that breaks receivers';
  const differences = differencesOf(from, to, '');
  const shownOnes = differences.slice(0, MOST_DIFFERENCES);
  const left = differences.length - shownOnes.length;
  return [
    `    schema: ${word}\n`,
    ...breaking.slice(0, MOST_DIFFERENCES).map((one) => `      ${colors.red('!')} ${oneLine(one)}\n`),
    ...shownOnes.map((one) => `      ${oneLine(one)}\n`),
    ...(left > 0 ? [`      and ${left} more\n`] : []),
  ];
}

const MOST_DIFFERENCES = 30;

/** A line for each place at which two JSON values differ. */
function differencesOf(from: unknown, to: unknown, path: string): string[] {
  if (isObject(from) && isObject(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) => differencesOf(from[key], to[key], `${path}/${key}`));
  }
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (from === undefined) return [`+ ${path}: ${shown(to)}`];
  if (to === undefined) return [`- ${path}: ${shown(from)}`];
  return [`~ ${path || '/'}: ${shown(from)} → ${shown(to)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Field = WorkspaceChange['fields'][number];

function describeField(action: string, { field, from, to }: Field): string {
  const values = action === 'create' ? shown(to) : `${shown(from)} → ${shown(to)}`;
  return `    ${oneLine(field)}: ${values}\n`;
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  const text = oneLine(JSON.stringify(value));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

/** Merges several plans. A change that is in more than one counts once: later checks include what they need. */
export function sumOf(plans: readonly WorkspacePlan[]): WorkspacePlan {
  const byObject = new Map<string, WorkspaceChange>();
  for (const change of plans.flatMap(({ changes }) => changes)) {
    const object = JSON.stringify([change.kind, change.environment, change.key]);
    if (!byObject.has(object)) byObject.set(object, change);
  }
  const changes = [...byObject.values()];
  const count = (wanted: string) => changes.filter(({ action }) => action === wanted).length;
  return {
    changes,
    counts: { create: count('create'), update: count('update'), remove: count('remove'), none: count('none') },
    applied: plans.length > 0 && plans.every(({ applied }) => applied),
  };
}
