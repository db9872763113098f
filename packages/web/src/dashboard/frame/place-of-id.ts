/** The kinds of ids that search leads to. */
export type Found =
  | { kind: 'delivery'; deliveryId: string }
  | { kind: 'event'; eventId: string }
  | { kind: 'endpoint'; endpointId: string }
  | { kind: 'event type'; name: string }
  | { kind: 'nothing' };

const ID = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const EVENT_TYPE = /^[a-z0-9_]+(\.[a-z0-9_]+)*$/;

/** What a searched text names: an id goes straight to its page, a name with dots to that event type. */
export function placeOfId(text: string): Found {
  const searched = text.trim();
  const prefix = ID.test(searched) ? searched.slice(0, searched.indexOf('_')) : undefined;
  if (prefix === 'dlv') return { kind: 'delivery', deliveryId: searched };
  if (prefix === 'msg') return { kind: 'event', eventId: searched };
  if (prefix === 'ep') return { kind: 'endpoint', endpointId: searched };
  if (searched.includes('.') && EVENT_TYPE.test(searched)) return { kind: 'event type', name: searched };
  return { kind: 'nothing' };
}
