import { expect, it } from 'vitest';
import { containerWords } from '../../src/cli/machine/doctor.ts';

it('the doctor promises that nothing escapes only where that is true', () => {
  expect(containerWords('cgroup', false)).toMatchObject({
    says: expect.stringContaining('nothing'),
    advice: null,
  });
  expect(containerWords('cgroup', true)).toMatchObject({
    says: expect.stringContaining('as root: an agent of yours can leave it'),
    advice: expect.stringContaining('ordinary user'),
  });
  expect(containerWords('process-group', false).advice).toContain('control groups');
});
