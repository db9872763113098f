import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { VettedAddress } from './literal-host.ts';

/** The path of the system's hosts file. */
export const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** The addresses of a name in the hosts file, in its order; none when the file cannot be read. */
export async function addressesInHostsFile(path: string, hostname: string): Promise<VettedAddress[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return parseHosts(text, hostname);
}

function parseHosts(text: string, hostname: string): VettedAddress[] {
  const wanted = hostname.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    if (family === 0 || !names.includes(wanted)) return [];
    return [{ address, family: family === 4 ? 4 : 6 } as const];
  });
}
