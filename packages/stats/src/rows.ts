import { type Cell, type Figures, mergeCell, noFigures } from './gather.ts';
import { toEntries } from './histogram.ts';

/** The environment and application of an endpoint. */
export type Owner = { environmentId: string; applicationId: string | null };

/**
 * Special values of `stat.event_type`: no event type, and all event types together. Neither can be the name of a type.
 */
export const DIRECT = '';
export const ALL_TYPES = '*';

/** A row to be added to the stored one of the same key. */
export type StatRow = StatKey & {
  ingested: number;
  attempts: number;
  succeeded: number;
  failed: number;
  delivered: number;
  ended_failed: number;
  dead_lettered: number;
  duration: number[];
  delay: number[];
  last_success_at: string | null;
  last_failure_at: string | null;
};

type StatKey = { subject_id: string; is_hour: boolean; at: string; event_type: string; environment_id: string };

const HOUR_MS = 3_600_000;

/**
 * Makes the rows of the cells. An environment, and an application in it, have rows for each minute and each hour, of
 * each event type and of all types together. An endpoint has the same rows, except those for a minute of all types: a
 * read over any span and grouping reads few rows, and an attempt at one more endpoint writes only three.
 */
export function rowsOf(cells: readonly Cell[], owners: ReadonlyMap<string, Owner>): StatRow[] {
  const rows = new Map<string, { key: StatKey; figures: Figures }>();
  const add = (cell: Cell, { subject, isHour, eventType, environmentId }: Target) => {
    const atMs = isHour ? cell.minuteMs - (cell.minuteMs % HOUR_MS) : cell.minuteMs;
    const name = `${subject} ${isHour} ${atMs} ${eventType} ${environmentId}`;
    let row = rows.get(name);
    if (row === undefined) {
      const key = { subject_id: subject, is_hour: isHour, at: new Date(atMs).toISOString() };
      row = { key: { ...key, event_type: eventType, environment_id: environmentId }, figures: noFigures() };
      rows.set(name, row);
    }
    mergeCell(row.figures, cell);
  };
  for (const cell of cells) {
    // Skips a cell of an unknown endpoint. That is rare, because the row of a deleted endpoint stays.
    const owner = 'endpointId' in cell.of ? owners.get(cell.of.endpointId) : cell.of;
    if (owner !== undefined) for (const target of targetsOf(cell, owner)) add(cell, target);
  }
  return Array.from(rows.values(), toRow);
}

type Target = { subject: string; isHour: boolean; eventType: string; environmentId: string };

function targetsOf({ of, eventType }: Cell, { environmentId, applicationId }: Owner): Target[] {
  const type = eventType ?? DIRECT;
  const endpoint =
    'endpointId' in of
      ? [
          { subject: of.endpointId, isHour: false, eventType: type, environmentId },
          { subject: of.endpointId, isHour: true, eventType: type, environmentId },
          { subject: of.endpointId, isHour: true, eventType: ALL_TYPES, environmentId },
        ]
      : [];
  const wide = [environmentId, ...(applicationId === null ? [] : [applicationId])];
  return endpoint.concat(
    wide.flatMap((subject) =>
      [false, true].flatMap((isHour) =>
        [type, ALL_TYPES].map((given) => ({ subject, isHour, eventType: given, environmentId })),
      ),
    ),
  );
}

function toRow({ key, figures }: { key: StatKey; figures: Figures }): StatRow {
  const { counts, duration, delay, lastSuccessMs, lastFailureMs } = figures;
  const { endedFailed, deadLettered, ...same } = counts;
  return {
    ...key,
    ...same,
    ended_failed: endedFailed,
    dead_lettered: deadLettered,
    duration: toEntries(duration),
    delay: toEntries(delay),
    last_success_at: lastSuccessMs === null ? null : new Date(lastSuccessMs).toISOString(),
    last_failure_at: lastFailureMs === null ? null : new Date(lastFailureMs).toISOString(),
  };
}
