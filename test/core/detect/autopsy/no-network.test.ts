/** A run that tries one host after the other from a machine without network is told that the environment refuses. */
import { expect, test } from 'vitest';
import { type Call, madeRun, times } from './made-run.ts';

const failing = (command: string, said: string): Call => ['Bash', command, `Exit code 1\n${said}`];
const install = failing(
  'bundle install',
  'Fetching source index\nCould not fetch specs\nfailed to connect to gems.example.org: Could not resolve host: gems.example.org',
);
const edit = (n: number): Call => [
  'Edit',
  JSON.stringify({ file_path: 'Gemfile', old_string: `'~> ${n}'`, new_string: `'~> ${n + 1}'` }),
  'The file Gemfile has been updated.',
];
const begin: readonly Call[] = [['Bash', 'cat Gemfile', "gem 'kiln', '~> 0'"]];
const otherHosts: readonly Call[] = [
  failing(
    'curl -sSO https://mirror.example.net/kiln.gem',
    'curl: (6) Could not resolve host: mirror.example.net',
  ),
  failing(
    'wget https://files.example.com/kiln.gem',
    'wget: could not connect to files.example.com: Name or service not known',
  ),
];

test('several hosts that no program reaches are told as an environment without network', () => {
  const { cause, next, found } = madeRun([
    ...begin,
    install,
    ...times(4, (n) => [edit(n), install]),
    ...otherHosts,
    install,
    install,
  ]);
  expect(cause).toContain('no host outside of this machine is reached: 3 hosts');
  expect(next).toContain('another address, mirror, version or resolver does not help');
  expect(found.class).toBe('environment');
});

test('one host that is not reached may be down or misspelt: nothing is said of the network', () => {
  const { cause } = madeRun([...begin, install, ...times(5, (n) => [edit(n), install])]);
  expect(cause).not.toContain('no network');
});

test('a fetch from outside that went well meanwhile shows that there is a network', () => {
  const { cause } = madeRun([
    ...begin,
    install,
    ...times(4, (n) => [edit(n), install]),
    ...otherHosts,
    [
      'Bash',
      'git clone https://git.example.org/kiln',
      'Cloning into kiln...\nReceiving objects: 100%, done.',
    ],
    install,
    install,
  ]);
  expect(cause).not.toContain('no network');
});
