const REDACTED = '[redacted]';
/** Shorter ones occur in answers by chance. */
const MIN_CHARACTERS = 4;

type Bytes = { body: Buffer; truncated: boolean };

/**
 * Replaces secrets in what another side sent: receivers repeat what they were sent, in error pages and in tests. Each
 * secret is found as it was sent, in base64, escaped for JSON and escaped for a URL or a form.
 */
export type Redact = {
  text(text: string): string;
  /** Also without a secret that begins at the end, where the body was cut. It gets no longer. */
  body(given: Bytes): Buffer;
};

/** Undefined without a secret to look for. */
export function redacting(secrets: readonly string[]): Redact | undefined {
  const forms = formsOf(secrets);
  if (forms.length === 0) return undefined;
  return {
    text: (text) => redactText(text, forms),
    body({ body, truncated }) {
      // As Latin-1, a body of any bytes is a text of as many characters.
      const latin = forms.map(toLatin);
      const text = body.toString('latin1');
      const whole = truncated ? withoutBegun(text, latin) : text;
      return Buffer.from(redactText(whole, latin), 'latin1').subarray(0, Math.max(body.length, REDACTED.length));
    },
  };
}

/** Longest first, so that no form is left in part. */
function formsOf(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets.filter(({ length }) => length >= MIN_CHARACTERS)) {
    const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
    const escaped = [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), inForm];
    for (const form of [secret, ...escaped, ...base64Of(secret)]) forms.add(form);
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
