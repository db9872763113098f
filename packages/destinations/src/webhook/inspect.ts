import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type PeerCertificate, type SecureContext } from 'node:tls';
import { type AddressRules, isAllowedAddress } from '@posthorn/egress/address-rules';
import { vetLiteralHost } from '@posthorn/egress/literal-host';
import { dnsCode, type ResolveName } from '@posthorn/egress/resolve-name';
import type { Tunnels } from '../tunnel.ts';
import { describeSendError } from './send-error.ts';
import { tlsFaultOf, WRONG_NAME } from './tls-fault.ts';

// Makes the steps of a connection to an endpoint one by one, for the doctor. The egress rules are the same as for a
// delivery: no connection goes to a forbidden address, and the address of a connected socket is checked before a byte
// is sent.

export type FoundAddress = { address: string; allowed: boolean };

/** The addresses of a host, each with its check. `failed` has the code of the DNS failure. */
export type FoundHost =
  | { kind: 'found'; isLiteral: boolean; addresses: FoundAddress[] }
  | { kind: 'failed'; code: string };

/** Looks a host up without any cache. A literal address and `localhost` are not looked up. */
export async function findHost(
  host: string,
  { rules, resolve }: { rules: AddressRules; resolve: ResolveName },
): Promise<FoundHost> {
  const literal = vetLiteralHost(host, rules);
  if (literal !== undefined) {
    const addresses =
      literal.kind === 'blocked'
        ? [{ address: literal.address, allowed: false }]
        : literal.addresses.map(({ address }) => ({ address, allowed: true }));
    return { kind: 'found', isLiteral: true, addresses };
  }
  try {
    const resolved = await resolve(host.toLowerCase());
    if (resolved.length === 0) return { kind: 'failed', code: 'ENODATA' };
    const addresses = resolved.map(({ address }) => ({ address, allowed: isAllowedAddress(address, rules) }));
    return { kind: 'found', isLiteral: false, addresses };
  } catch (error) {
    return { kind: 'failed', code: dnsCode(error) };
  }
}

export type Reached = { address: string } & (
  | { kind: 'connected'; durationMs: number }
  | { kind: 'failed'; reason: string }
);

type ReachOptions = {
  port: number;
  rules: AddressRules;
  timeoutMs: number;
  monotonicMs: () => number;
  /** Connects through a proxy if set. */
  tunnels?: Tunnels | undefined;
};

/** Opens a TCP connection to an address, and closes it. */
export async function reach(address: string, options: ReachOptions): Promise<Reached> {
  const startedMs = options.monotonicMs();
  const opened = await openSocket(address, options);
  if (opened.kind === 'failed') return { address, ...opened };
  opened.socket.destroy();
  return { address, kind: 'connected', durationMs: Math.round(options.monotonicMs() - startedMs) };
}

/**
 * A server's certificate, as a client judges it. `faults` has codes of OpenSSL and Node. Without any, the certificate
 * is trusted.
 */
export type FoundCertificate = { faults: string[]; names: string; issuer: string; validTo: Date | undefined };

export type Handshake =
  | { kind: 'done'; protocol: string; cipher: string; certificate: FoundCertificate }
  | { kind: 'failed'; reason: string; advice?: string };

type HandshakeOptions = ReachOptions & { host: string; secureContext: SecureContext };

/**
 * Makes a TLS handshake and closes the connection. It accepts every certificate in order to describe it, and sends
 * nothing.
 */
export async function shakeHands(address: string, options: HandshakeOptions): Promise<Handshake> {
  const { host, secureContext, timeoutMs } = options;
  const opened = await openSocket(address, options);
  if (opened.kind === 'failed') return opened;
  const { socket: tcp } = opened;
  return new Promise((resolve) => {
    const socket = connectTls({
      socket: tcp,
      secureContext,
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const end = (result: Handshake) => {
      clearTimeout(deadline);
      socket.destroy();
      tcp.destroy();
      resolve(result);
    };
    const deadline = setTimeout(() => end({ kind: 'failed', reason: timedOut(timeoutMs) }), timeoutMs);
    socket.on('error', (error) => {
      const fault = tlsFaultOf(error);
      if (fault === undefined) end({ kind: 'failed', reason: describeSendError(error).message });
      else end({ kind: 'failed', reason: fault.said, advice: fault.advice });
    });
    socket.once('close', () => end({ kind: 'failed', reason: 'The server closed the connection' }));
    socket.once('secureConnect', () => {
      const certificate = judgeCertificate(host, socket.getPeerCertificate(), textOf(socket.authorizationError));
      end({
        kind: 'done',
        protocol: socket.getProtocol() ?? 'unknown',
        cipher: socket.getCipher().standardName ?? socket.getCipher().name,
        certificate,
      });
    });
  });
}

/** Node checks the name only of a trusted certificate. This reports both faults. */
function judgeCertificate(
  host: string,
  certificate: PeerCertificate,
  trustFault: string | undefined,
): FoundCertificate {
  const nameFault = checkServerIdentity(host, certificate) === undefined ? undefined : WRONG_NAME;
  const validTo = new Date(certificate.valid_to ?? '');
  return {
    faults: [...new Set([trustFault, nameFault].filter((fault) => fault !== undefined))],
    names: certificate.subjectaltname ?? nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    validTo: Number.isNaN(validTo.getTime()) ? undefined : validTo,
  };
}

/** A part that occurs twice in a certificate is a list. */
function nameOf(party: { O?: string | string[]; CN?: string | string[] } | undefined): string {
  return [party?.O, party?.CN].flat().filter(Boolean).join(', ') || 'unknown';
}

/** The code of the fault. In some cases Node has an error instead of a code. */
function textOf(fault: unknown): string | undefined {
  if (fault === null || fault === undefined) return undefined;
  return fault instanceof Error ? fault.message : String(fault);
}

type Opened = { kind: 'opened'; socket: Socket } | { kind: 'failed'; reason: string };

async function openSocket(address: string, options: ReachOptions): Promise<Opened> {
  const { tunnels, port, monotonicMs, timeoutMs } = options;
  if (tunnels === undefined) return openDirectly(address, options);
  try {
    return { kind: 'opened', socket: await tunnels.open(address, port, monotonicMs() + timeoutMs) };
  } catch (error) {
    return { kind: 'failed', reason: describeSendError(error).message };
  }
}

function openDirectly(address: string, { port, rules, timeoutMs }: ReachOptions): Promise<Opened> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host: address, port });
    const fail = (reason: string) => {
      clearTimeout(deadline);
      socket.destroy();
      resolve({ kind: 'failed', reason });
    };
    const deadline = setTimeout(() => fail(timedOut(timeoutMs)), timeoutMs);
    // This listener stays after the handshake: without one, an error would end the process.
    socket.on('error', (error) => fail(describeSendError(error).message));
    socket.once('connect', () => {
      clearTimeout(deadline);
      if (socket.remoteAddress === undefined || !isAllowedAddress(socket.remoteAddress, rules)) {
        return fail('The connection led to a forbidden address');
      }
      resolve({ kind: 'opened', socket });
    });
  });
}

function timedOut(afterMs: number): string {
  return `No answer within ${afterMs / 1_000} s`;
}
