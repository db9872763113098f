import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName, type ResolveName } from '@posthorn/egress/resolve-name';
import type { Destination, OpenDestination, Place, SendRequest, Tools } from '../kind.ts';
import { createTunnels } from '../tunnel.ts';
import { type AuthorisedRequest, createAuthorisedSender } from './authorised.ts';
import { trusting } from './egress-agent.ts';
import { examine } from './examine.ts';
import type { AuthorisedPlace } from './oauth2.ts';
import { ownTls, type TlsPlace } from './own-tls.ts';
import { createSender, type WebRequest } from './send.ts';
import { createTlsSenders } from './tls-senders.ts';

/** Must be less than the 5 s that a connection may take. */
const LOOKUP_BUDGET_MS = 4_000;

export const open: OpenDestination = (tools) =>
  openWith({ ...tools, resolve: createResolveName({ budgetMs: LOOKUP_BUDGET_MS }) });

/** As `open`, with a look-up of names and a certificate authority (PEM) to trust in addition to the well-known ones. */
export function openWith({
  resolve,
  ca,
  ...tools
}: Tools & { resolve: ResolveName; ca?: string | undefined }): Destination {
  const { rules, clock, proxy, onTokenRequest } = tools;
  const tunnels = proxy && createTunnels(proxy, clock);
  const reaching = { rules, lookup: createLookup({ rules, resolve, clock }), clock, ca, tunnels };
  const sender = createSender(reaching);
  const tlsSenders = createTlsSenders((place) => createSender({ ...reaching, tls: ownTls(place, ca) }));
  const sendInTls = (request: SendRequest & Pick<WebRequest, 'isAlone'>) => {
    const { place } = request;
    return hasTls(place) ? tlsSenders.send(place, request) : sender.send(request);
  };
  const authorised = createAuthorisedSender({ send: sendInTls, sendToServer: sender.send, clock, onTokenRequest });
  const send = (request: SendRequest & Pick<AuthorisedRequest, 'isAlone' | 'isForged'>) => {
    const { place } = request;
    if (place.oauth2 === undefined && place.tls === undefined) return sender.send(request);
    return isAuthorised(place) ? authorised.send({ ...request, place }) : sendInTls(request);
  };
  return {
    send,
    abortAll() {
      sender.abortAll();
      tlsSenders.abortAll();
    },
    close() {
      tunnels?.close();
      tlsSenders.close();
      sender.close();
    },
    async examine(examination) {
      const request = examination.message();
      const { place } = request;
      const tls = hasTls(place) ? ownTls(place, ca) : { secureContext: trusting(ca), serverName: undefined };
      const askForToken = isAuthorised(place) ? () => authorised.tokenFor({ ...request, place }) : undefined;
      await examine(examination, { rules, resolve, clock, send, tunnels, ...tls, askForToken });
    },
  };
}

function hasTls(place: Place): place is Place & TlsPlace {
  return place.tls !== undefined;
}

function isAuthorised(place: Place): place is Place & AuthorisedPlace {
  return place.oauth2 !== undefined;
}
