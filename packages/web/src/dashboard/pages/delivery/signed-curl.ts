import type { Attempt, Delivery, Endpoint, PayloadEnvelope } from '../../../client/resources.ts';
import { bytesOfBase64, signatureOf } from '../../../client/webhook-signature.ts';
import { getsRequests, isStandard, signatureOf as schemeOf } from '../../../components/request/signatures.ts';

export type CurlInput = {
  delivery: Pick<Delivery, 'id' | 'eventId' | 'eventTypeName' | 'idempotencyKey'>;
  payload: Pick<PayloadEnvelope, 'body' | 'encoding' | 'contentType'>;
  endpoint: { url: string; secret: string; authUsername: string | null };
  /** The headers of the newest attempt, if there is one. */
  requestHeaders: Attempt['requestHeaders'] | undefined;
  /** The time of the signature, in Unix seconds; receivers accept it for about five minutes. */
  timestamp: number;
};

type Receiver = Parameters<typeof getsRequests>[0] & Pick<Endpoint, 'config' | 'type'>;

/**
 * Why the request of an endpoint cannot be made here; undefined if it can. The dashboard only has the payload as
 * ingested. Only the dispatcher can convert it, or make other signatures than Standard Webhooks.
 */
export function whyNoCommand({ config, pull, type }: Receiver): string | undefined {
  const { payloadFormat = 'raw', transformation } = config;
  if (!getsRequests({ config, pull })) return `No request is sent to an endpoint of the type ${type}.`;
  if (payloadFormat !== 'raw') return `The endpoint receives ${payloadFormat}, ${MADE_LATER}`;
  if (transformation !== undefined && transformation.isEnabled !== false) {
    return `The endpoint has a transformation, whose result ${MADE_LATER.slice('which '.length)}`;
  }
  if (!isStandard(schemeOf(config))) return `The endpoint has a signature of its own, ${MADE_LATER}`;
  return undefined;
}

const MADE_LATER = 'which is made when it is sent. Retry the delivery to send it again.';

/** Headers that curl sets itself, or that belong to the original request only. */
const LEFT_OUT = new Set([
  'host',
  'content-length',
  'connection',
  'authorization',
  'user-agent',
  'traceparent',
  'tracestate',
  'webhook-timestamp',
  'webhook-signature',
]);

/**
 * A command that sends the delivery's request again from the reader's machine, with a new Standard Webhooks signature.
 * The secret itself is not part of the command. With a user name, curl asks for the password.
 */
export async function signedCurl(input: CurlInput): Promise<string> {
  const { delivery, payload, endpoint, timestamp } = input;
  const body = bytesOf(payload);
  const signature = await signatureOf(endpoint.secret, { id: delivery.eventId, timestamp: String(timestamp), body });
  const headers: [string, string][] = [
    ...sentHeaders(input),
    ['webhook-timestamp', String(timestamp)],
    ['webhook-signature', `v1,${signature}`],
  ];
  const options = [
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(endpoint.authUsername === null ? [] : [`-u ${quoted(endpoint.authUsername)}`]),
    ...(payload.body === null ? [] : [bodyOption(payload)]),
  ];
  const before = payload.encoding === 'base64' ? `printf %s ${quoted(payload.body ?? '')} | base64 -d | ` : '';
  return `${before}curl --globoff -X POST ${quoted(endpoint.url)} \\\n  ${options.join(' \\\n  ')}`;
}

function sentHeaders({ delivery, payload, requestHeaders }: CurlInput): [string, string][] {
  if (requestHeaders !== undefined) {
    return Object.entries(requestHeaders).filter(
      ([name, value]) => !LEFT_OUT.has(name.toLowerCase()) && value !== '[redacted]',
    );
  }
  return [
    ['content-type', payload.contentType ?? 'application/json'],
    ['webhook-id', delivery.eventId],
    ...(delivery.eventTypeName === null
      ? []
      : [['webhook-event-type', delivery.eventTypeName] satisfies [string, string]]),
    ['webhook-delivery-id', delivery.id],
    ['idempotency-key', delivery.idempotencyKey],
  ];
}

// With --data-raw, a body that begins with @ is sent as it is. With --data, curl would read a file of that name.
function bodyOption({ body, encoding }: CurlInput['payload']): string {
  return encoding === 'base64' ? '--data-binary @-' : `--data-raw ${quoted(body ?? '')}`;
}

/** Quotes any text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function bytesOf({ body, encoding }: CurlInput['payload']): Uint8Array<ArrayBuffer> {
  return encoding === 'base64' ? bytesOfBase64(body ?? '') : new TextEncoder().encode(body ?? '');
}
