import type { FanOutJob, FanOutRequest } from './jobs.ts';

/** The jobs for events of one priority, in any mode. An isolated event gets its own job. */
export function fanOutJobs(events: readonly FanOutRequest[]): FanOutJob[] {
  const ofMode = (mode: FanOutRequest['mode']) => events.filter((event) => event.mode === mode);
  return [
    ...inParts(ofMode(undefined)).map((groups) => ({ groups })),
    ...inParts(ofMode('suspect')).map((groups) => ({ groups, mode: 'suspect' as const })),
    ...ofMode('isolated').map((event) => ({ groups: inParts([event]).flat(), mode: 'isolated' as const })),
  ].filter(({ groups }) => groups.length > 0);
}

/** The most bytes of events in a fan-out job. */
const FAN_OUT_JOB_BYTES = 9_000;
/** The bytes of a group in a job, without its event type and its events. */
const GROUP_BYTES = 220;

/** The groups of the events, split so that each part fits into one job. */
export function inParts(events: readonly FanOutRequest[]): FanOutJob['groups'][] {
  let groups = new Map<string, FanOutJob['groups'][number]>();
  const parts = [groups];
  let bytes = 0;
  for (const { eventId, workspaceId, environmentId, eventType, applicationId, isOrdered } of events) {
    const key = `${environmentId} ${eventType} ${applicationId} ${isOrdered ?? ''}`;
    const ofGroup = GROUP_BYTES + eventType.length;
    const ofEvent = eventId.length + 3; // Includes quotes and a comma.
    if (bytes + ofEvent + (groups.has(key) ? 0 : ofGroup) > FAN_OUT_JOB_BYTES) {
      groups = new Map();
      parts.push(groups);
      bytes = 0;
    }
    const group = groups.get(key);
    bytes += ofEvent + (group === undefined ? ofGroup : 0);
    if (group !== undefined) group.eventIds.push(eventId);
    else {
      const ordered = isOrdered ? { isOrdered } : {};
      groups.set(key, { workspaceId, environmentId, eventType, applicationId, ...ordered, eventIds: [eventId] });
    }
  }
  return parts.map((part) => [...part.values()]);
}
