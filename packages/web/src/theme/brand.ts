import type { CSSVariablesResolver, MantineColorsTuple, MantineThemeOverride } from '@mantine/core';
import { cssVariables, theme } from './theme.ts';

/** The look of a portal: the theme of its session (docs/interface.md, Portal session). */
export type Brand = {
  mode?: 'light' | 'dark' | 'auto' | undefined;
  primaryColor?: string | undefined;
  fontFamily?: string | undefined;
  radius?: number | undefined;
  css?: string | undefined;
};

const LEAST_CONTRAST = 4.5;
const STEPS = 40;
const WHITE = '#ffffff';
const BLACK = '#000000';
const DARK_SURFACE = '#1d1d20';

/** Mantine's theme for a brand: the fonts, the corners, and buttons in the brand's colour. */
export function brandTheme({ primaryColor, fontFamily, radius }: Brand): MantineThemeOverride {
  return {
    ...(fontFamily !== undefined && { fontFamily: [...fontNames(fontFamily), theme.fontFamily].join(', ') }),
    ...(radius !== undefined && { defaultRadius: radius }),
    ...(primaryColor !== undefined && { colors: { accent: shadesOf(primaryColor) } }),
  };
}

/** Font names with a meaning in CSS, which must not be quoted. */
const GENERIC_FONTS = new Set([
  ...['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'math', 'emoji', 'system-ui', '-apple-system'],
  ...['ui-serif', 'ui-sans-serif', 'ui-monospace', 'ui-rounded'],
]);

/**
 * The font names for CSS. Without quotes, a name such as `Source Sans 3` would make the whole list invalid, as would an
 * empty name between two commas.
 */
function fontNames(fontFamily: string): string[] {
  const names = fontFamily.split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => (GENERIC_FONTS.has(name.toLowerCase()) ? name : `"${name}"`));
}

/** The declarations in `css`. The service has checked that they are only custom properties. */
export function customProperties(css: string | undefined): readonly (readonly [name: string, value: string])[] {
  return (css ?? '').split(';').flatMap((one) => {
    const colon = one.indexOf(':');
    return colon === -1 ? [] : [[one.slice(0, colon).trim(), one.slice(colon + 1).trim()] as const];
  });
}

/** Shades of the brand's colour, which is darkened until white text is readable on it. */
function shadesOf(primaryColor: string): MantineColorsTuple {
  const solid = readableOn(WHITE, primaryColor, BLACK);
  const tint = (share: number) => mix(solid, WHITE, share);
  const shade = (share: number) => mix(solid, BLACK, share);
  const tints = [tint(0.92), tint(0.84), tint(0.7), tint(0.55), tint(0.4), tint(0.2)] as const;
  return [...tints, solid, solid, shade(0.15), shade(0.3)];
}

/**
 * CSS variables for both colour schemes. Links and selected items have the brand's colour, readable on the tint behind
 * them.
 */
export function brandVariables(primaryColor: string | undefined): CSSVariablesResolver {
  if (primaryColor === undefined) return cssVariables;
  const light = tokens(primaryColor, WHITE, BLACK);
  const dark = tokens(primaryColor, DARK_SURFACE, WHITE);
  return (mantine) => {
    const base = cssVariables(mantine);
    return { ...base, light: { ...base.light, ...light }, dark: { ...base.dark, ...dark } };
  };
}

function tokens(color: string, surface: string, towards: string): Record<string, string> {
  const tint = mix(color, surface, 0.86);
  return { '--accent': readableOn(tint, color, towards), '--accent-tint': tint };
}

/** The colour, moved towards black or white until its contrast with the background is at least 4.5. */
export function readableOn(background: string, color: string, towards: string): string {
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mix(color, towards, step / STEPS);
    if (contrast(candidate, background) >= LEAST_CONTRAST) return candidate;
  }
  return towards;
}

/** The contrast of two colours as WCAG 2 defines it: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function mix(color: string, other: string, share: number): string {
  const others = channels(other);
  const mixed = channels(color).map((value, index) => Math.round(value * (1 - share) + (others[index] ?? 0) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
