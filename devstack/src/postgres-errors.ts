/** A statement with this comment fails on purpose. */
export const ON_PURPOSE = '/* fails on purpose */';

/** Begins each line of the log: the database and the SQLSTATE stand between bars. */
export const LOG_LINE_PREFIX = '%m [%p]|%d|%e|';

/**
 * Whether a statement is wrong, whatever the data: class 42 without missing rights, which tests of roles provoke, and
 * Postgres' own faults.
 */
function isWrong(sqlState: string): boolean {
  return (sqlState.startsWith('42') && sqlState !== '42501') || sqlState.startsWith('XX');
}

/** The errors of a server's log that no test wants, each with its database and its statement. */
export function unexpectedErrors(log: string): string[] {
  const errors: { text: string; statement: string }[] = [];
  let last: { text: string; statement: string } | undefined;
  for (const line of log.split('\n')) {
    const [, database = '', sqlState = '', ...rest] = line.split('|');
    const words = rest.join('|');
    // The other lines of a statement begin with a tab.
    if (line.startsWith('\t')) {
      if (last !== undefined) last.statement += ` ${line.trim()}`;
    } else if (words.startsWith('ERROR:')) {
      last = { text: `${database} ${sqlState} ${words}`, statement: '' };
      if (isWrong(sqlState)) errors.push(last);
    } else if (words.startsWith('STATEMENT:') && last !== undefined) {
      last.statement = words;
    } else {
      last = undefined;
    }
  }
  return errors
    .filter(({ statement }) => !statement.includes(ON_PURPOSE))
    .map(({ text, statement }) => `${text}; ${statement.slice(0, 500)}`);
}
