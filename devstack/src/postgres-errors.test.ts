import { expect, test } from '@jest/globals';
import { ON_PURPOSE, unexpectedErrors } from './postgres-errors.ts';

const line = (sqlState: string, rest: string) => `2026-11-29 10:00:00.123 NST [42]|test_a|${sqlState}|${rest}`;

test('a wrong statement is told with its database, and neither a violation nor what fails on purpose', () => {
  const log = [
    line('00000', 'LOG:  checkpoint starting'),
    line('23505', 'ERROR:  duplicate key value violates unique constraint "a"'),
    line('23505', 'STATEMENT:  insert into a'),
    line('42703', 'ERROR:  column d.endpoint_id does not exist at character 7'),
    line('42703', 'STATEMENT:  select d.endpoint_id'),
    '\tfrom page d',
    line('42601', 'ERROR:  syntax error at or near "not" at character 1'),
    line('42601', `STATEMENT:  not sql ${ON_PURPOSE}`),
    line('42501', 'ERROR:  permission denied for table a'),
    line('42501', 'STATEMENT:  select 1'),
  ];
  expect(unexpectedErrors(log.join('\n'))).toEqual([
    'test_a 42703 ERROR:  column d.endpoint_id does not exist at character 7; STATEMENT:  select d.endpoint_id from page d',
  ]);
});

test('a database whose test has taken something away is not judged from then on, and others are', () => {
  const wrong = [line('42P01', 'ERROR:  relation "a" does not exist'), line('42P01', 'STATEMENT:  select from a')];
  const told = 'test_a 42P01 ERROR:  relation "a" does not exist; STATEMENT:  select from a';
  const marked = line('00000', `LOG:  ${ON_PURPOSE}`);
  expect(unexpectedErrors([...wrong, marked, ...wrong].join('\n'))).toEqual([told]);
  const elsewhere = marked.replace('test_a', 'test_b');
  expect(unexpectedErrors([elsewhere, ...wrong].join('\n'))).toEqual([told]);
});
