import { open, parseSealingKeys, type SealingKeys, seal } from './seal.ts';
import { decodeStrictBase64 } from './strict-base64.ts';

/** Keys of page cursors: a separate type, so that cursor keys and sealing keys are not confused. */
export type CursorKeys = { readonly cursor: SealingKeys };

/** Parses the same format as sealing keys, with the same errors: the first key seals, and every key opens. */
export function parseCursorKeys(text: string): CursorKeys {
  return { cursor: parseSealingKeys(text) };
}

/**
 * An opaque page cursor in base64url. `position` is a JSON value. `context` names the list, its filters and the
 * workspace for which the cursor is valid. Equal positions give different texts.
 */
export function sealCursor(keys: CursorKeys, position: unknown, context: string): string {
  const plaintext = Buffer.from(JSON.stringify(position));
  return seal(keys.cursor, plaintext, boundTo(context)).toString('base64url');
}

/** The position in a cursor for this context; `undefined` for any other text. The caller checks its form. */
export function openCursor(keys: CursorKeys, text: string, context: string): unknown {
  const sealed = decodeStrictBase64(text, 'base64url');
  if (sealed === undefined) return undefined;
  const opened = open(keys.cursor, sealed, boundTo(context));
  return opened.kind === 'opened' ? JSON.parse(opened.plaintext.toString()) : undefined;
}

function boundTo(context: string): string {
  return `cursor:${context}`;
}
