import { decoded, ENCODE, parseLoginUrl } from './url-escapes.ts';

type RedisAddress = { host: string; port: number };

/** The servers that `REDIS_URL` names, and how to reach them. */
export type RedisServers = { isEncrypted: boolean } & (
  | { kind: 'single'; url: string }
  | ({ kind: 'sentinel'; sentinels: RedisAddress[]; master: string } & Login)
  | ({ kind: 'cluster'; nodes: RedisAddress[] } & Login)
);

/** The login of the servers. A password without a user name is that of the default user. */
type Login = { login: { username?: string; password?: string } };

const SCHEME = /^(rediss?)(?:\+(sentinel|cluster))?:\/\//;
/** The parts of a URL: the user and the password, the hosts, and the path after the hosts. */
const PARTS = /^(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^/?#]*))?$/;
const DEFAULT_PORTS = { sentinel: 26379, cluster: 6379 };

/**
 * Reads `redis://[user:password@]host[:port][/database]`, `redis+sentinel://[user:password@]host[:port],…/master` or
 * `redis+cluster://[user:password@]host[:port],…`. `rediss` instead of `redis` means TLS. In the user and the
 * password, characters with a meaning in a URL are percent-encoded. Throws an Error that names the rule and repeats no
 * part of the text.
 */
export function parseRedisUrl(text: string): RedisServers {
  const [prefix = '', scheme, kind] = SCHEME.exec(text) ?? [];
  if (scheme === undefined) {
    throw new Error('must begin with redis://, redis+sentinel:// or redis+cluster://, or one of them with rediss');
  }
  const isEncrypted = scheme === 'rediss';
  if (kind === undefined) {
    checkSingle(text);
    return { kind: 'single', url: text, isEncrypted };
  }
  const [matched, userInfo = '', hosts = '', path = ''] = PARTS.exec(text.slice(prefix.length)) ?? [];
  if (matched === undefined) {
    throw new Error(`must be [user:password@]hosts[/path] without options; ${ENCODE}`);
  }
  const login = parseLogin(userInfo);
  if (kind === 'sentinel') {
    if (path.includes('@')) throw new Error(`has an @ after its hosts; ${ENCODE}`);
    const master = decoded(path);
    if (master === '') throw new Error("must end with /<name of the master>, as in the sentinels' configuration");
    return { kind, isEncrypted, login, master, sentinels: parseAddresses(hosts, DEFAULT_PORTS.sentinel) };
  }
  if (path !== '' && path !== '0') throw new Error('must have no path: a Redis Cluster has one database only');
  return { kind: 'cluster', isEncrypted, login, nodes: parseAddresses(hosts, DEFAULT_PORTS.cluster) };
}

/** Checks the URL of a single server. ioredis reads the URL itself, which may have options after a question mark. */
function checkSingle(text: string): void {
  const hosts = /^[^/]*\/\/(?:[^@/?#]*@)?([^@/?#]*)/.exec(text)?.[1] ?? '';
  if (hosts.includes(',')) {
    throw new Error('must be a URL with one host; several hosts need redis+sentinel:// or redis+cluster://');
  }
  const { pathname } = parseLoginUrl(text);
  if (!/^\/?\d{0,5}$/.test(pathname)) throw new Error(`must have the number of a database after the host, or nothing`);
}

function parseLogin(userInfo: string): Login['login'] {
  const colon = userInfo.indexOf(':');
  const username = decoded(colon < 0 ? userInfo : userInfo.slice(0, colon));
  const password = colon < 0 ? '' : decoded(userInfo.slice(colon + 1));
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}

function parseAddresses(hosts: string, defaultPort: number): RedisAddress[] {
  return hosts.split(',').map((part) => {
    const [, bracketed, plain, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(part) ?? [];
    const host = bracketed ?? plain;
    const number = port === undefined ? defaultPort : Number(port);
    if (host === undefined || number < 1 || number > 65_535) {
      throw new Error('must name hosts as host or host:port, separated by commas, with ports from 1 to 65535');
    }
    return { host, port: number };
  });
}
