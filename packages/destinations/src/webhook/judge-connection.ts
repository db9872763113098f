import { type Judgement, pass } from '../examination.ts';
import type { FoundAddress, FoundCertificate, FoundHost, Handshake, Reached } from './inspect.ts';
import { OTHER_CERTIFICATE, type TlsFault, tlsFaultOf, WRONG_NAME } from './tls-fault.ts';

// The doctor's results for the steps of a connection. These are pure functions, with texts for the receiver's engineer.
// The portal shows the texts too, so they name neither Posthorn nor its settings.

export function judgeHost(host: string, found: FoundHost): Judgement {
  if (found.kind === 'failed') {
    return {
      outcome: 'fail',
      detail: `${host} could not be resolved (${found.code})`,
      advice:
        'Publish an A or AAAA record for this host, and check the spelling of the URL. Search domains and multicast DNS do not apply.',
    };
  }
  const listed = listOf(found.addresses);
  const detail = found.isLiteral ? `${host} is ${listed}` : `${host} resolves to ${listed}`;
  if (found.addresses.every(({ allowed }) => allowed)) return pass(detail);
  return {
    outcome: 'fail',
    detail,
    advice: 'Point the name to public addresses only: one private or reserved address refuses the whole name.',
  };
}

/** A name server may answer with thousands of addresses. */
const MAX_LISTED = 64;

/** Lists the addresses with their check. If there are too many, the forbidden ones come first. */
function listOf(addresses: readonly FoundAddress[]): string {
  const ordered =
    addresses.length <= MAX_LISTED ? addresses : addresses.toSorted((a, b) => Number(a.allowed) - Number(b.allowed));
  const listed = ordered
    .slice(0, MAX_LISTED)
    .map(({ address, allowed }) => `${address} (${allowed ? 'allowed' : 'forbidden'})`);
  const more = addresses.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

export function judgeReached(port: number, reached: readonly Reached[]): Judgement {
  const detail = reached
    .map((one) =>
      one.kind === 'connected'
        ? `${one.address} port ${port} accepted the connection in ${one.durationMs} ms`
        : `${one.address} port ${port}: ${one.reason}`,
    )
    .join('; ');
  const failed = reached.filter(({ kind }) => kind === 'failed');
  if (failed.length === 0) return pass(detail);
  if (failed.length < reached.length) {
    return {
      outcome: 'warn',
      detail,
      advice: 'Let the server listen at every address of its name, or remove the DNS records of the others.',
    };
  }
  return {
    outcome: 'fail',
    detail,
    advice: `Check that the server listens on port ${port}, and that no firewall refuses these connections.`,
  };
}

export function judgeHandshake(handshake: Handshake): Judgement {
  if (handshake.kind === 'done') return pass(`${handshake.protocol} with ${handshake.cipher}`);
  return {
    outcome: 'fail',
    detail: handshake.reason,
    advice: handshake.advice ?? 'Let the server offer TLS 1.2 or TLS 1.3 on this port. Plain HTTP is not supported.',
  };
}

/** A certificate that expires in fewer days is a warning. */
const LEAST_DAYS = 21;
const DAY_MS = 86_400_000;

export function judgeCertificate(host: string, certificate: FoundCertificate, now: Date): Judgement {
  const { faults, validTo } = certificate;
  const until = validTo === undefined ? 'with no end date' : `valid until ${validTo.toISOString().slice(0, 10)}`;
  const about = `The certificate is for ${shown(certificate.names)}, issued by ${shown(certificate.issuer)}, ${until}`;
  if (faults.length > 0) {
    return {
      outcome: 'fail',
      detail: [about, ...faults.map((fault) => saidOf(fault, host))].join('. '),
      advice: faults.map((fault) => faultOf(fault).advice).join(' '),
    };
  }
  const days = validTo === undefined ? 0 : Math.floor((validTo.getTime() - now.getTime()) / DAY_MS);
  const detail = `${about} (${days} days left)`;
  if (days >= LEAST_DAYS) return pass(detail);
  return {
    outcome: 'warn',
    detail,
    advice:
      'Renew the certificate, and check that its automatic renewal works: once it has ended every delivery fails.',
  };
}

function saidOf(fault: string, host: string): string {
  const { said } = faultOf(fault);
  return fault === WRONG_NAME ? `${said} than ${host}` : said;
}

/** Describes a certificate fault in words. An unknown code means that the certificate is not valid. */
function faultOf(fault: string): TlsFault {
  return tlsFaultOf(fault) ?? OTHER_CERTIFICATE;
}

/** Makes a text that the server controls safe to show: shortened, with only printable ASCII. */
export function shown(text: string): string {
  const printable = [...text.slice(0, SHOWN_CHARACTERS)].map((one) => (one >= ' ' && one <= '~' ? one : '?')).join('');
  return text.length > SHOWN_CHARACTERS ? `${printable}…` : printable;
}

const SHOWN_CHARACTERS = 200;
