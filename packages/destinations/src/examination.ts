/** The doctor's checks, in order (docs/interface.md, Doctor). Add a check here if a kind needs one. */
export const DOCTOR_CHECKS = [
  'dns',
  'tcp',
  'tls',
  'certificate',
  'oauth2',
  'http',
  'redirect',
  'latency',
  'signature',
  'replay',
  'body',
  'target',
  'publish',
] as const;
export type DoctorCheckName = (typeof DOCTOR_CHECKS)[number];

/** Checks that only some endpoints have. The report of any other endpoint leaves them out. */
const OF_SOME = new Set<DoctorCheckName>(['oauth2', 'target', 'publish']);

/**
 * The result of a check, for the receiver's engineer. The portal shows the texts, so they name neither Posthorn nor its
 * settings. `advice` says what to change. Agents obey it, so it must contain only our own words. It is null if nothing
 * needs a change.
 */
export type Judgement = { outcome: 'pass' | 'warn' | 'fail' | 'skipped'; detail: string; advice: string | null };

export type Check = Judgement & { name: DoctorCheckName; durationMs: number };

export type ExaminationRecord = ReturnType<typeof createExaminationRecord>;

/**
 * Collects results: of the kind's `own` checks, or of the checks of a web server. A check that was not made is
 * `skipped`, with the reason that ended the examination.
 */
export function createExaminationRecord(own?: readonly DoctorCheckName[]) {
  const made = new Map<DoctorCheckName, Check>();
  let whySkipped = '';
  return {
    /** Returns whether the next check can be made. */
    add(name: DoctorCheckName, durationMs: number, judgement: Judgement): boolean {
      made.set(name, { name, ...judgement, durationMs: Math.round(durationMs) });
      if (judgement.outcome === 'fail' && whySkipped === '') whySkipped = `Not tried, because the check ${name} failed`;
      return judgement.outcome !== 'fail';
    },
    stop(why: string): void {
      whySkipped = `Not tried: ${why}`;
    },
    checks: (): Check[] =>
      (own ?? DOCTOR_CHECKS.filter((name) => made.has(name) || !OF_SOME.has(name))).map(
        (name) => made.get(name) ?? { name, outcome: 'skipped', detail: whySkipped, advice: null, durationMs: 0 },
      ),
  };
}

export function pass(detail: string): Judgement {
  return { outcome: 'pass', detail, advice: null };
}
