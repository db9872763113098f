import type { PAYLOAD_FORMATS } from '@posthorn/contract/endpoint-config';
import { toId, uuidTime } from '@posthorn/contract/ids';
import { isJsonType } from '@posthorn/contract/ingest';

/** `mcp` is the format of events to agents. Only endpoints of that kind have it. */
export type PayloadFormat = (typeof PAYLOAD_FORMATS)[number] | 'mcp';

export type PayloadToFormat = {
  eventId: string;
  workspaceId: string;
  environmentId: string;
  /** Null for direct ingestion. */
  eventType: string | null;
  contentType: string | null;
  body: Buffer;
  /** True if the payload is as ingested. False if a transformation made the body: it may not be JSON. */
  isIngested: boolean;
};

export type FormattedPayload = { body: Buffer; contentType: string | null };

/** The type of direct events, which have none: a CloudEvent must have a type. */
const TYPE_OF_DIRECT_EVENTS = 'posthorn.direct';

/** Returns the body to send, and its content type (docs/interface.md, Payload formats). */
export function formatPayload(format: PayloadFormat, payload: PayloadToFormat): FormattedPayload {
  switch (format) {
    case 'raw':
      return { body: payload.body, contentType: payload.contentType };
    case 'envelope':
      return { body: envelope(payload), contentType: 'application/json' };
    case 'cloudevents':
      return { body: cloudEvent(payload), contentType: 'application/cloudevents+json; charset=utf-8' };
    case 'mcp':
      return { body: mcpEvent(payload), contentType: 'application/json' };
  }
}

/** The largest body of an event to an agent (MCP Events). */
const MCP_EVENT_BYTES = 262_144;
/** All white space of JSON is at or below this byte. */
const SPACE = 0x20;
const OPENING_BRACE = 0x7b;

/**
 * Why an ingested payload can never be sent in this format; undefined if it can. An event to an agent must be a JSON
 * object, and its body at most 256 KiB.
 */
export function faultOfPayload(
  format: PayloadFormat,
  payload: PayloadToFormat,
): 'invalid_payload' | 'message_too_large' | undefined {
  if (format !== 'mcp') return undefined;
  const first = withoutBom(payload.body).find((byte) => byte > SPACE);
  const isObject = isJsonType(payload.contentType ?? undefined) && first === OPENING_BRACE;
  if (!isObject) return 'invalid_payload';
  return mcpEvent(payload).length > MCP_EVENT_BYTES ? 'message_too_large' : undefined;
}

/** Inserts the payload between the fields, byte for byte as it was ingested. */
function mcpEvent({ eventId, eventType: name, body }: PayloadToFormat): Buffer {
  const fields = { eventId: toId('msg', eventId), name, timestamp: uuidTime(eventId).toISOString() };
  const start = JSON.stringify(fields).slice(0, -1);
  return Buffer.concat([Buffer.from(`${start},"data":`), withoutBom(body), Buffer.from(',"cursor":null}')]);
}

function envelope(payload: PayloadToFormat): Buffer {
  const { eventId, eventType: type } = payload;
  const fields = { id: toId('msg', eventId), type, timestamp: uuidTime(eventId).toISOString() };
  return withData(fields, payload, 'dataBase64');
}

function cloudEvent(payload: PayloadToFormat): Buffer {
  const { eventId, eventType, workspaceId, environmentId, contentType } = payload;
  const fields = {
    specversion: '1.0',
    id: toId('msg', eventId),
    source: `/workspaces/${toId('ws', workspaceId)}/environments/${toId('env', environmentId)}`,
    type: eventType ?? TYPE_OF_DIRECT_EVENTS,
    time: uuidTime(eventId).toISOString(),
    ...(contentType === null || contentType === '' ? {} : { datacontenttype: contentType }),
  };
  return withData(fields, payload, 'data_base64');
}

/**
 * Adds the data as the last field: JSON byte for byte, anything else as base64. An empty body adds no field. Ingestion
 * has checked the JSON, so the result is well-formed. Serializing it again could change numbers and the order of keys.
 */
function withData(fields: object, { contentType, body, isIngested }: PayloadToFormat, base64Field: string): Buffer {
  if (body.length === 0) return Buffer.from(JSON.stringify(fields));
  const start = JSON.stringify(fields).slice(0, -1);
  if (!isJsonType(contentType ?? undefined) || (!isIngested && !isJson(withoutBom(body)))) {
    return Buffer.from(`${start},"${base64Field}":"${body.toString('base64')}"}`);
  }
  return Buffer.concat([Buffer.from(`${start},"data":`), withoutBom(body), Buffer.from('}')]);
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** A BOM may stand before a JSON text, but not within one (RFC 8259 §8.1). */
function withoutBom(body: Buffer): Buffer {
  return body.subarray(0, 3).equals(BOM) ? body.subarray(3) : body;
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
