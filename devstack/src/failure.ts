/** What stops a start: `message` says what happened and the likely cause, `next` what to do about it. */
export class Failure extends Error {
  override name = 'Failure';
  readonly next: string;
  /** 1 for what went wrong, 2 for a setting that cannot be used. */
  readonly exitCode: number;

  constructor(message: string, next: string, exitCode = 1) {
    super(message);
    this.next = next;
    this.exitCode = exitCode;
  }
}
