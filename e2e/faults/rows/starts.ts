import type { Rig } from '../rig.ts';

/** How long each event to an endpoint waited for its first request, in ms after its 202, of those accepted in a span. */
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
    // One that never came has waited until now.
    return [Math.max(0, (firstAtMs.get(eventId) ?? Date.now()) - acceptedAtMs)];
  });
}
