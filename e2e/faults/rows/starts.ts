import type { Rig } from '../rig.ts';

/**
 * For the events of an endpoint that were accepted in a time span: the ms from each 202 to the event's first request.
 */
export function startsOf(
  rig: Rig,
  endpoint: string,
  { fromMs = 0, untilMs = Number.POSITIVE_INFINITY }: { fromMs?: number; untilMs?: number } = {},
): number[] {
  const firstAtMs = new Map<string, number>();
  for (const receipt of rig.receivers.receipts) {
    if (receipt.endpoint !== endpoint || firstAtMs.has(receipt.eventId)) continue;
    firstAtMs.set(receipt.eventId, receipt.atMs);
  }
  return rig.load.sent.flatMap(({ endpoints, eventId, acceptedAtMs }) => {
    if (eventId === undefined || acceptedAtMs === undefined || !endpoints.includes(endpoint)) return [];
    if (acceptedAtMs < fromMs || acceptedAtMs >= untilMs) return [];
    // An event without a request counts as waiting until now.
    return [Math.max(0, (firstAtMs.get(eventId) ?? Date.now()) - acceptedAtMs)];
  });
}
