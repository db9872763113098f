import { parseUrl } from '@posthorn/runtime/parse-url';

// Parses AWS addresses. They contain the region and the account, so nobody has to give these twice.

export type Queue = { origin: string; region: string | undefined; account: string; name: string };

/**
 * The parts of a queue's URL; undefined for any other text. `region` is undefined for a server that is not Amazon's.
 */
export function parseQueueUrl(text: string): Queue | undefined {
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const { protocol, origin, hostname, pathname, search, hash, username, password } = url;
  const [, account, name] = /^\/([^/]{1,64})\/([\w-]{1,80}(?:\.fifo)?)$/.exec(pathname) ?? [];
  const isPlain = search === '' && hash === '' && username === '' && password === '';
  if (!/^https?:$/.test(protocol) || !isPlain || account === undefined || name === undefined) return undefined;
  return { origin, region: regionOfHost(hostname), account, name };
}

/**
 * The region in `sqs.<region>.amazonaws.com`, `<region>.queue.amazonaws.com` or
 * `vpce-….sqs.<region>.vpce.amazonaws.com`.
 */
function regionOfHost(host: string): string | undefined {
  const labels = host.split('.');
  const isAmazon = host.endsWith('.amazonaws.com') || host.endsWith('.amazonaws.com.cn');
  return isAmazon ? labels.find((label) => REGION.test(label)) : undefined;
}

export type Arn = { partition: string; service: string; region: string; account: string; resource: string };

/** The parts of an Amazon Resource Name; undefined for any other text. */
export function parseArn(text: string): Arn | undefined {
  const [start, partition = '', service = '', region = '', account = '', ...resource] = text.split(':');
  if (start !== 'arn' || !/^aws(-[a-z]{1,10}){0,2}$/.test(partition) || service === '') return undefined;
  return { partition, service, region, account, resource: resource.join(':') };
}

/** The form of a region, such as `eu-central-1` or `us-gov-west-1`. A region becomes part of a host name. */
export const REGION = /^[a-z]{2}(-[a-z]{2,12}){1,3}-\d{1,2}$/;

export function isFifo(name: string): boolean {
  return name.endsWith('.fifo');
}
