import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The milliseconds from a navigation until the page shows the text. */
export async function paintOf(page: Page, url: string, text: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  return await page.evaluate<number>(`new Promise((resolve) => {
    const look = () => document.body?.innerText.includes(${JSON.stringify(text)})
      ? resolve(performance.now())
      : requestAnimationFrame(look);
    look();
  })`);
}

/** The gzip size in KiB of all scripts that the page has loaded, except the script that `except` names. */
export async function scriptKib(page: Page, except: string): Promise<number> {
  const urls = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
  );
  const sizes = await Promise.all(
    [...new Set(urls)]
      .filter((url) => !url.includes(except))
      .map(async (url) => {
        const { headers } = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
        return Number(headers.get('content-length'));
      }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_024;
}

/** The milliseconds from a click on a status chip until every row that is shown has the status. */
export async function filterTime(page: Page, status: string): Promise<number> {
  return await page.evaluate<number>(`new Promise((resolve, reject) => {
    const chips = [...document.querySelectorAll('[role=group][aria-label=Status] label')];
    const startedAt = performance.now();
    chips.find((chip) => chip.textContent === ${JSON.stringify(status)}).click();
    const look = () => {
      const table = document.querySelector('table[aria-label=Deliveries]');
      const rows = [...table.querySelectorAll('tbody tr')];
      const isThere = table.getAttribute('aria-busy') === 'false' && rows.length > 0
        && rows.every((row) => row.cells[0].textContent === ${JSON.stringify(status)});
      if (isThere) return resolve(performance.now() - startedAt);
      if (performance.now() - startedAt > 10000) return reject(new Error('no rows came'));
      requestAnimationFrame(look);
    };
    look();
  })`);
}

/** Scrolls a list until `rows` rows of 36 px were shown. Returns the milliseconds of each frame. */
export async function scrollFrames(page: Page, rows: number): Promise<number[]> {
  return await page.evaluate<number[]>(`new Promise((resolve, reject) => {
    const frames = [];
    const startedAt = performance.now();
    let last = startedAt;
    const step = (at) => {
      frames.push(at - last);
      last = at;
      if (window.scrollY + window.innerHeight >= ${rows * 36}) return resolve(frames.slice(1));
      if (at - startedAt > 120000) return reject(new Error('the list did not grow to ${rows} rows'));
      window.scrollBy(0, 360);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
}

/** The number of elements that axe calls serious or critical, in the light and the dark theme together. */
export async function axeFindings(page: Page): Promise<number> {
  let found = 0;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    found += grave.reduce((sum, { nodes }) => sum + nodes.length, 0);
  }
  return found;
}
