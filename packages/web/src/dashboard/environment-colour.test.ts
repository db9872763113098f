import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { contrast } from '../theme/brand.ts';
import { environmentColour } from './environment-colour.ts';

const LINES = readFileSync(join(import.meta.dirname, '../theme/tokens.css'), 'utf8').split('\n');

/** The values of a CSS token, in the light and the dark theme. */
function valuesOf(token: string): string[] {
  const start = `  ${token}: `;
  return LINES.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length, -1));
}

test('the colour of an environment of any name can be read on light and on dark', () => {
  const slugs = Array.from({ length: 360 }, (_, number) => `preview-${number}`);
  const lightness = valuesOf('--environment-lightness');
  const surfaces = [valuesOf('--surface-raised'), valuesOf('--surface')].flatMap(([light = '', dark = '']) => [
    { scheme: 0, surface: light },
    { scheme: 1, surface: dark },
  ]);
  const unreadable = slugs.map(environmentColour).filter((colour) => {
    const [hue = '', saturation = '', token = ''] = colour.slice('hsl('.length, -1).split(' ');
    return surfaces.some(({ scheme, surface }) => {
      const share = token.startsWith('var(') ? (lightness[scheme] ?? '') : token;
      const hex = hexOf(Number(hue), Number.parseFloat(saturation) / 100, Number.parseFloat(share) / 100);
      return !(contrast(hex, surface) >= 4.5);
    });
  });
  expect(unreadable).toEqual([]);
});

/** Converts a colour of `hsl()` into the six digits of a hex colour. */
function hexOf(hue: number, saturation: number, lightness: number): string {
  const digits = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    const most = saturation * Math.min(lightness, 1 - lightness);
    const channel = lightness - most * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return Math.round(channel * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${digits(0)}${digits(8)}${digits(4)}`;
}
