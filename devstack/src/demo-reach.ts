import { BlockList } from 'node:net';

/** Whether these `EGRESS_ALLOW_CIDRS` allow a delivery to 127.0.0.1. The services report invalid ranges. */
export function opensLoopback(cidrs: string): boolean {
  const opened = new BlockList();
  for (const cidr of cidrs.split(',')) {
    const [, address, prefix] = /^\s*([\d.]+)(?:\/(\d+))?\s*$/.exec(cidr) ?? [];
    if (address === undefined) continue;
    try {
      opened.addSubnet(address, Number(prefix ?? 32));
    } catch {
      // The services report this fault.
    }
  }
  return opened.check('127.0.0.1');
}
