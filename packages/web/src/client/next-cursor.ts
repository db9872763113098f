/**
 * Reads the next page's cursor from the `Link` header (docs/interface.md, Lists and cursors); null on the last page.
 */
export function nextCursor(response: Response): string | null {
  const link = response.headers.get('link');
  if (link === null) return null;
  const target = link.slice(link.indexOf('<') + 1, link.indexOf('>'));
  return new URL(target, window.location.origin).searchParams.get('cursor');
}
