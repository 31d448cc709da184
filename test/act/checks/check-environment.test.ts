import { expect, it } from 'vitest';
import { checkEnvironment } from '../../../src/act/checks/check-environment.ts';

it('checks look for programs only where the agent cannot have put any', () => {
  const PATH = '.:/usr/bin::relative/bin:/w/run/bin:/usr/local/bin';
  expect(checkEnvironment({ PATH, HOME: '/h' }, [], ['/w/run'])['PATH']).toBe('/usr/bin:/usr/local/bin');
});
