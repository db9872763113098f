import { redacting } from '@posthorn/destinations/redact';
import { isSecretHeader, type WebhookRequest } from '@posthorn/messages/build-request';

type Headers = Record<string, string | string[]>;
type Response = { headers: Headers; body: Buffer; truncated: boolean };

/** The response without the secrets that were sent: the request's secrets, and `others`. */
export function redactResponse(request: Sent, response: Response, others: readonly string[] = []): Response {
  const redact = redacting([...secretsOf(request), ...others]);
  if (redact === undefined) return response;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((one) => redact.text(one)) : redact.text(value),
    ]),
  );
  return { ...response, headers, body: redact.body(response) };
}

type Sent = Pick<WebhookRequest, 'headers' | 'secretHeaders' | 'signatureHeaders'>;

/** The values of secret headers, without the scheme of an `Authorization`, and the password inside it. */
function secretsOf(request: Sent): string[] {
  return Object.entries(request.headers).flatMap(([name, value]) => {
    if (!isSecretHeader(name, request)) return [];
    const space = value.indexOf(' ');
    const [scheme, rest] = [value.slice(0, space), value.slice(space + 1)];
    if (space === -1) return [value];
    if (scheme.toLowerCase() !== 'basic') return [value, rest];
    const pair = Buffer.from(rest, 'base64').toString('utf8');
    return [value, rest, pair, pair.slice(pair.indexOf(':') + 1)];
  });
}
