import type { CustomFetch } from 'openid-client';

/** The most bytes of a response. A provider's description, its key set and a token response are much smaller. */
const MOST_BYTES = 512 * 1024;

/** A fetch whose answer is read as a whole, within a bound; the library's deadline covers all of it. */
export const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new TypeError('fetch failed', { cause: new Error('the answer is too large') });
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), { status, statusText, headers });
};

/**
 * Calls the token endpoint. Many servers leave out `token_type` or send null for absent fields, and the library refuses
 * such responses. A sign-in needs only the ID token, which the library checks in full, so the library gets only the ID
 * token of a successful response.
 */
export const fetchIdToken: CustomFetch = async (url, options) => {
  const response = await boundedFetch(url, options);
  if (!response.ok) return response;
  const answer: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const idToken = (answer as { id_token?: unknown } | null | undefined)?.id_token;
  if (idToken === undefined) return response;
  return Response.json({ access_token: 'not used', token_type: 'bearer', id_token: idToken });
};
