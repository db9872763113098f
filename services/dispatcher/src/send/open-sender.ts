import type { AddressRules } from '@posthorn/egress/address-rules';
import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName, type ResolveName } from '@posthorn/egress/resolve-name';
import type { Clock } from '@posthorn/runtime/clock';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { type DeliverySender, withPlayground } from './playground.ts';
import { createSender } from './send.ts';

/** A sender with its own connections, and the egress rules and the name look-up that it uses. */
export type Egress = { sender: DeliverySender; rules: AddressRules; resolve: ResolveName };

/** Less than the 5 s that a connection may take. */
const LOOKUP_BUDGET_MS = 4_000;

/** Opens a sender that is closed when the process stops. */
export function openSender(options: {
  rules: AddressRules;
  clock: Clock;
  lifecycle: Pick<Lifecycle, 'onStop'>;
}): Egress {
  const { rules, clock } = options;
  const resolve = createResolveName({ budgetMs: LOOKUP_BUDGET_MS });
  const lookup = createLookup({ rules, resolve, clock });
  const sender = withPlayground(createSender({ rules, lookup, clock }), clock);
  options.lifecycle.onStop('sender', () => sender.close());
  return { sender, rules, resolve };
}
