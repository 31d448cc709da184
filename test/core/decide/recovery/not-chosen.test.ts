import { expect, test } from 'vitest';
import { notChosen } from '../../../../src/core/decide/recovery/not-chosen.ts';
import { Story } from '../../story.ts';

const ways = ({ state }: Story) => {
  const [incident] = state.incidents;
  return incident === undefined ? null : notChosen(state, incident);
};
const crashed = (story: Story) => story.prepared().started().ended({ exitCode: 1 });

test('a first try names the steps that are left, and says that a person comes after them', () => {
  const found = ways(crashed(new Story()));
  expect(found).toContainEqual({ option: 'wait', reason: 'this does not pass by itself' });
  expect(found).toContainEqual({
    option: 'a fresh agent session with a brief',
    reason: 'comes next if this does not help',
  });
  expect(found).toContainEqual({
    option: 'another agent',
    reason: 'no other agent is named for this run (--fallback)',
  });
  expect(found?.find(({ option }) => option === 'ask you')?.reason).toMatch(
    /^\d+ other steps? comes? first$/,
  );
});

test('a way that was taken is not told, and a question says why it came before the others', () => {
  const asked = ways(crashed(new Story({ policy: { restarts: 0 } })));
  expect(asked?.map(({ option }) => option)).not.toContain('ask you');
  expect(asked?.map(({ reason }) => reason).join()).toContain('you are asked first: ');
  const other = ways(crashed(new Story({ fallbacks: ['second'] })));
  expect(other?.find(({ option }) => option === 'another agent')?.reason).toBe(
    'comes next if this does not help',
  );
});
