import type { Rig } from '../rig.ts';

/**
 * The time from the 202 of each event to its first request, in ms, for the events of an endpoint accepted in a time
 * span.
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
    // An event without a request has waited until now.
    return [Math.max(0, (firstAtMs.get(eventId) ?? Date.now()) - acceptedAtMs)];
  });
}
