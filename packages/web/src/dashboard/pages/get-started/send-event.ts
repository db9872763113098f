import { apiErrorOf, isUnauthorized } from '../../../client/api-error.ts';

/** Sends an event with an API key, without the session; throws an error when it is not accepted. */
export async function sendEvent(typeName: string, apiKey: string, payload: object): Promise<void> {
  const answer = await fetch(`/api/ingest/event/${encodeURIComponent(typeName)}`, {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
  if (answer.ok) return;
  const body: unknown = await answer.json().catch(() => null);
  const refused = apiErrorOf(answer, body);
  // The API key is refused. An ApiError with this status would end the session of the dashboard.
  throw isUnauthorized(refused) ? new Error(refused.message) : refused;
}
