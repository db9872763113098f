import { Box } from '@mantine/core';

const SCHEME = 'https://';

/** A URL in a list. A narrow window has no room for `https://`, with which every URL begins. */
export function UrlText({ url }: { url: string }) {
  if (!url.startsWith(SCHEME)) return url;
  return (
    <>
      <Box component="span" visibleFrom="lg">
        {SCHEME}
      </Box>
      {url.slice(SCHEME.length)}
    </>
  );
}
