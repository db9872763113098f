import { createInterface } from 'node:readline';
import { Posthorn } from '@posthorn/client';

// Sends events with 64 in flight. Each line of the input is `library <seconds>` or `bare <seconds>`; each line of the output
// is `{sent, seconds, cpuSeconds}`. sender.py and sender.go do the same in their languages.

const IN_FLIGHT = 64;
const { BASE_URL = '', API_KEY = '', EVENT_TYPE = '', BODY = '' } = process.env;
const payload: unknown = JSON.parse(BODY);
const posthorn = new Posthorn({ baseUrl: BASE_URL, apiKey: API_KEY, retries: 0 });

const senders: Record<string, () => Promise<unknown>> = {
  library: () => posthorn.events.send(EVENT_TYPE, payload, { application: '*' }),
  async bare() {
    const response = await fetch(`${BASE_URL}/api/ingest/event/${EVENT_TYPE}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify(payload),
      // The clients of the other languages have a time limit, too.
      signal: AbortSignal.timeout(15_000),
    });
    if (!response.ok) throw new Error(`refused: ${await response.text()}`);
    return response.json();
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name = '', seconds] = line.split(' ');
  const send = senders[name];
  if (send === undefined) throw new Error(`no sender ${name}`);
  process.stdout.write(`${JSON.stringify(await sendFor(Number(seconds), send))}\n`);
}

async function sendFor(seconds: number, send: () => Promise<unknown>) {
  let sent = 0;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const end = startedAt + 1_000 * seconds;
  const sendOn = async () => {
    while (performance.now() < end) {
      await send();
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendOn));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { sent, seconds: (performance.now() - startedAt) / 1_000, cpuSeconds: (user + system) / 1e6 };
}
