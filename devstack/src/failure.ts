/** A failure that stops the start: `message` states the problem and its likely cause, `next` the remedy. */
export class Failure extends Error {
  override name = 'Failure';
  readonly next: string;
  /** 1 for a failure, 2 for an invalid setting. */
  readonly exitCode: number;

  constructor(message: string, next: string, exitCode = 1) {
    super(message);
    this.next = next;
    this.exitCode = exitCode;
  }
}
