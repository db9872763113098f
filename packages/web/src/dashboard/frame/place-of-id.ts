/** The target of a search text. An id leads directly to its page; another text is searched for in lists. */
export type Found =
  | { kind: 'delivery'; id: string }
  | { kind: 'event'; id: string }
  | { kind: 'endpoint'; id: string }
  | { kind: 'customer'; id: string }
  | { kind: 'text'; text: string }
  | { kind: 'nothing' };

const ID = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export function placeOfId(text: string): Found {
  const searched = text.trim();
  if (searched === '') return { kind: 'nothing' };
  const prefix = ID.test(searched) ? searched.slice(0, searched.indexOf('_')) : undefined;
  if (prefix === 'dlv') return { kind: 'delivery', id: searched };
  if (prefix === 'msg') return { kind: 'event', id: searched };
  if (prefix === 'ep') return { kind: 'endpoint', id: searched };
  if (prefix === 'app') return { kind: 'customer', id: searched };
  return { kind: 'text', text: searched };
}
