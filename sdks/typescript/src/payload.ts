import { requireJson, requirePrintable } from './options.ts';

export type Payload = { content: string | Uint8Array<ArrayBuffer>; contentType: string };

/** Strings and bytes stay as they are. Every other value becomes JSON. */
export function toPayload(value: unknown, given: string | undefined): Payload {
  const contentType = given === undefined ? undefined : requirePrintable('contentType', given);
  if (typeof value === 'string') return { content: value, contentType: contentType ?? 'text/plain; charset=utf-8' };
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return { content: copyOf(value), contentType: contentType ?? 'application/octet-stream' };
  }
  return { content: requireJson('payload', value), contentType: contentType ?? 'application/json' };
}

/** A copy, because the caller may change the original while the request is tried again. */
function copyOf(value: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> {
  const view =
    value instanceof ArrayBuffer
      ? new Uint8Array(value)
      : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return Uint8Array.from(view);
}
