import type { CustomFetch } from 'openid-client';

/** A description, a set of keys or an answer with tokens is much smaller. */
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
 * Asks the token endpoint. The library refuses answers that many servers give: without a `token_type`, with null for what is
 * not there. A sign-in needs the ID token alone, which the library checks in full, so it gets only this of a success.
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
