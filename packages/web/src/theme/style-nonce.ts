/**
 * The nonce of this page's Content-Security-Policy. Mantine adds <style> elements for its variables and responsive
 * properties. The policy only allows elements with this nonce.
 */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** Passes the nonce to the library that locks scrolling behind a dialog. It reads webpack's global. */
export function shareStyleNonce(): void {
  Reflect.set(globalThis, '__webpack_nonce__', styleNonce());
}
