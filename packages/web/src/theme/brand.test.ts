import { expect, test } from '@jest/globals';
import { brandTheme, contrast, readableOn } from './brand.ts';
import { theme } from './theme.ts';

test.each(['#ffff00', '#ffffff', '#000000', '#0f7b6c', '#ff6600'])(
  'a brand of %s becomes readable on light and on dark',
  (color) => {
    expect(contrast(readableOn('#ffffff', color, '#000000'), '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(readableOn('#1d1d20', color, '#ffffff'), '#1d1d20')).toBeGreaterThanOrEqual(4.5);
  },
);

test('a colour that is readable already stays as it is', () => {
  expect(readableOn('#ffffff', '#0f5b4c', '#000000')).toBe('#0f5b4c');
});

test('fonts are a list that CSS takes, whatever their names', () => {
  expect(brandTheme({ fontFamily: 'Source Sans 3, ,inherit,Arial, ui-sans-serif,' }).fontFamily).toBe(
    `"Source Sans 3", "inherit", "Arial", ui-sans-serif, ${theme.fontFamily}`,
  );
});
