import type { PutEventsCommandOutput } from '@aws-sdk/client-eventbridge';
import { failed } from '../aws/failed.ts';
import { judgeFault } from '../aws/fault.ts';
import type { Published } from '../aws/open-aws.ts';
import type { Place } from '../kind.ts';

/** The detail of an event; undefined for a payload that is not a JSON object, which EventBridge refuses. */
export function detailOf(body: Buffer): string | undefined {
  try {
    // Sends the JSON text unchanged, so that no number and no order of keys changes.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The status is 200 even if EventBridge refused the event: the error is in the entry. */
export function judgeAnswer(
  { FailedEntryCount, Entries }: Partial<PutEventsCommandOutput>,
  credentials: Place['credentials'],
): Published {
  const [entry] = Entries ?? [];
  const { EventId: eventId, ErrorCode: code, ErrorMessage: said = '' } = entry ?? {};
  if (code !== undefined)
    return { kind: 'failed', failure: judgeFault({ name: code, said, status: null }, credentials) };
  if (FailedEntryCount !== 0 || eventId === undefined) return failed('protocol_error', 'The answer has no event id');
  return { kind: 'acknowledged', acknowledgement: { eventId } };
}
