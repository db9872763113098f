import { waitFor } from '@posthorn/testkit/wait-for';
import type { Random } from '../random.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Tools } from '../row.ts';
import { ask, codeOf, field, inTurns, type Reply } from './ask.ts';
import { type Equipped, equipAnother, equipOwn } from './interface-things.ts';

/** A list with its filters, as one caller sees it. Places with the same `list` accept each other's cursors. */
type Place = { list: string; path: string; token: string };

const TAMPERINGS = 5_000;
const AT_ONCE = 8;
const ROWS = 4;

/** Uses cursors that were altered in every way, and cursors at lists to which they do not belong. */
export async function cursors(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const places = [...(await placesOf(rig, await equipOwn(rig))), ...(await placesOf(rig, await equipAnother(rig)))];
  const seen = await inTurns(places, AT_ONCE, (place) => openTwice(rig, place));
  const wrong = seen.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  const refused = async (reply: Reply, what: string) => {
    if (reply.status !== 400 || codeOf(reply) !== 'invalid_cursor')
      wrong.push(`${what}: ${reply.status} ${reply.text}`);
  };

  const elsewhere = places.flatMap((from, index) =>
    places.filter((to) => to.list !== from.list).map((to) => ({ from, to, cursor: seen[index]?.cursor ?? '' })),
  );
  const moved = random.sample(elsewhere, scaled(elsewhere.length));
  await inTurns(moved, AT_ONCE, async ({ from, to, cursor }, n) =>
    refused(await page(rig, { place: to, cursor, api: n }), `of ${from.list} at ${to.list}`),
  );

  const tamperings = scaled(TAMPERINGS);
  await inTurns(Array.from({ length: tamperings }), AT_ONCE, async (_, n) => {
    const index = random.whole(0, places.length - 1);
    const [place, cursor] = [places[index], seen[index]?.cursor ?? ''];
    if (place === undefined) return;
    const other = random.pick(seen.filter((_one, at) => places[at]?.list !== place.list)).cursor;
    const [how, altered] = tamper(random, { cursor, other });
    if (altered !== cursor)
      await refused(await page(rig, { place, cursor: altered, api: n }), `${how} at ${place.list}`);
  });
  for (const one of new Set(wrong.slice(0, 10))) say(one);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'lists', value: places.length },
      { what: 'cursors moved', value: moved.length },
      { what: 'cursors altered', value: tamperings },
      { what: 'not invalid_cursor', value: wrong.length, atMost: 0 },
    ],
  };
}

/** Checks that a cursor works at its own list in every process, and that two cursors for one position differ. */
async function openTwice(rig: Rig, place: Place): Promise<{ cursor: string; fault: string | undefined }> {
  const [one, two] = [await page(rig, { place, api: 0 }), await page(rig, { place, api: 1 })];
  const [first, second] = [field(one, 'nextCursor'), field(two, 'nextCursor')];
  if (typeof first !== 'string') throw new Error(`${place.list} has no second page: ${one.status} ${one.text}`);
  const next = [
    await page(rig, { place, cursor: first, api: 1 }),
    await page(rig, { place, cursor: String(second), api: 0 }),
  ].map(({ status, text }) => `${status} ${text.replace(/"nextCursor":"[^"]*"/, '')}`);
  const fault =
    first === second
      ? `${place.list}: two cursors for one position are equal`
      : next[0] !== next[1] || !next[0]?.startsWith('200')
        ? `${place.list}: ${next.join(' and ')}`
        : undefined;
  return { cursor: first, fault };
}

function page(rig: Rig, { place, cursor, api }: { place: Place; cursor?: string; api: number }): Promise<Reply> {
  const url = `${rig.apis[api % rig.apis.length]?.url}${place.path}${place.path.includes('?') ? '&' : '?'}limit=1`;
  const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return ask('GET', url + more, { token: place.token });
}

/** Every list with cursors, with and without filters, for each kind of credential. */
async function placesOf(rig: Rig, equipped: Equipped): Promise<Place[]> {
  const { seeded, things, session, portal, dashboard } = equipped;
  const inApplication = `/applications/${things.applications}/endpoints`;
  const endpoint = { url: 'https://127.0.0.1/', environmentId: things.environments };
  const second = String((await dashboard('POST', inApplication, endpoint)).id);
  await dashboard('PATCH', `/endpoints/${second}`, { isActive: false });
  for (let n = 0; n < ROWS; n += 1) {
    for (const id of [things.endpoints, second]) {
      await ask('POST', `${rig.apis[0]?.url}/api/ingest/${id}`, { token: seeded.apiKey, body: { n } });
    }
    await dashboard('POST', '/applications', { name: `Page ${n}` });
  }
  await waitFor(async () => (await rig.open()) === 0, { what: 'the deliveries to end', timeoutMs: 60_000 });
  const { workspaceId } = seeded;
  const at = (root: string, token: string, lists: readonly string[]) =>
    lists.map((list) => ({ list: `${workspaceId} ${list}`, path: root + list, token }));
  const ofEndpoints = [things.endpoints, second].flatMap((id) => [
    `/endpoints/${id}/deliveries`,
    `/endpoints/${id}/deliveries?status=failed`,
  ]);
  const ofWorkspace = [
    '/deliveries',
    '/deliveries?status=failed',
    `/deliveries?endpoint_id=${second}`,
    `/deliveries?endpoint_id=${second}&status=failed`,
    `/deliveries?environment_id=${things.environments}`,
    '/deliveries?from=2020-01-01T00:00:00Z',
    '/deliveries?to=2099-01-01T00:00:00Z',
    '/applications',
    '/applications?search=Page',
  ];
  return [
    ...at(`/management/v1/workspaces/${workspaceId}`, seeded.managementToken, [...ofEndpoints, ...ofWorkspace]),
    ...at(`/api/workspaces/${workspaceId}`, session, [...ofEndpoints, ...ofWorkspace]),
    // The portal's cursors are bound to its application, so it counts as a separate list.
    ...at('/api/portal', portal, ofEndpoints).map((place) => ({ ...place, list: `portal ${place.list}` })),
  ];
}

/** Alters a cursor. Returns the name of the alteration, and the altered cursor. */
function tamper(random: Random, { cursor, other }: { cursor: string; other: string }): [string, string] {
  const bytes = Buffer.from(cursor, 'base64url');
  const at = random.whole(0, bytes.length - 1);
  const place = random.whole(0, cursor.length - 1);
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << random.whole(0, 7));
  const otherByte = Buffer.from(bytes);
  otherByte[at] = random.whole(0, 255);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return random.pick<[string, string]>([
    ['a bit flipped', flipped.toString('base64url')],
    ['a bit flipped', flipped.toString('base64url')],
    ['a byte replaced', otherByte.toString('base64url')],
    ['a letter replaced', cursor.slice(0, place) + random.pick([...letters]) + cursor.slice(place + 1)],
    ['cut short', cursor.slice(0, place)],
    ['its beginning lost', cursor.slice(place + 1)],
    ['longer', cursor + random.pick([...letters])],
    ['twice', cursor + cursor],
    ['halves of two', cursor.slice(0, place) + other.slice(place)],
    ['padded', `${cursor}=`],
    ['in base64', `${bytes.toString('base64')}==`],
    ['in hexadecimal', bytes.toString('hex')],
    ['with a space', `${cursor.slice(0, place)} ${cursor.slice(place)}`],
    ['with a line', `${cursor}\n`],
    ['with a zero byte', `${cursor}\u0000`],
    ['other letters', random.pick(['null', 'undefined', '😀', '../..', '%00', 'x'.repeat(3_000), '{"before":0}'])],
  ]);
}
