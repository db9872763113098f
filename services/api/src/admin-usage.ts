/** The commands of posthorn-admin: their arguments, and what each does. Lines are indented when they are shown. */
const COMMANDS: Record<string, { options?: string; words: string }> = {
  migrate: {
    words: `apply the migrations that are missing, make the daily partitions, and grant the role of
DATABASE_URL what the services need (as DATABASE_OWNER_URL, else DATABASE_DIRECT_URL, else DATABASE_URL)`,
  },
  'create-workspace': {
    options: '--name NAME --slug SLUG --email EMAIL [--plan free|pro|enterprise] [--password-stdin]',
    words: `make a workspace with its owner, a management token and an API key, and print them as JSON
(DATABASE_URL, DEFAULT_PLAN). The owner's password is the first line of standard input with
--password-stdin, for an email without an account; otherwise the owner is invited, and accepts
with the setPasswordToken that is printed, good once, for 7 days`,
  },
  'list-workspaces': {
    words: `print one JSON line for each workspace with its id and that of its default environment, and at the end
their number (DATABASE_URL)`,
  },
  reinvite: {
    options: '--slug SLUG --email EMAIL',
    words: 'print a new setPasswordToken for an invitation to that workspace (DATABASE_URL)',
  },
  'reset-password': {
    options: '--email EMAIL',
    words: `print a setPasswordToken that sets the account's password, good once, for a day; using it ends
every session and voids every other such token of the person (DATABASE_URL)`,
  },
  'sign-in-link': {
    options: '--email EMAIL',
    words: `print the path of a page that signs the account in once within 15 minutes, without a password and without the
sign-in provider: for an operator where PASSWORD_LOGIN is false (DATABASE_URL)`,
  },
  'reset-second-factor': {
    options: '--email EMAIL',
    words: `remove the account's second factor and its recovery codes, and end its sessions, for a person who lost
them: the password alone signs in until a new one is set up (DATABASE_URL)`,
  },
  'set-quotas': {
    options: `--slug SLUG [--events-per-day N|none|default] [--bytes-kept N|none|default]
                 [--attempt-bytes-kept N|none|default]`,
    words: `set what the workspace may send on a UTC day and keep, and print it; none is no limit, default is the value
of QUOTA_EVENTS_PER_DAY, QUOTA_BYTES_KEPT or QUOTA_ATTEMPT_BYTES_KEPT for its plan (DATABASE_URL)`,
  },
  'catch-up': {
    options: 'end',
    words: `send at once what an outage has kept, instead of at a pace (DATABASE_URL). Prints whether anything was paced`,
  },
  queue: {
    options: 'status | pause fan-out|deliver | resume fan-out|deliver | forget-redis',
    words: `print how much waits in each queue, after pausing one for all dispatchers or ending its pause; what is under way
goes on (DATABASE_URL, SEALING_KEYS, the settings of Redis). forget-redis deletes the keys of QUEUE_PREFIX, a minute after
the last process with Redis has ended (the earlier settings of Redis, also QUEUE_PREFIX)`,
  },
  'new-token': { words: 'print a new management token, for BOOTSTRAP_MANAGEMENT_TOKEN' },
  'new-api-key': { words: 'print a new API key, for BOOTSTRAP_API_KEY' },
  'new-key': { words: 'print a new key, for SEALING_KEYS or CURSOR_KEYS' },
  reseal: {
    words: `seal secrets, passwords and secret headers that an older key sealed with the first of SEALING_KEYS
(DATABASE_URL)`,
  },
  erasures: {
    options: 'list|replay',
    words: `list prints one JSON line for each erasure that the audit log knows, to keep elsewhere; replay reads all of
them from standard input and erases again, after a backup was restored (DATABASE_URL)`,
  },
  'verify-audit': {
    words: `recompute the audit log's hash chain of every workspace (DATABASE_URL). Prints one JSON line for each
workspace: its head and its anchor, where retention left it (sequence and hash, to keep elsewhere), the number of
entries with erased personal values, and its first break`,
  },
  help: { options: '[COMMAND]', words: 'show this text, or that of one command; so does --help' },
};

const CODES = 'It exits with 0 when it is done, 1 when it failed, 2 when it was called wrongly.\n';
const INDENT = ' '.repeat(17);

/** The help for all commands. */
export function usage(): string {
  const parts = Object.keys(COMMANDS).map((name) => {
    const { options, words } = commandOf(name);
    const text = words.replaceAll('\n', `\n${INDENT}`);
    const head = `  ${name}${options === '' ? '' : ` ${options}`}`;
    return options === '' && head.length < INDENT.length
      ? `${head.padEnd(INDENT.length)}${text}`
      : `${head}\n${INDENT}${text}`;
  });
  return `usage: posthorn-admin <command> [options]\n\n${parts.join('\n')}\n\n${CODES}`;
}

/** The help for one command; undefined if there is no such command. */
export function usageOf(name: string): string | undefined {
  if (!Object.hasOwn(COMMANDS, name)) return undefined;
  const { options, words } = commandOf(name);
  return `usage: posthorn-admin ${name}${options === '' ? '' : ` ${options}`}\n\n${words}\n\n${CODES}`;
}

function commandOf(name: string): { options: string; words: string } {
  return { options: '', words: '', ...COMMANDS[name] };
}
