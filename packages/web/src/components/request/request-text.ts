import type { EndpointConfig } from '../../client/resources.ts';
import type { Sample } from '../sample/samples.ts';
import { hasStandardHeaders, type Signature } from './signatures.ts';

export type RequestInput = {
  url: string;
  format: NonNullable<EndpointConfig['payloadFormat']>;
  signature: Signature;
  /** False if the endpoint leaves out the headers of Standard Webhooks. */
  standardHeaders?: boolean | undefined;
  headers: Readonly<Record<string, string>>;
  secretHeaderNames: readonly string[];
  /** True if the endpoint has a username and a password. */
  hasAuth: boolean;
  /** True if each request has a token of an authorization server. */
  hasToken: boolean;
  workspaceId: string;
  environmentId: string;
  type: string;
  sample: Sample;
  /** The time for an event that does not exist yet, in ISO format. */
  at: string;
};

const EVENT_ID = 'msg_01jczhk8m3fd8tqv5x0w2b9n4e';

/** The request for an event of this type and payload, without real signatures (docs/interface.md, Delivery request). */
export function requestText(input: RequestInput): { head: string; body: string } {
  const { url, signature, headers, secretHeaderNames, hasAuth, hasToken, type, sample } = input;
  const id = sample.event?.id ?? EVENT_ID;
  const lines = [
    `POST ${url}`,
    ...contentTypeLine(input),
    ...(hasStandardHeaders(input) ? standardSignature(signature, id) : []),
    ...ownSignature(signature, id),
    `webhook-event-type: ${type}`,
    'webhook-delivery-id: dlv_…',
    'webhook-attempt: 1',
    `idempotency-key: ${sample.event === null ? id : '<idempotency key>'}`,
    'user-agent: Posthorn/…',
    ...(hasAuth ? ['authorization: Basic <secret>'] : []),
    ...(hasToken ? ['authorization: Bearer <token>'] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...secretHeaderNames.map((name) => `${name}: <secret>`),
  ];
  return { head: lines.join('\n'), body: bodyOf(input, id) };
}

function standardSignature(signature: RequestInput['signature'], id: string): string[] {
  return [
    `webhook-id: ${id}`,
    'webhook-timestamp: <unix seconds>',
    `webhook-signature: v1,<HMAC-SHA256>${signature === 'standard-ed25519' ? ' v1a,<Ed25519>' : ''}`,
  ];
}

/** The signature headers that receivers of another service verify. */
function ownSignature(signature: RequestInput['signature'], id: string): string[] {
  const time = '<unix seconds>';
  if (typeof signature === 'object') {
    const { header, form = '{signature}', timestampHeader, idHeader } = signature;
    return [
      ...(idHeader === undefined ? [] : [`${idHeader.toLowerCase()}: ${id}`]),
      ...(timestampHeader === undefined ? [] : [`${timestampHeader.toLowerCase()}: ${time}`]),
      `${header.toLowerCase()}: ${form.replaceAll('{timestamp}', time).replace('{signature}', '<HMAC>')}`,
    ];
  }
  switch (signature) {
    case 'svix':
      return [`svix-id: ${id}`, `svix-timestamp: ${time}`, 'svix-signature: v1,<HMAC-SHA256>'];
    case 'stripe':
      return [`stripe-signature: t=${time},v1=<HMAC-SHA256>`];
    case 'github':
      return ['x-hub-signature-256: sha256=<HMAC-SHA256>'];
    case 'shopify':
      return ['x-shopify-hmac-sha256: <HMAC-SHA256>'];
    case 'slack':
      return [`x-slack-request-timestamp: ${time}`, 'x-slack-signature: v0=<HMAC-SHA256>'];
    case 'convoy':
      return ['x-convoy-signature: <HMAC-SHA256>'];
    case 'convoy-advanced':
      return [`x-convoy-signature: t=${time},v1=<HMAC-SHA256>`];
    case 'outpost':
      return ['x-outpost-signature: v0=<HMAC-SHA256>'];
    case 'hook0':
      return [`x-hook0-signature: t=${time},v0=<HMAC-SHA256>,h=content-type,v1=<HMAC-SHA256>`];
    default:
      return [];
  }
}

function contentTypeLine({ format, sample }: RequestInput): string[] {
  if (format === 'envelope') return ['content-type: application/json'];
  if (format === 'cloudevents') return ['content-type: application/cloudevents+json; charset=utf-8'];
  return sample.contentType === null ? [] : [`content-type: ${sample.contentType}`];
}

function bodyOf({ format, type, sample, at, workspaceId, environmentId }: RequestInput, id: string): string {
  const time = sample.event?.createdAt ?? at;
  switch (format) {
    case 'raw':
      return sample.text;
    case 'envelope':
      return withData({ id, type, timestamp: time }, sample, 'dataBase64');
    case 'cloudevents': {
      const source = `/workspaces/${workspaceId}/environments/${environmentId}`;
      const { contentType } = sample;
      const fields = {
        specversion: '1.0',
        id,
        source,
        type,
        time,
        ...(contentType && { datacontenttype: contentType }),
      };
      return withData(fields, sample, 'data_base64');
    }
  }
}

/** Inserts the data as the dispatcher does: JSON as written, anything else as base64, and nothing for an empty body. */
function withData(head: Readonly<Record<string, string>>, sample: Sample, base64Field: string): string {
  const fields = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const data = isJsonType(sample.contentType)
    ? `  "data": ${sample.text.replaceAll('\n', '\n  ')}`
    : `  "${base64Field}": "${sample.isBase64 ? sample.text : base64Of(sample.text)}"`;
  return `{\n${[...fields, ...(sample.text === '' ? [] : [data])].join(',\n')}\n}`;
}

function isJsonType(contentType: string | null): boolean {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
}

function base64Of(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
