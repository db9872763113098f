import { DEFAULT_CIPHERS } from 'node:tls';

/**
 * What a connection to a server of a customer offers: the ciphers of Node, but not those of TLS 1.2 in which the server
 * chooses the group of a Diffie-Hellman exchange. A group of 10,000 bits would hold up the process for a second.
 */
export const CIPHERS = `${DEFAULT_CIPHERS}:!kDHE`;
