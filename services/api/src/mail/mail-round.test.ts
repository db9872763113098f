import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { queueMail } from '@posthorn/mail/outgoing-mail';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { waitFor } from '@posthorn/testkit/wait-for';
import { seedPerson, uuidOf } from '../../test/people.ts';
import { createMetrics } from '../metrics.ts';
import { createMailRound, type MailRoundDeps } from './mail-round.ts';

const database = await createTestDatabase();
const { db } = database;
const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);
afterAll(() => database.drop());

const SLOW = 'slow@example.org';

test('slow recipients and hundreds of mails of one owner delay neither the mail of another owner nor a password reset', async () => {
  const queue = (to: string, of: { workspaceId?: string; userId?: string }) => {
    const content = { subject: 'A subject', paragraphs: ['Words.'], footer: 'Why.' };
    return queueMail(db, keys, { mail: { kind: 'invitation', to, content, ...of }, now: new Date() });
  };
  const createdBy = randomUUID();
  for (let n = 0; n < 5; n += 1) {
    const workspaceId = uuidOf('ws', (await seedWorkspace(db)).workspaceId);
    await db.workspace.update({ where: { id: workspaceId }, data: { createdBy } });
    for (let mails = 0; mails < 40; mails += 1) await queue(SLOW, { workspaceId });
  }
  const other = uuidOf('ws', (await seedWorkspace(db)).workspaceId);
  await queue('other@example.org', { workspaceId: other });
  const person = await seedPerson(db);
  await queue(person.email, { userId: uuidOf('usr', person.userId) });

  const sent: string[] = [];
  let under = 0;
  let answer = () => {};
  const slow = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const deps: MailRoundDeps = {
    ...{ db, keys, clock: systemClock, metrics: createMetrics(), logger: { warn: () => {} } },
    async send({ to }) {
      if (to !== SLOW) sent.push(to);
      else {
        under += 1;
        await slow;
      }
      return { kind: 'sent' };
    },
  };
  const mails = createMailRound(deps);
  await mails.round();
  await waitFor(() => sent.length === 2, { what: 'the mails of the others' });
  expect(sent.toSorted()).toEqual(['other@example.org', person.email].toSorted());
  // Neither a further round nor another process begins more than three of the owner.
  await Promise.all([mails.round(), createMailRound(deps).round()]);
  expect(under).toBe(3);
  // A mail of another owner that comes meanwhile is sent at once.
  await queue('late@example.org', { workspaceId: other });
  await mails.round();
  await waitFor(() => sent.includes('late@example.org'), { what: 'the mail that came later' });
  answer();
  await mails.drain();
});
