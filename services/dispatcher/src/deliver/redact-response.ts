import { isSecretHeader, type WebhookRequest } from '@posthorn/messages/build-request';

type Headers = Record<string, string | string[]>;
type Response = { headers: Headers; body: Buffer; truncated: boolean };

const REDACTED = '[redacted]';
/** Shorter ones occur in answers by chance. */
const MIN_CHARACTERS = 4;

/**
 * The answer without the secrets that the request had: receivers repeat what they were sent, in error pages and in tests.
 * Each secret is found as it was sent, in base64, escaped for JSON and escaped for a URL.
 */
export function redactResponse(request: Sent, response: Response): Response {
  const forms = formsOf(secretsOf(request));
  if (forms.length === 0) return response;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((one) => redactText(one, forms)) : redactText(value, forms),
    ]),
  );
  // As Latin-1, a body of any bytes is a text of as many characters.
  const latin = forms.map(toLatin);
  const text = response.body.toString('latin1');
  const whole = response.truncated ? withoutBegun(text, latin) : text;
  const body = Buffer.from(redactText(whole, latin), 'latin1').subarray(
    0,
    Math.max(response.body.length, REDACTED.length),
  );
  return { ...response, headers, body };
}

type Sent = Pick<WebhookRequest, 'headers' | 'secretHeaders' | 'signatureHeaders'>;

/** The values of secret headers, without the scheme of an `Authorization`, and the password in it. */
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

/** Longest first, so that no form is left in part. */
function formsOf(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets.filter(({ length }) => length >= MIN_CHARACTERS)) {
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...base64Of(secret)]) {
      forms.add(form);
    }
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/** In a longer base64 text, a secret begins at one of three places of a group of four characters. */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    // The first and the last character also depend on the bytes beside the secret.
    const own = text.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1);
    if (own.length < MIN_CHARACTERS) return [];
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function redactText(text: string, forms: readonly string[]): string {
  return forms.reduce((left, form) => left.replaceAll(form, REDACTED), text);
}

/** Without a secret that begins at the end, where the body was cut. */
function withoutBegun(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    for (let length = form.length - 1; length >= MIN_CHARACTERS; length -= 1) {
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length);
    }
  }
  return text;
}

function toLatin(text: string): string {
  return Buffer.from(text).toString('latin1');
}
