// Uses the library on any runtime: sends an event, reads a list, verifies a webhook. runtimes.test.ts runs it.
import { Posthorn } from '@posthorn/client';
import { sign, verify } from '@posthorn/client/webhooks';

const posthorn = new Posthorn();
const { id } = await posthorn.events.send('order.paid', { total: 1900 }, { application: '*' });
const [event] = await posthorn.events.list({ eventType: 'order.paid' }).toArray({ limit: 1 });
const secret = `whsec_${btoa('a'.repeat(32))}`;
const verified = await verify('{}', await sign('{}', secret), secret);
// biome-ignore lint/suspicious/noConsole: the result of the program.
console.log(event.id === id, new TextDecoder().decode(verified.payload));
