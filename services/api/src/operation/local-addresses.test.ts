import { expect, test } from '@jest/globals';
import { refuseLocalAddress } from './local-addresses.ts';

const FIELD = 'theme.logoUrl';
const RULE = 'must be an https URL';
const isRefused = (baseUrl: string, address: string): boolean => {
  try {
    refuseLocalAddress(baseUrl, address, FIELD, RULE);
    return false;
  } catch (error) {
    const message = `${FIELD} ${RULE}; http://localhost and http://127.0.0.1 are allowed while BASE_URL is local`;
    expect(error).toMatchObject({ code: 'validation_error', message, details: [{ field: FIELD, message }] });
    return true;
  }
};

test.each(['http://localhost:3000', 'http://127.0.0.1:3999', 'http://[::1]:3000', 'http://posthorn.localhost'])(
  'an http address of this machine is allowed while BASE_URL is %s',
  (baseUrl) => {
    expect(isRefused(baseUrl, 'http://localhost:5173')).toBe(false);
  },
);

test.each(['https://hooks.example', 'http://10.0.0.7:3000', 'http://localhost.example', 'https://127.0.0.1.example'])(
  'an http address of this machine is refused while BASE_URL is %s',
  (baseUrl) => {
    expect(isRefused(baseUrl, 'http://localhost:5173')).toBe(true);
    expect(isRefused(baseUrl, 'https://app.example.com')).toBe(false);
  },
);
