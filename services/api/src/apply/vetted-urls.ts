import type { DocumentEndpoint, WorkspaceDocument } from '@posthorn/contract/apply';
import { kindOf } from '@posthorn/destinations/kinds';
import { vetDestination } from '../endpoints/vet-destination.ts';
import type { UrlVerdict, WorkspaceContext } from '../operation/context.ts';
import { vetBrokers } from '../sources/sources.ts';
import { ApiError } from '../transport/error.ts';

/** All workspaces share the look-ups of a process, and a name server may delay each of them. */
const LOOKUPS_AT_ONCE = 20;

/** Looks up the addresses of all items, a few at once. */
export async function lookUp<Item>(
  items: readonly Item[],
  vet: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += LOOKUPS_AT_ONCE) {
    const some = items.slice(start, start + LOOKUPS_AT_ONCE);
    await Promise.all(some.map((item, index) => vet(item, start + index)));
  }
}

/**
 * The context with the verdicts on the document's new addresses: their names are looked up now, because no transaction
 * should wait for a name server.
 */
export async function withVettedUrls(
  ctx: WorkspaceContext,
  { endpoints = [], sources = [] }: WorkspaceDocument,
): Promise<WorkspaceContext> {
  const verdicts = new Map<string, Promise<UrlVerdict>>();
  const vetUrl = (url: string) => {
    const known = verdicts.get(url) ?? ctx.vetUrl(url);
    verdicts.set(url, known);
    return known;
  };
  const vetted = { ...ctx, vetUrl };
  const stored = await storedUrls(ctx, endpoints);
  await lookUp(endpoints, (one) => vet(vetted, one, stored));
  await lookUp(sources, ({ config }) => vetBrokers(vetted, config).catch(ofOperation));
  return vetted;
}

async function vet(ctx: WorkspaceContext, endpoint: DocumentEndpoint, stored: ReadonlySet<string>): Promise<void> {
  const { url, config, destination, type } = endpoint;
  if (url !== undefined && !stored.has(url)) await ctx.vetUrl(url);
  if (config?.oauth2 !== undefined) await ctx.vetUrl(config.oauth2.tokenUrl);
  const kind = type === undefined ? undefined : kindOf(type);
  const place = destination ?? config?.destination;
  if (kind?.section?.schema.safeParse(place).success !== true) return;
  await vetDestination(ctx, kind, { destination: place }).catch(ofOperation);
}

/** Ignores a refusal here: the operation refuses the address again, and names its place. */
function ofOperation(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

/** An endpoint that keeps its URL keeps it without another look-up. */
async function storedUrls(ctx: WorkspaceContext, endpoints: readonly DocumentEndpoint[]): Promise<Set<string>> {
  const urls = endpoints.flatMap(({ url }) => url ?? []);
  const rows = await ctx.db.endpoint.findMany({
    where: { workspaceId: ctx.workspace.id, deletedAt: null, url: { in: urls } },
    distinct: ['url'],
    select: { url: true },
    take: urls.length,
  });
  return new Set(rows.map(({ url }) => url));
}
