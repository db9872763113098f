import { isIP } from 'node:net';
import { emailAddress } from '@posthorn/contract/accounts';
import { decoded, parseLoginUrl } from '@posthorn/runtime/url-escapes';

/** How the mail server is reached. */
export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise STARTTLS, where the server offers it. */
  isTls: boolean;
  /** Whether STARTTLS is required: a password never leaves this machine in plain text. */
  mustUpgrade: boolean;
  login: { user: string; password: string } | undefined;
};

const SUBMISSION_PORT = 587;
const TLS_PORT = 465;

/**
 * Parses `smtp://[user:password@]host[:port]`, or `smtps` for TLS from the first byte. Throws an Error that names the rule
 * and repeats no part of the text.
 */
export function parseSmtpUrl(text: string): SmtpServer {
  if (!/^smtps?:\/\//i.test(text)) throw new Error('must be an smtp or smtps URL');
  const { protocol, hostname, port, username, password, pathname, search, hash } = parseLoginUrl(text);
  if (hostname === '') throw new Error('must name a host');
  if (!['', '/'].includes(pathname) || search !== '' || hash !== '')
    throw new Error('must end with the host or its port');
  if ((username === '') !== (password === '')) throw new Error('must have both a user and a password, or neither');
  const isTls = protocol.toLowerCase() === 'smtps:';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const login = username === '' ? undefined : { user: decoded(username), password: decoded(password) };
  return {
    host,
    port: port === '' ? (isTls ? TLS_PORT : SUBMISSION_PORT) : Number(port),
    isTls,
    mustUpgrade: !isTls && login !== undefined && !isLoopback(host),
    login,
  };
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost';
  return host === '::1' || host.startsWith('127.');
}

/** The sender of every mail. */
export type Sender = { name: string; address: string };

/** Parses `address` or `Name <address>`. Throws an Error that names the rule. */
export function parseSender(text: string): Sender {
  const [, name = '', bracketed] = /^([^<>]{0,200})<([^<>]{1,300})>$/.exec(text) ?? [];
  const address = emailAddress.safeParse((bracketed ?? text).trim());
  if (!address.success || /[\p{Cc}"\\]/u.test(name)) {
    throw new Error('must be an email address, such as posthorn@example.com or Posthorn <posthorn@example.com>');
  }
  return { name: name.trim(), address: address.data };
}

/**
 * The name that Posthorn gives to the mail server (EHLO): the host of `BASE_URL`, or the domain of the sender if that
 * host is not a public name. A container has no name of its own, and many servers refuse a loopback address.
 */
export function usualEhloName(baseUrl: string, sender: Sender): string {
  const { hostname } = new URL(baseUrl);
  const isName = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 && hostname.includes('.');
  return isName ? hostname : sender.address.slice(sender.address.lastIndexOf('@') + 1);
}

/** Checks the EHLO name of a setting. Throws an Error that names the rule. */
export function checkEhloName(text: string): void {
  if (text.length <= 253 && /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i.test(text)) return;
  throw new Error('must be a host name, such as hooks.example.com');
}

/** The sender of an installation whose settings name none: an address at the host of its own URL. */
export function usualSender(baseUrl: string): Sender {
  return { name: 'Posthorn', address: `posthorn@${new URL(baseUrl).hostname}` };
}
