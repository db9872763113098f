import { parseArgs } from 'node:util';
import { Failure } from '../failure.ts';

/** The port of `npm run receiver`, which the commands in the closing box of `npm start` use. */
export const RECEIVER_PORT = 9_443;

/** Requests to this path need not be signed. */
export const UNSIGNED_PATH = '/unsigned';

export const USAGE = `usage: npm run receiver -- [options]

Shows each webhook that arrives at https://127.0.0.1:${RECEIVER_PORT}, whatever its path, and whether its signature verifies.
It verifies every signature that an endpoint can have. A webhook with a wrong one, or older than five minutes, is answered
400. One that cannot be checked is answered 503. What arrives at ${UNSIGNED_PATH} need not be signed, such as an alert for a chat.
It uses the certificate that npm start made in POSTHORN_HOME (default .posthorn), which that instance trusts.

  --port PORT        the port (default ${RECEIVER_PORT}; 0: any free one)
  --status STATUS    the answer to a webhook that verifies, 200 to 599 (default 204)
  --secret SECRET    the endpoint's signing secret (or WEBHOOK_SECRET)
  --endpoint ID      the endpoint (ep_…) whose secret is read from the running instance
                     Without either, the endpoint is found by the delivery or the address of each webhook.
  --pull             fetch every event of the running instance instead: no port, no certificate
  --json             write one line of JSON for each webhook to standard output
  --help             show this text
`;

export type ReceiverOptions = {
  port: number;
  status: number;
  secret: string | undefined;
  endpointId: string | undefined;
  pull: boolean;
  json: boolean;
  help: boolean;
};

/** Reads the command line; a wrong one is a Failure with exit code 2. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): ReceiverOptions {
  const { port, status, secret, endpoint, pull = false, json = false, help = false } = parse(args);
  return {
    port: wholeNumber('--port', port ?? String(RECEIVER_PORT), 0, 65_535),
    status: wholeNumber('--status', status ?? '204', 200, 599),
    secret: checkedSecret(secret ?? (environment.WEBHOOK_SECRET || undefined)),
    endpointId: endpoint,
    pull,
    json,
    help,
  };
}

function parse(args: string[]) {
  const value = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { port: value, status: value, secret: value, endpoint: value, pull: flag, json: flag, help: flag };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw wrong(`${name} must be a whole number from ${least} to ${most}.`);
}

function checkedSecret(secret: string | undefined): string | undefined {
  const trimmed = secret?.trim();
  if (trimmed === undefined || /^[\x20-\x7e]{8,256}$/.test(trimmed)) return trimmed;
  throw wrong('The secret must be 8 to 256 printable ASCII characters.');
}

function wrong(message: string): Failure {
  return new Failure(message, 'npm run receiver -- --help lists the options.', 2);
}
