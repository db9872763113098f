import { DEFAULT_CIPHERS } from 'node:tls';

/**
 * The ciphers for connections to customers' servers: those of Node without DHE. In TLS 1.2, DHE lets the server choose the
 * group of the Diffie-Hellman exchange, and a group of 10,000 bits blocks the process for a second.
 */
export const CIPHERS = `${DEFAULT_CIPHERS}:!kDHE`;
