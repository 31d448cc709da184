import { expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { outageEndpoint } from '../../../src/core/fleet/outage-endpoint.ts';

const of = (...lines: string[]) => outageEndpoint(observedDiagnosis('network_failure', 'no network', lines));

it.each([
  ['Error: connect ECONNREFUSED 127.0.0.1:4321', { host: '127.0.0.1', port: 4321 }],
  ['Error: getaddrinfo ENOTFOUND api.anthropic.com', { host: 'api.anthropic.com', port: 443 }],
  ['curl: (7) Failed to connect to github.com port 8443 after 12 ms', { host: 'github.com', port: 8443 }],
  [
    "fatal: unable to access 'https://git.example.com/a.git/': Could not resolve host",
    { host: 'git.example.com', port: 443 },
  ],
])('%s names who did not answer', (line, endpoint) => {
  expect(of(line)).toEqual(endpoint);
});

it.each(['socket hang up', 'port 3000 is closed', 'connect ECONNREFUSED 127.0.0.1:99999', ''])(
  'where nobody is named, or no such door exists, nobody is asked: %s',
  (line) => {
    expect(of(line)).toBeNull();
  },
);

it('the first line that names somebody counts', () => {
  expect(of('the stream ended', 'connect ETIMEDOUT 10.0.0.1:443')).toEqual({ host: '10.0.0.1', port: 443 });
  expect(outageEndpoint(null)).toBeNull();
});
