import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';

// The browser's part of passkeys. The API checks the results. They are small, because it reads only what it needs.

/** True if this browser can use passkeys on this page: they need https, or localhost. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn();

/**
 * Passkeys belong to a host name, so a page at an IP address cannot use them. Returns undefined where passkeys work.
 * `named` is the same page at `localhost`, if the address is of this machine.
 */
export function namelessPage(address: string): { named: string | undefined } | undefined {
  const url = new URL(address);
  const { hostname } = url;
  // A host whose last part is a number is an IPv4 address (URL Standard, host parsing).
  const last = hostname.split('.').at(-1) ?? '';
  const isAddress = hostname.startsWith('[') || (last !== '' && Number.isInteger(Number(last)));
  if (!isAddress) return undefined;
  const isHere = hostname.startsWith('127.') || hostname === '[::1]';
  url.hostname = 'localhost';
  return { named: isHere ? url.href : undefined };
}

/** Creates a passkey with the API's options. Rejects with an Error to show when the person or the device declines. */
export async function makePasskey(options: object) {
  const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON'];
  const { id, rawId, type, response } = await startRegistration({ optionsJSON });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return {
    ...{ id, rawId, type, clientExtensionResults: {} },
    response: { clientDataJSON, attestationObject, transports },
  };
}

/** Signs with a passkey by the API's options. Rejects with an Error to show when the person or the device declines. */
export async function signWithPasskey(options: object) {
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON });
  const { clientDataJSON, authenticatorData, signature } = response;
  return {
    ...{ id, rawId, type, clientExtensionResults: {} },
    response: { clientDataJSON, authenticatorData, signature },
  };
}
