import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { dim, green, red } from '../say.ts';

export type Verdict =
  | { kind: 'verified' }
  | { kind: 'unsigned' }
  | { kind: 'not_verified' }
  | { kind: 'unknown'; why: string };

export type ReceivedWebhook = {
  receivedAt: Date;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  verdict: Verdict;
  status: number;
};

const SHOWN_CHARACTERS = 4_000;

/** A webhook in a few lines for a person. Control characters of the sender are shown as `?`. */
export function inWords(webhook: ReceivedWebhook): string {
  const { receivedAt, method, path, headers, body, status } = webhook;
  const header = (name: string): string => harmless(String(headers[name] ?? '-'));
  const facts = [
    header('webhook-event-type'),
    header('webhook-id'),
    `attempt ${header('webhook-attempt')}`,
    `${body.length} bytes`,
  ];
  return [
    `${dim(receivedAt.toISOString().slice(11, 23))}  ${method} ${harmless(path)}  ${facts.join('  ')}`,
    `              ${verdictInWords(webhook.verdict)}; answered ${status}`,
    ...bodyLines(body).map((line) => `              ${line}`),
  ].join('\n');
}

/** A webhook as one line of JSON. A body that is not UTF-8 is in base64. */
export function asJson({ receivedAt, method, path, headers, body, verdict, status }: ReceivedWebhook): string {
  const text = isUtf8(body) ? { body: body.toString() } : { bodyBase64: body.toString('base64') };
  return JSON.stringify({
    receivedAt: receivedAt.toISOString(),
    method,
    path,
    headers,
    ...text,
    signature: verdict.kind,
    status,
  });
}

function verdictInWords(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'verified':
      return green('signature verified');
    case 'unsigned':
      return 'not signed, which this path accepts';
    case 'not_verified':
      return red('signature does NOT verify');
    case 'unknown':
      return red(`signature not checked: ${verdict.why}`);
  }
}

function bodyLines(body: Buffer): string[] {
  if (body.length === 0) return [dim('(empty body)')];
  if (!isUtf8(body)) return [dim('(not text; in base64)'), body.toString('base64').slice(0, SHOWN_CHARACTERS)];
  const text = body.toString();
  const lines = text.slice(0, SHOWN_CHARACTERS).split('\n').map(harmless);
  return text.length > SHOWN_CHARACTERS
    ? [...lines, dim(`(${text.length - SHOWN_CHARACTERS} more characters)`)]
    : lines;
}

/** Replaces control characters: a terminal obeys them, and the text is the sender's. */
function harmless(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => (character === '\t' ? '  ' : '?'));
}
