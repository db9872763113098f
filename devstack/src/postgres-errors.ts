/**
 * A statement with this comment fails on purpose. As a line of the log, it marks all later statements on its database
 * (`failsOnPurpose` of the test kit).
 */
export const ON_PURPOSE = '/* fails on purpose */';

/** The prefix of each line of the log: the database and the SQLSTATE stand between bars. */
export const LOG_LINE_PREFIX = '%m [%p]|%d|%e|';

/**
 * Codes of class 42 that do not mean a wrong statement: missing rights, which tests of roles provoke, and a table that
 * another process has just made, such as a partition.
 */
const NOT_WRONG = ['42501', '42P07'];

/** Whether the code means a wrong statement, whatever the data. Class XX has Postgres' own faults. */
function isWrong(sqlState: string): boolean {
  return (sqlState.startsWith('42') && !NOT_WRONG.includes(sqlState)) || sqlState.startsWith('XX');
}

/** The errors in a server's log that no test provokes, each with its database and its statement. */
export function unexpectedErrors(log: string): string[] {
  const errors: { text: string; statement: string }[] = [];
  let last: { text: string; statement: string } | undefined;
  const onPurpose = new Set<string>();
  for (const line of log.split('\n')) {
    const [, database = '', sqlState = '', ...rest] = line.split('|');
    const words = rest.join('|');
    // The other lines of a statement begin with a tab.
    if (line.startsWith('\t')) {
      if (last !== undefined) last.statement += ` ${line.trim()}`;
    } else if (words.startsWith('ERROR:')) {
      last = { text: `${database} ${sqlState} ${words}`, statement: '' };
      if (isWrong(sqlState) && !onPurpose.has(database)) errors.push(last);
    } else if (words.startsWith('STATEMENT:') && last !== undefined) {
      last.statement = words;
    } else {
      if (words.startsWith('LOG:') && words.includes(ON_PURPOSE)) onPurpose.add(database);
      last = undefined;
    }
  }
  return errors
    .filter(({ statement }) => !statement.includes(ON_PURPOSE))
    .map(({ text, statement }) => `${text}; ${statement.slice(0, 500)}`);
}
