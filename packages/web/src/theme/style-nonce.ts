/**
 * The nonce of this page's Content-Security-Policy. Mantine adds <style> elements for its variables and responsive
 * properties; the policy allows those that carry the nonce and no others.
 */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** Gives the nonce to the library that locks scrolling behind a dialog; it reads this global of webpack. */
export function shareStyleNonce(): void {
  Reflect.set(globalThis, '__webpack_nonce__', styleNonce());
}
