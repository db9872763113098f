import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';

// What the browser and a passkey do. The API takes the answers, which are small: it reads no other part of them.

/** Whether this browser can use passkeys here: they need https, or this machine. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn();

/**
 * Why this page can use no passkey although the browser knows them: a passkey belongs to a name, and the address of the
 * page has none. `named` is the same page at `localhost`, where it is on this machine. Undefined where passkeys work.
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

/** Makes a passkey by the options of the API. Rejects with an Error to show when the person or the device declines. */
export async function makePasskey(options: object) {
  const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON'];
  const { id, rawId, type, response } = await startRegistration({ optionsJSON });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return {
    ...{ id, rawId, type, clientExtensionResults: {} },
    response: { clientDataJSON, attestationObject, transports },
  };
}

/** Lets a passkey sign the options of the API. Rejects with an Error to show when the person or the device declines. */
export async function signWithPasskey(options: object) {
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON });
  const { clientDataJSON, authenticatorData, signature } = response;
  return {
    ...{ id, rawId, type, clientExtensionResults: {} },
    response: { clientDataJSON, authenticatorData, signature },
  };
}
