import { existsSync, readFileSync } from 'node:fs';
import { type Instance, instanceFile } from '../instance-file.ts';
import { createApi, field, textField } from '../management-api.ts';

/** The signing secret of a webhook's endpoint, or the reason why it is unknown. */
export type FoundSecret = { kind: 'found'; secret: string } | { kind: 'unknown'; why: string };

export type SecretSourceOptions = {
  home: string;
  secret: string | undefined;
  endpointId: string | undefined;
  signal: AbortSignal;
};

/**
 * Finds the secret that signs a delivery: the given one, else that of the endpoint, which the running instance of the
 * home is asked for. Never rejects.
 */
export function createSecretSource(options: SecretSourceOptions): (deliveryId: string) => Promise<FoundSecret> {
  const { home, secret, endpointId, signal } = options;
  return async (deliveryId) => {
    if (secret !== undefined) return { kind: 'found', secret };
    if (!existsSync(instanceFile(home))) {
      return { kind: 'unknown', why: `no instance runs in ${home}: give --secret whsec_…` };
    }
    try {
      const instance = JSON.parse(readFileSync(instanceFile(home), 'utf8')) as Instance;
      const api = createApi(instance.baseUrl, instance.managementToken, signal);
      const read = async (path: string): Promise<unknown> => {
        const answer = await api('GET', `/management/v1/workspaces/${instance.workspaceId}/${path}`);
        if (answer.status === 200) return answer.body;
        throw new Error(String(field(field(answer.body, 'error'), 'message') ?? answer.status));
      };
      const id = endpointId ?? textField(await read(`deliveries/${encodeURIComponent(deliveryId)}`), 'endpointId');
      const endpoint = await read(`endpoints/${encodeURIComponent(id)}`);
      return { kind: 'found', secret: textField(endpoint, 'secret') };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: 'unknown', why: `the secret could not be read from the instance (${reason})` };
    }
  };
}
