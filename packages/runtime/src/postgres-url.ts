import { parse } from 'pg-connection-string';
import { parseUrl } from './parse-url.ts';
import { ENCODE, parseLoginUrl } from './url-escapes.ts';

/**
 * Checks the URL of a Postgres database as pg will read it, including the certificate files that it names. pg also
 * reads `postgres://user@/db?host=/folder/of/a/socket`, which `URL` cannot parse because its user has no host. Throws
 * an Error that names the rule and repeats no secret.
 */
export function checkPostgresUrl(text: string): void {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new Error('must begin with postgres://');
  const withHost = text.replace(/^postgres(ql)?:\/\/[^@/?#]*@(?=\/)/, '$&localhost');
  const parsed = withHost === text ? undefined : parseUrl(withHost);
  if (parsed !== undefined && !parsed.searchParams.get('host')) {
    throw new Error(
      'must have a host after the @, or end with ?host= and the folder of a socket; encode other @ as %40',
    );
  }
  parseLoginUrl(withHost);
  try {
    parse(text);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined || path === undefined)
      throw new Error(`cannot be read by the client of Postgres; ${ENCODE}`);
    throw new Error('names a file of certificates (sslrootcert, sslcert or sslkey) that cannot be read');
  }
}
