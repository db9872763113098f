import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { outcomeFaults } from './expectations.mjs';

const { calls } = JSON.parse(readFileSync(new URL('calls.json', import.meta.url), 'utf8'));

/** The state of a run of calls.json: the values from earlier answers, and the faults so far. */
export function createRun(given) {
  const run = `r${randomBytes(6).toString('hex')}`;
  const kept = { ...given, run, hourAgo: new Date(Date.now() - 3_600_000).toISOString() };
  const faults = [];
  let at = -1;
  return {
    /** Takes the outcome of the previous call, and returns the next call. */
    next(outcome) {
      if (outcome !== undefined) check(calls[at], outcome);
      at += 1;
      return at < calls.length ? { call: fill(calls[at].call, kept) } : { done: true, calls: calls.length, faults };
    },
  };

  function check({ call, keep = {}, expect = {} }, outcome) {
    const found = outcomeFaults(fill(expect, kept), outcome);
    faults.push(...found.map((fault) => `call ${at + 1}, ${call.resource}.${call.method}: ${fault}`));
    for (const [name, path] of Object.entries(keep)) {
      kept[name] = path.split('.').reduce((value, key) => value?.[key], outcome.result);
    }
  }
}

/** Replaces names such as `$endpoint` with the values from earlier answers. */
function fill(value, kept) {
  return JSON.parse(
    JSON.stringify(value).replaceAll(/\$([a-zA-Z]+)/g, (whole, name) => (name in kept ? kept[name] : whole)),
  );
}
