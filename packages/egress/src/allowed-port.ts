/**
 * Whether a connection to a URL's port is allowed. Refused are the ports of the Fetch standard's bad-port list
 * (https://fetch.spec.whatwg.org/#port-blocking) and of common databases, because a server of another protocol may
 * execute parts of an HTTP request as commands. `port` comes from a parsed URL: empty for the default port.
 */
export function isAllowedPort(port: string): boolean {
  return port === '' || !REFUSED.has(Number(port));
}

const FETCH_BAD_PORTS = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];
/** SQL Server, MySQL, PostgreSQL, Redis, Elasticsearch, Memcached, MongoDB. */
const DATABASE_PORTS = [1433, 3306, 5432, 6379, 9200, 11211, 27017];

const REFUSED: ReadonlySet<number> = new Set([...FETCH_BAD_PORTS, ...DATABASE_PORTS]);
