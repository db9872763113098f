/** A statement with this comment fails on purpose. */
export const ON_PURPOSE = '/* fails on purpose */';

/**
 * SQLSTATEs of statements that are wrong, whatever the data: of class 42, without missing rights (42501), which tests of
 * roles provoke, and of Postgres' own faults.
 */
const WRONG = /^(42(?!501)|XX)/;
/** The beginning of a line, as `LOG_LINE_PREFIX` writes it: the database and the SQLSTATE. */
export const LOG_LINE_PREFIX = '%m [%p] %d %e ';
const LINE = /^\d{4}-\S+ \S+ \S+ \[\d+\] (\S*) ([0-9A-Z]{5}) ([A-Z]+): {2}(.*)$/;

/** The errors of a server's log that no test wants, each with its database and its statement. */
export function unexpectedErrors(log: string): string[] {
  const errors: { text: string; statement: string }[] = [];
  let last: { text: string; statement: string } | undefined;
  for (const line of log.split('\n')) {
    const [, database = '', sqlState = '', kind, text = ''] = LINE.exec(line) ?? [];
    if (kind === 'ERROR') {
      last = { text: `${database} ${sqlState} ${text}`, statement: '' };
      if (WRONG.test(sqlState)) errors.push(last);
    } else if (kind === 'STATEMENT' && last !== undefined) {
      last.statement = text;
    } else if (kind === undefined && last !== undefined && last.statement !== '') {
      last.statement += ` ${line.trim()}`;
    } else {
      last = undefined;
    }
  }
  return errors
    .filter(({ statement }) => !statement.includes(ON_PURPOSE))
    .map(({ text, statement }) => `${text}: ${statement.slice(0, 500)}`);
}
