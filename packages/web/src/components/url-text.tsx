const SCHEME = 'https://';

/** A URL in a list. A window narrower than `wholeFrom` has no room for `https://`, with which every URL begins. */
export function UrlText({ url, wholeFrom = 'lg' }: { url: string; wholeFrom?: 'lg' | 'xl' }) {
  if (!url.startsWith(SCHEME)) return url;
  return (
    <>
      <span className={`mantine-visible-from-${wholeFrom}`}>{SCHEME}</span>
      {url.slice(SCHEME.length)}
    </>
  );
}
