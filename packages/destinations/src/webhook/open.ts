import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName, type ResolveName } from '@posthorn/egress/resolve-name';
import type { Destination, OpenDestination, Tools } from '../kind.ts';
import { trusting } from './egress-agent.ts';
import { examine } from './examine.ts';
import { createSender } from './send.ts';

/** Less than the 5 s that a connection may take. */
const LOOKUP_BUDGET_MS = 4_000;

export const open: OpenDestination = (tools) =>
  openWith({ ...tools, resolve: createResolveName({ budgetMs: LOOKUP_BUDGET_MS }) });

/** With the look-up of names, and with a certificate authority (PEM) to trust besides the well-known ones. */
export function openWith({
  resolve,
  ca,
  ...tools
}: Tools & { resolve: ResolveName; ca?: string | undefined }): Destination {
  const { rules, clock } = tools;
  const sender = createSender({ rules, lookup: createLookup({ rules, resolve, clock }), clock, ca });
  return {
    ...sender,
    examine: (examination) =>
      examine(examination, { rules, resolve, clock, send: sender.send, secureContext: trusting(ca) }),
  };
}
