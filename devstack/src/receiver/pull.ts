import { existsSync, readFileSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { type Instance, instanceFile } from '../instance-file.ts';
import { type Api, createApi, field, strict, textField } from '../management-api.ts';
import type { Run } from '../run.ts';
import { say } from '../say.ts';
import type { AnswerTo } from './answer.ts';
import type { Answer } from './https-server.ts';

const EXTERNAL_ID = 'receiver';
/** Seconds that a request waits for events, less than a request may take. */
const WAIT_SECONDS = 5;

/**
 * Fetches the events of the running instance from a pull endpoint and answers each, until the run ends. The endpoint is
 * kept: events that are sent meanwhile wait for the next start. The key is made for this run only.
 */
export async function fetchWebhooks(run: Run, home: string, answer: AnswerTo): Promise<never> {
  if (!existsSync(instanceFile(home))) throw new Failure(`No instance runs in ${home}.`, 'Start one: npm start');
  const instance = JSON.parse(readFileSync(instanceFile(home), 'utf8')) as Instance;
  const { baseUrl, workspaceId, managementToken } = instance;
  // This signal never aborts, because the key is deleted after the run's signal has aborted.
  const api = createApi(baseUrl, managementToken, new AbortController().signal);
  const workspace: Api = (method, path, body) => api(method, `/management/v1/workspaces/${workspaceId}/${path}`, body);
  const id = await findEndpoint(workspace);
  const key = (await strict(workspace)('POST', `endpoints/${id}/pull-keys`, { name: 'npm run receiver' })).body;
  const remove = () => workspace('DELETE', `endpoints/${id}/pull-keys/${textField(key, 'id')}`).then(() => undefined);
  run.onStop({ name: 'pull key', hurryAfterMs: 1_000, stop: remove });
  say('receiver', `fetches the events of the endpoint ${id}, which is kept; Ctrl-C stops it`);
  const pull = strict(createApi(baseUrl, textField(key, 'pullKey'), run.signal));
  for (;;) {
    const leased = await pull('POST', `/api/pull/${id}/lease`, { max: 1, waitSeconds: WAIT_SECONDS });
    for (const message of field(leased.body, 'messages') as unknown[]) await settle(pull, id, message, answer);
  }
}

async function findEndpoint(workspace: Api): Promise<string> {
  const found = await workspace('GET', `endpoints/ext:${EXTERNAL_ID}`);
  if (found.status === 200) return textField(found.body, 'id');
  const body = { type: 'pull', externalId: EXTERNAL_ID, description: 'npm run receiver -- --pull', eventTypes: ['*'] };
  return textField((await strict(workspace)('POST', 'endpoints', body)).body, 'id');
}

async function settle(pull: Api, id: string, message: unknown, answer: AnswerTo): Promise<void> {
  const headers = field(message, 'headers') as Record<string, string>;
  const body = Buffer.from(textField(message, 'body'), 'base64');
  const given = statusOf(await answer({ method: 'pull', url: '', headers }, body));
  const isAccepted = given >= 200 && given < 300;
  const { deliveryId, leaseToken } = message as { deliveryId: string; leaseToken: string };
  const messages = [{ deliveryId, leaseToken, responseStatus: given }];
  await pull('POST', `/api/pull/${id}/${isAccepted ? 'ack' : 'nack'}`, { messages });
}

function statusOf(answer: Answer): number {
  return answer === 'disconnect' ? 500 : answer.status;
}
