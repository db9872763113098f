import type { EndpointConfig } from '../../../client/resources.ts';

export type PreviewInput = {
  url: string;
  format: NonNullable<EndpointConfig['payloadFormat']>;
  signature: NonNullable<EndpointConfig['signature']>;
  headers: Readonly<Record<string, string>>;
  secretHeaderNames: readonly string[];
  workspaceId: string;
  environmentId: string;
  type: string;
  /** JSON. */
  payload: string;
  /** The time of the event, as ISO. */
  at: string;
};

const EVENT_ID = 'msg_01jczhk8m3fd8tqv5x0w2b9n4e';

const CONTENT_TYPES = {
  raw: 'application/json',
  envelope: 'application/json',
  cloudevents: 'application/cloudevents+json; charset=utf-8',
};

/** The request that an event of that type and payload becomes, with signatures left out. */
export function requestPreview(input: PreviewInput): string {
  const { url, format, signature, headers, secretHeaderNames, type, at } = input;
  const lines = [
    `POST ${url}`,
    `content-type: ${CONTENT_TYPES[format]}`,
    `webhook-id: ${EVENT_ID}`,
    `webhook-timestamp: ${Math.floor(Date.parse(at) / 1_000)}`,
    `webhook-signature: v1,…${signature === 'standard-ed25519' ? ' v1a,…' : ''}`,
    `webhook-event-type: ${type}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...secretHeaderNames.map((name) => `${name}: […]`),
  ];
  return `${lines.join('\n')}\n\n${bodyOf(input)}`;
}

function bodyOf({ format, type, payload, at, workspaceId, environmentId }: PreviewInput): string {
  const event = { id: EVENT_ID, type };
  switch (format) {
    case 'raw':
      return payload;
    case 'envelope':
      return withData({ ...event, timestamp: at }, payload);
    case 'cloudevents': {
      const source = `/workspaces/${workspaceId}/environments/${environmentId}`;
      const { id } = event;
      return withData({ specversion: '1.0', id, source, type, time: at, datacontenttype: 'application/json' }, payload);
    }
  }
}

/** The payload is put in as it is written, as the dispatcher does. */
function withData(head: Readonly<Record<string, string>>, payload: string): string {
  const fields = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return ['{', ...fields, `  "data": ${payload.replaceAll('\n', '\n  ')}`, '}'].join('\n');
}
