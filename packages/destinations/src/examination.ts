/** The checks of the doctor, in their order (docs/interface.md, Doctor). Add a check here when a kind needs one. */
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

/** Checks that only some endpoints have. A report without such a check does not name it. */
const OF_SOME = new Set<DoctorCheckName>(['oauth2', 'target', 'publish']);

/**
 * The result of a check, for the engineer of the receiver. The portal shows the texts, so they name neither Posthorn nor
 * its settings. `advice` says what to change, in our own words alone: agents obey it. It is null where nothing needs a change.
 */
export type Judgement = { outcome: 'pass' | 'warn' | 'fail' | 'skipped'; detail: string; advice: string | null };

export type Check = Judgement & { name: DoctorCheckName; durationMs: number };

export type ExaminationRecord = ReturnType<typeof createExaminationRecord>;

/**
 * Collects the checks: the `own` checks of a kind, or the checks of a web server. A check that was not made is `skipped`,
 * with the reason that ended the examination.
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
