import { Fragment } from 'react';
import classes from './url-text.module.css';

const SCHEME = 'https://';
/** The characters that stay at the end of a shortened URL: addresses of one host differ at their ends. */
const END_CHARACTERS = 12;

/**
 * A URL in a list. If it does not fit, its middle is left out. A window narrower than `wholeFrom` also leaves out
 * `https://`, with which every URL begins. A link around it needs the URL as its label: a screen reader would pause in
 * the middle.
 */
export function UrlText({ url, wholeFrom = 'lg' }: { url: string; wholeFrom?: 'lg' | 'xl' }) {
  const isUrl = url.startsWith(SCHEME);
  const rest = isUrl ? url.slice(SCHEME.length) : url;
  return (
    <span className={classes.url}>
      <span className={classes.start}>
        {isUrl ? <span className={`mantine-visible-from-${wholeFrom}`}>{SCHEME}</span> : null}
        {rest.slice(0, -END_CHARACTERS)}
      </span>
      <span className={classes.end}>{rest.slice(-END_CHARACTERS)}</span>
    </span>
  );
}

/** A whole URL, broken after a slash if necessary. */
export function WholeUrl({ url }: { url: string }) {
  return url.split('/').map((part, index) => (
    <Fragment key={index}>
      {index === 0 ? null : '/'}
      {index === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}
