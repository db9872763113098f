import { BlockList } from 'node:net';

/** Whether these `EGRESS_ALLOW_CIDRS` let a delivery reach 127.0.0.1. What is no range is left to the services. */
export function opensLoopback(cidrs: string): boolean {
  const opened = new BlockList();
  for (const cidr of cidrs.split(',')) {
    const [, address, prefix] = /^\s*([\d.]+)(?:\/(\d+))?\s*$/.exec(cidr) ?? [];
    if (address === undefined) continue;
    try {
      opened.addSubnet(address, Number(prefix ?? 32));
    } catch {
      // The services name this fault themselves.
    }
  }
  return opened.check('127.0.0.1');
}
