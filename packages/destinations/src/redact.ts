const REDACTED = '[redacted]';
/** Shorter secrets occur in answers by chance. */
const MIN_CHARACTERS = 4;

type Bytes = { body: Buffer; truncated: boolean };

/**
 * Replaces secrets in what the other side sent: receivers repeat what they got, in error pages and in tests. Each
 * secret is found as it was sent, in base64, and escaped for JSON, for a URL or a form, and for HTML.
 */
export type Redact = {
  text(text: string): string;
  /** Also removes a secret that begins at the end, where the body was cut. The body gets no longer. */
  body(given: Bytes): Buffer;
};

/** Undefined if there is no secret to look for. */
export function redacting(secrets: readonly string[]): Redact | undefined {
  const forms = formsOf(secrets);
  if (forms.length === 0) return undefined;
  return {
    text: (text) => redactText(text, forms),
    body({ body, truncated }) {
      // In Latin-1, a body of any bytes is a text with one character for each byte.
      const latin = forms.map(toLatin);
      const text = body.toString('latin1');
      const whole = truncated ? withoutBegun(text, latin) : text;
      return Buffer.from(redactText(whole, latin), 'latin1').subarray(0, Math.max(body.length, REDACTED.length));
    },
  };
}

/** The forms of the secrets, longest first, so that no form is left in part. */
function formsOf(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets.filter(({ length }) => length >= MIN_CHARACTERS)) {
    const escaped = NEEDS_NO_ESCAPE.test(secret) ? [] : [...inJson(secret), ...inUrl(secret), ...inHtml(secret)];
    for (const form of [secret, ...escaped, ...base64Of(secret)]) forms.add(form);
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

const NEEDS_NO_ESCAPE = /^[\w.-]+$/;

/** The forms that JavaScript, Python, PHP (with and without escaped letters), Go and .NET write in JSON. */
function inJson(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  const ascii = plain.replace(/[\u0080-\uffff]/g, toUnicodeEscape);
  return [
    ...[plain, ascii, plain.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/')],
    plain.replace(/[&<>]/g, toUnicodeEscape),
    plain
      .replaceAll('\\"', '\\u0022')
      .replace(/[&'+<>`\u0080-\uffff]/g, (letter) => `\\u${toUnicodeEscape(letter).slice(2).toUpperCase()}`),
  ];
}

function toUnicodeEscape(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The forms in a part of a URL and in a form; also with an unescaped slash, as in Python, and with lower-case hex
 * digits, as in .NET.
 */
function inUrl(secret: string): string[] {
  const part = encodeURIComponent(secret);
  const strict = part.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  return [part, strict, strict.replaceAll('%2F', '/'), inForm].flatMap((form) => [
    form,
    form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ]);
}

function inHtml(secret: string): string[] {
  const plain = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = plain.replaceAll('"', '&quot;');
  return [
    ...[
      plain,
      quoted,
      quoted.replaceAll("'", '&#39;'),
      quoted.replaceAll("'", '&#x27;'),
      quoted.replaceAll("'", '&#039;'),
    ],
    plain.replaceAll('"', '&#34;').replaceAll("'", '&#39;'),
  ];
}

/** The base64 forms of a secret. In a longer text, it begins at one of three places of a group of four characters. */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    // The first and the last character also depend on the bytes next to the secret.
    const own = text.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1);
    if (own.length < MIN_CHARACTERS) return [];
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function redactText(text: string, forms: readonly string[]): string {
  return forms.reduce((left, form) => left.replaceAll(form, REDACTED), text);
}

/** Removes a secret that begins at the end of the text, where the body was cut. */
function withoutBegun(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    const length = begunAtEnd(text, form);
    if (length >= MIN_CHARACTERS) return text.slice(0, -length);
  }
  return text;
}

/**
 * The length of the longest beginning of the form, but not all of it, with which the text ends. It runs in linear time
 * (Knuth, Morris and Pratt), because a tenant chooses the form and a receiver the text.
 */
function begunAtEnd(text: string, form: string): number {
  // For each beginning of the form, the length of the longest shorter beginning with which it ends.
  const shorter = new Uint32Array(form.length);
  const extend = (length: number, letter: string | undefined) => {
    let fits = length;
    while (fits > 0 && form[fits] !== letter) fits = shorter[fits - 1] ?? 0;
    return form[fits] === letter ? fits + 1 : 0;
  };
  for (let at = 1; at < form.length; at += 1) shorter[at] = extend(shorter[at - 1] ?? 0, form[at]);
  let fits = 0;
  for (let at = Math.max(0, text.length - form.length + 1); at < text.length; at += 1) fits = extend(fits, text[at]);
  return fits;
}

function toLatin(text: string): string {
  return Buffer.from(text).toString('latin1');
}
