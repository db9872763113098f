const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes the text for HTML, between tags or in quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const IS_HTML: unique symbol = Symbol('html');

/** A part of a page, whose values are escaped. A value that was read or received can never be one. */
export type Html = { readonly text: string; readonly [IS_HTML]: true };

type Value = Html | readonly Html[] | string | number | undefined;

/**
 * Makes a part of a page from a template. Each value is escaped, unless it is a part itself. Undefined adds nothing.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const written = parts.map((part, index) => (index === 0 ? part : `${write(values[index - 1])}${part}`));
  return { text: written.join(''), [IS_HTML]: true };
}

function write(value: Value): string {
  if (value === undefined) return '';
  if (typeof value !== 'object') return escapeHtml(String(value));
  if (IS_HTML in value) return value.text;
  return value.map(write).join('');
}
